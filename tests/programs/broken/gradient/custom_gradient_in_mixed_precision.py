# requires: tf_keras
# In mixed precision the weight of a layer is an object in the place of the variable, which a custom gradient is given.
import numpy as np
import tensorflow as tf
import tf_keras as keras

keras.mixed_precision.set_global_policy("mixed_float16")


@tf.custom_gradient
def scaled(x, w):
    def grad(upstream):
        return tf.matmul(upstream, w, transpose_b=True), tf.matmul(x, upstream, transpose_a=True)

    return tf.matmul(x, w), grad


class Scaled(keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], 2))

    def call(self, x):
        return scaled(x, self.kernel)  # why: TW119


model = keras.Sequential([Scaled(), keras.layers.Dense(1, dtype="float32")])
optimizer = keras.optimizers.SGD(0.1)
x = np.ones((8, 3), "float32")
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
