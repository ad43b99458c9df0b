"""Style transfer that optimises a plain tensor: its gradient is None, and the optimizer raises.

Made a `tf.Variable`, the same image gets a gradient at every step.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
rng = np.random.default_rng(11)


def make_extractor():
    inputs = tf.keras.Input((16, 16, 3))
    x = tf.keras.layers.Conv2D(4, 3, activation="relu", name="block1")(inputs)
    y = tf.keras.layers.Conv2D(6, 3, activation="relu", name="block2")(x)
    model = tf.keras.Model(inputs, [x, y])
    model.trainable = False
    return model


def gram(features):
    flat = tf.reshape(features, [-1, features.shape[-1]])
    return tf.matmul(flat, flat, transpose_a=True) / tf.cast(tf.shape(flat)[0], tf.float32)


extractor = make_extractor()
content = tf.constant(rng.uniform(size=(1, 16, 16, 3)), tf.float32)
style = tf.constant(rng.uniform(size=(1, 16, 16, 3)), tf.float32)
style_grams = [gram(f) for f in extractor(style)]
content_features = extractor(content)[1]

generated = tf.identity(content)  # why: TW101
optimizer = tf.keras.optimizers.Adam(0.05)


def step(picture):
    with tf.GradientTape() as tape:
        low, high = extractor(picture)
        loss = tf.reduce_mean(tf.square(high - content_features))
        for features, target in zip((low, high), style_grams):
            loss += 10.0 * tf.reduce_mean(tf.square(gram(features) - target))
    gradient = tape.gradient(loss, picture)
    optimizer.apply_gradients([(gradient, picture)])
    return loss


for i in range(5):
    print(i, float(step(generated)))
