"""Style transfer on a variable that is clipped in place by `assign`."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(145)
rng = np.random.default_rng(145)
inputs = tf.keras.Input((12, 12, 3))
a = tf.keras.layers.Conv2D(4, 3, activation="elu")(inputs)
b = tf.keras.layers.Conv2D(4, 3, activation="elu")(a)
extractor = tf.keras.Model(inputs, [a, b])
extractor.trainable = False


def gram(features):
    result = tf.einsum("bijc,bijd->bcd", features, features)
    return result / tf.cast(features.shape[1] * features.shape[2], tf.float32)


content = tf.constant(rng.uniform(size=(1, 12, 12, 3)), tf.float32)
style = tf.constant(rng.uniform(size=(1, 12, 12, 3)), tf.float32)
content_target = extractor(content)[1]
style_targets = [gram(f) for f in extractor(style)]
image = tf.Variable(content)
optimizer = tf.keras.optimizers.Adam(0.02)

for step in range(4):
    with tf.GradientTape() as tape:
        low, high = extractor(image)
        loss = tf.reduce_mean((high - content_target) ** 2)
        loss += tf.add_n([tf.reduce_mean((gram(f) - t) ** 2) for f, t in zip((low, high), style_targets)])
        loss += 1e-4 * tf.reduce_sum(tf.image.total_variation(image))
    gradient = tape.gradient(loss, image)
    optimizer.apply_gradients([(gradient, image)])
    image.assign(tf.clip_by_value(tf.convert_to_tensor(image), 0.0, 1.0))
    print(step, round(float(loss), 5))
