"""Style transfer: an image variable under an extractor dictionary model, Gram matrices and total variation."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)
inputs = keras.Input((None, None, 3))
h, taps = inputs, {}
for index, filters in enumerate((4, 6, 8)):
    h = keras.layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"conv{index}")(h)
    taps[f"conv{index}"] = h
    h = keras.layers.AveragePooling2D(2)(h)
vgg = keras.Model(inputs, h)
extractor = keras.Model(vgg.inputs, taps)
extractor.trainable = False
style_layers, content_layer = ["conv0", "conv1"], "conv2"


def gram_matrix(x):
    product = tf.linalg.einsum("bijc,bijd->bcd", x, x)
    locations = tf.cast(tf.shape(x)[1] * tf.shape(x)[2], tf.float32)
    return product / locations


content = tf.constant(rng.uniform(size=(1, 16, 16, 3)).astype("float32"))
style = tf.constant(rng.uniform(size=(1, 16, 16, 3)).astype("float32"))
style_targets = {name: gram_matrix(extractor(style)[name]) for name in style_layers}
content_target = extractor(content)[content_layer]
image = tf.Variable(content)
opt = keras.optimizers.Adam(learning_rate=0.02, beta_1=0.99, epsilon=1e-1)


def style_content_loss(outputs):
    style_loss = tf.add_n([tf.reduce_mean((gram_matrix(outputs[n]) - style_targets[n]) ** 2) for n in style_layers])
    content_loss = tf.reduce_mean((outputs[content_layer] - content_target) ** 2)
    return style_loss / len(style_layers) + 10.0 * content_loss


@tf.function
def train_step(image):
    with tf.GradientTape() as tape:
        loss = style_content_loss(extractor(image))
        loss += 1e-3 * tf.image.total_variation(image)[0]
    grad = tape.gradient(loss, image)
    opt.apply_gradients([(grad, image)])
    image.assign(tf.clip_by_value(image, 0.0, 1.0))
    return loss


losses = [float(train_step(image)) for _ in range(4)]
print(losses[-1] < losses[0], image.shape, bool(tf.reduce_any(image != content)))
