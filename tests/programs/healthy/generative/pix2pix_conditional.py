"""Conditional GAN training without fit: two tapes, checkpoints in a temporary folder."""

import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(24)
rng = np.random.default_rng(24)
pairs = rng.uniform(-1, 1, size=(4, 2, 8, 8, 3)).astype("float32")


def downsample(filters, batchnorm=True):
    init = tf.random_normal_initializer(0.0, 0.02, seed=3)
    block = tf.keras.Sequential([layers.Conv2D(filters, 4, 2, "same", kernel_initializer=init, use_bias=False)])
    if batchnorm:
        block.add(layers.BatchNormalization())
    block.add(layers.LeakyReLU())
    return block


def Generator():
    inputs = layers.Input(shape=[8, 8, 3])
    x, skips = inputs, []
    for block in (downsample(4, batchnorm=False), downsample(8)):
        x = block(x)
        skips.append(x)
    for skip in reversed(skips[:-1]):
        x = layers.Conv2DTranspose(4, 4, strides=2, padding="same", activation="relu")(x)
        x = layers.Concatenate()([x, skip])
    return tf.keras.Model(inputs, layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh")(x))


def Discriminator():
    inp, tar = layers.Input(shape=[8, 8, 3], name="input_image"), layers.Input(shape=[8, 8, 3], name="target_image")
    x = downsample(4, False)(layers.concatenate([inp, tar]))
    return tf.keras.Model([inp, tar], layers.Conv2D(1, 2)(layers.ZeroPadding2D()(x)))


generator, discriminator = Generator(), Discriminator()
loss_object = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
discriminator_optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
folder = tempfile.mkdtemp()
checkpoint = tf.train.Checkpoint(
    generator_optimizer=generator_optimizer,
    discriminator_optimizer=discriminator_optimizer,
    generator=generator,
    discriminator=discriminator,
)


def generator_loss(disc_generated_output, gen_output, target):
    gan_loss = loss_object(tf.ones_like(disc_generated_output), disc_generated_output)
    l1_loss = tf.reduce_mean(tf.abs(target - gen_output))
    return gan_loss + 100 * l1_loss, gan_loss, l1_loss


@tf.function
def train_step(input_image, target):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        gen_output = generator(input_image, training=True)
        disc_real = discriminator([input_image, target], training=True)
        disc_generated = discriminator([input_image, gen_output], training=True)
        gen_total, _gan_loss, _l1_loss = generator_loss(disc_generated, gen_output, target)
        disc_loss = loss_object(tf.ones_like(disc_real), disc_real) + loss_object(
            tf.zeros_like(disc_generated), disc_generated
        )
    generator_gradients = gen_tape.gradient(gen_total, generator.trainable_variables)
    discriminator_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(generator_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(discriminator_gradients, discriminator.trainable_variables))
    return gen_total


dataset = tf.data.Dataset.from_tensor_slices(pairs).map(lambda p: (p[0], p[1])).batch(2).repeat()
losses = []
for input_image, target in dataset.take(4):
    losses.append(float(train_step(input_image, target)))
path = checkpoint.save(folder + "/ckpt")
checkpoint.restore(tf.train.latest_checkpoint(folder))
print(losses[-1] < losses[0] * 2, path.endswith("ckpt-1"))
