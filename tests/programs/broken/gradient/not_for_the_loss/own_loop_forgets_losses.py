"""A VAE layer adds its KL term; the hand-written loop only looks at the reconstruction."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)


class Prior(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones", name="prior_scale")

    def call(self, z):
        width = tf.square(self.scale)
        self.add_loss(0.1 * tf.reduce_mean(tf.square(z) / width + tf.math.log(width)))  # why: TW115
        return z


encoder = tf.keras.layers.Dense(3)
prior = Prior()
decoder = tf.keras.layers.Dense(6)
model = tf.keras.Sequential([encoder, prior, decoder])
optimizer = tf.keras.optimizers.Adam(0.01)
x = tf.random.normal((32, 6))


@tf.function
def train(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients([(g, v) for g, v in zip(gradients, model.trainable_variables) if g is not None])
    return loss


model.build((None, 6))
for _ in range(4):
    loss = train(x)
print(float(loss))
