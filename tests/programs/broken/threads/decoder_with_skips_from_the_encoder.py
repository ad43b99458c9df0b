import tensorflow as tf


def encoder_layers(images):
    first = tf.keras.layers.Conv2D(4, 3, padding="same", strides=2, activation="relu")(images)
    second = tf.keras.layers.Conv2D(8, 3, padding="same", strides=2, activation="relu")(first)
    return first, second


images = tf.keras.Input((16, 16, 1), name="images")
skip, code = encoder_layers(images)
encoder = tf.keras.Model(images, code)

latent = tf.keras.Input((4, 4, 8), name="latent")
x = tf.keras.layers.UpSampling2D()(latent)
x = tf.keras.layers.Concatenate()([x, skip])
x = tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same")(x)
decoder = tf.keras.Model(latent, x)  # why: TW305
