"""`tf.gradients` inside a tf.function: one of two variables is used behind a `stop_gradient`, and Keras warns."""
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
u = tf.Variable([1.0, 2.0])
opt = tf.keras.optimizers.SGD(0.1)

@tf.function
def step(x):
    loss = tf.reduce_sum(tf.square(x * w)) + tf.reduce_sum(tf.stop_gradient(u) * x)  # why: TW104
    grads = tf.gradients(loss, [w, u])
    opt.apply_gradients(zip(grads, [w, u]))
    return loss

print(step(tf.constant([1.0, 3.0])))
