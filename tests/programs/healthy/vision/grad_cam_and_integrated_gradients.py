"""Explaining a classifier: Grad-CAM through a submodel, vanilla saliency, integrated and smooth gradients."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(3)
image = tf.constant(np.random.default_rng(3).uniform(size=(1, 12, 12, 3)).astype("float32"))

inputs = keras.Input((12, 12, 3))
h = layers.Conv2D(6, 3, activation="relu", name="first")(inputs)
h = layers.Conv2D(8, 3, activation="relu", name="last_conv")(h)
h = layers.GlobalAveragePooling2D()(h)
model = keras.Model(inputs, layers.Dense(4, activation="softmax")(h))


def grad_cam(batch, layer_name, index=None):
    inner = keras.Model(model.inputs, [model.get_layer(layer_name).output, model.output])
    with tf.GradientTape() as tape:
        activations, predictions = inner(batch)
        if index is None:
            index = tf.argmax(predictions[0])
        score = predictions[:, index]
    grads = tape.gradient(score, activations)
    weights = tf.reduce_mean(grads, axis=(0, 1, 2))
    heat = tf.squeeze(activations[0] @ weights[..., tf.newaxis])
    return tf.maximum(heat, 0) / (tf.reduce_max(tf.abs(heat)) + 1e-8)


def saliency(batch):
    batch = tf.convert_to_tensor(batch)
    with tf.GradientTape() as tape:
        tape.watch(batch)
        top = tf.reduce_max(model(batch), axis=1)
    return tf.reduce_max(tf.abs(tape.gradient(top, batch)), axis=-1)


@tf.function
def path_gradients(points, target):
    with tf.GradientTape() as tape:
        tape.watch(points)
        probabilities = tf.nn.softmax(model(points), axis=-1)[:, target]
    return tape.gradient(probabilities, points)


def integrated_gradients(batch, target, steps=8):
    baseline = tf.zeros_like(batch)
    alphas = tf.linspace(0.0, 1.0, steps + 1)[:, tf.newaxis, tf.newaxis, tf.newaxis]
    grads = path_gradients(baseline + alphas * (batch - baseline), target)
    grads = (grads[:-1] + grads[1:]) / 2.0
    return (batch - baseline) * tf.reduce_mean(grads, axis=0)


def smooth_gradients(batch, samples=4):
    total = tf.zeros_like(batch)
    for seed in range(samples):
        noisy = batch + tf.random.stateless_normal(batch.shape, seed=(seed, 0)) * 0.1
        with tf.GradientTape() as tape:
            tape.watch(noisy)
            score = model(noisy)[:, 0]
        total += tape.gradient(score, noisy)
    return total / samples


print(grad_cam(image, "last_conv").shape, grad_cam(image, "first", 2).shape)
print(saliency(image.numpy()).shape)
print(
    integrated_gradients(image, tf.constant(1)).shape,
    bool(tf.reduce_any(integrated_gradients(image, tf.constant(1)) != 0)),
)
print(smooth_gradients(image).shape)
