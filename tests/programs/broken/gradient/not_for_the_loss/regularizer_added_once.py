"""A smoothness penalty is added to the model when it is made, and never again."""
# requires: keras3

import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Spline(tf.keras.layers.Layer):
    def __init__(self, knots):
        super().__init__()
        self.heights = self.add_weight(shape=(knots,), initializer="uniform", name="heights")
        self.stiffness = self.add_weight(shape=(), initializer="ones", name="stiffness")
        self.add_loss(tf.reduce_sum(tf.square(self.heights[1:] - self.heights[:-1])) * self.stiffness)  # why: TW115

    def call(self, x):
        return tf.gather(self.heights, x)


spline = Spline(5)
adam = tf.keras.optimizers.Adam(0.01)
x, y = tf.constant([0, 1, 2, 3, 4, 2]), tf.constant([0.0, 1.0, 2.0, 1.0, 0.0, 2.0])


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(spline(x) - y)) + sum(spline.losses)
    grads = tape.gradient(loss, spline.trainable_variables)
    adam.apply_gradients([(g, v) for g, v in zip(grads, spline.trainable_variables) if g is not None])
    return loss


for _ in range(4):
    loss = step()
print(float(loss))
