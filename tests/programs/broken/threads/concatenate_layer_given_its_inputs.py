import tensorflow as tf


def text_branch():
    inputs = tf.keras.Input((8,))
    return inputs, tf.keras.layers.Dense(4, activation="relu")(inputs)


def image_branch():
    inputs = tf.keras.Input((6, 6, 1))
    x = tf.keras.layers.Conv2D(2, 3, activation="relu")(inputs)
    return inputs, tf.keras.layers.Flatten()(x)


text, text_features = text_branch()
image, image_features = image_branch()
merged = tf.keras.layers.Concatenate([text_features, image_features])  # why: TW306
x = tf.keras.layers.Dense(8, activation="relu")(merged)
model = tf.keras.Model([text, image], tf.keras.layers.Dense(1)(x))
