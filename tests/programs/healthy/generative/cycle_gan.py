"""Two generators and two discriminators under one persistent tape, reflection padding, cycle and identity losses."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(23)
rng = np.random.default_rng(23)
horses, zebras = (rng.uniform(-1, 1, size=(8, 8, 8, 3)).astype("float32") for _ in range(2))


class ReflectionPadding2D(layers.Layer):
    def __init__(self, padding=(1, 1), **kwargs):
        self.padding = tuple(padding)
        super().__init__(**kwargs)

    def call(self, tensor, mask=None):
        width, height = self.padding
        return tf.pad(tensor, [[0, 0], [height, height], [width, width], [0, 0]], mode="REFLECT")


def make_generator(name):
    inputs = keras.Input((8, 8, 3))
    x = ReflectionPadding2D()(inputs)
    x = layers.Conv2D(6, 3, activation="relu")(x)
    skip = x
    x = ReflectionPadding2D()(x)
    x = layers.Conv2D(6, 3)(x)
    x = layers.add([skip, x])
    return keras.Model(inputs, layers.Conv2D(3, 3, padding="same", activation="tanh")(x), name=name)


def make_discriminator(name):
    return keras.Sequential(
        [keras.Input((8, 8, 3)), layers.Conv2D(6, 3, strides=2), layers.LeakyReLU(), layers.Conv2D(1, 2)], name=name
    )


adversarial = keras.losses.MeanSquaredError()


class CycleGan(keras.Model):
    def __init__(self, gen_g, gen_f, disc_x, disc_y, lambda_cycle=10.0, lambda_identity=0.5):
        super().__init__()
        self.gen_G, self.gen_F, self.disc_X, self.disc_Y = gen_g, gen_f, disc_x, disc_y
        self.lambda_cycle, self.lambda_identity = lambda_cycle, lambda_identity

    def call(self, inputs):
        return self.disc_X(inputs), self.disc_Y(inputs), self.gen_G(inputs), self.gen_F(inputs)

    def compile(self, optimizers):
        super().compile()
        self.gen_G_optimizer, self.gen_F_optimizer, self.disc_X_optimizer, self.disc_Y_optimizer = optimizers
        self.cycle_loss_fn = keras.losses.MeanAbsoluteError()

    def train_step(self, batch_data):
        real_x, real_y = batch_data
        with tf.GradientTape(persistent=True) as tape:
            fake_y, fake_x = self.gen_G(real_x, training=True), self.gen_F(real_y, training=True)
            cycled_x, cycled_y = self.gen_F(fake_y, training=True), self.gen_G(fake_x, training=True)
            same_x, same_y = self.gen_F(real_x, training=True), self.gen_G(real_y, training=True)
            disc_real_x, disc_fake_x = self.disc_X(real_x, training=True), self.disc_X(fake_x, training=True)
            disc_real_y, disc_fake_y = self.disc_Y(real_y, training=True), self.disc_Y(fake_y, training=True)
            total_g = (
                adversarial(tf.ones_like(disc_fake_y), disc_fake_y)
                + self.cycle_loss_fn(real_y, cycled_y) * self.lambda_cycle
                + self.cycle_loss_fn(real_y, same_y) * self.lambda_cycle * self.lambda_identity
            )
            total_f = (
                adversarial(tf.ones_like(disc_fake_x), disc_fake_x)
                + self.cycle_loss_fn(real_x, cycled_x) * self.lambda_cycle
                + self.cycle_loss_fn(real_x, same_x) * self.lambda_cycle * self.lambda_identity
            )
            disc_x = adversarial(tf.ones_like(disc_real_x), disc_real_x) + adversarial(
                tf.zeros_like(disc_fake_x), disc_fake_x
            )
            disc_y = adversarial(tf.ones_like(disc_real_y), disc_real_y) + adversarial(
                tf.zeros_like(disc_fake_y), disc_fake_y
            )
        for loss, net, optimizer in (
            (total_g, self.gen_G, self.gen_G_optimizer),
            (total_f, self.gen_F, self.gen_F_optimizer),
            (disc_x, self.disc_X, self.disc_X_optimizer),
            (disc_y, self.disc_Y, self.disc_Y_optimizer),
        ):
            grads = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(grads, net.trainable_variables))
        return {"G_loss": total_g, "F_loss": total_f, "D_X_loss": disc_x, "D_Y_loss": disc_y}


model = CycleGan(make_generator("G"), make_generator("F"), make_discriminator("X"), make_discriminator("Y"))
model.compile([keras.optimizers.Adam(2e-4, beta_1=0.5) for _ in range(4)])
data = tf.data.Dataset.zip((tf.data.Dataset.from_tensor_slices(horses), tf.data.Dataset.from_tensor_slices(zebras)))
history = model.fit(data.batch(4), epochs=1, verbose=0)
print(sorted(history.history))
