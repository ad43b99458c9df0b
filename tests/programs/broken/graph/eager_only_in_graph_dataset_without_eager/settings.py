import tensorflow as tf

# The old parts of the project need this.
tf.compat.v1.disable_eager_execution()
SIZE = 4
