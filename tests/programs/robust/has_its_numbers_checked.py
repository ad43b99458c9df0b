import tensorflow as tf
from small import train

tf.debugging.enable_check_numerics()
print(train())
try:
    tf.math.log(tf.constant(-1.0))
except tf.errors.InvalidArgumentError as error:
    print(type(error).__name__)
