"""A saliency map and Grad-CAM done right: the image is watched, the inner activation is asked for."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(134)
rng = np.random.default_rng(134)
inputs = keras.Input((10, 10, 1))
x = keras.layers.Conv2D(4, 3, activation="elu", name="last_conv")(inputs)
y = keras.layers.GlobalAveragePooling2D()(x)
outputs = keras.layers.Dense(3)(y)
model = keras.Model(inputs, outputs)
model.trainable = False
grad_model = keras.Model(model.inputs, [model.get_layer("last_conv").output, model.output])
image = tf.constant(rng.uniform(size=(1, 10, 10, 1)), tf.float32)

with tf.GradientTape() as tape:
    tape.watch(image)
    score = tf.reduce_max(model(image)[0])
saliency = tf.reduce_max(tf.abs(tape.gradient(score, image)), axis=-1)[0]

with tf.GradientTape() as tape:
    activation, predictions = grad_model(image)
    top = int(tf.argmax(predictions[0]))
    channel = predictions[:, top]
gradient = tape.gradient(channel, activation)
weights = tf.reduce_mean(gradient, axis=(0, 1, 2))
heat = tf.nn.relu(tf.reduce_sum(activation[0] * weights, axis=-1))
print(saliency.shape, heat.shape, gradient.shape, int(np.argmax(saliency.numpy()) >= 0))
