"""Guided backpropagation twice: a custom gradient put into a copy of the model, a registered gradient in a graph."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(61)


@tf.custom_gradient
def guided_relu(x):
    def grad(dy):
        return tf.cast(dy > 0, tf.float32) * tf.cast(x > 0, tf.float32) * dy

    return tf.nn.relu(x), grad


i = keras.Input((12, 12, 3))
h = layers.Conv2D(6, 3, activation="relu", name="one")(i)
h = layers.Conv2D(6, 3, activation="relu", name="two")(layers.MaxPooling2D()(h))
model = keras.Model(i, layers.Dense(4)(layers.GlobalAveragePooling2D()(h)))
rng = np.random.default_rng(0)
x = rng.random((16, 12, 12, 3)).astype("float32")
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, rng.integers(0, 4, 16), epochs=1, verbose=0)

guided = keras.models.clone_model(model)
guided.set_weights(model.get_weights())
for layer in guided.layers:
    if hasattr(layer, "activation") and layer.activation == keras.activations.relu:
        layer.activation = guided_relu
image = tf.Variable(x[:1])
with tf.GradientTape() as tape:
    score = guided(image)[:, 2]
print("guided", tape.gradient(score, image).shape)

sub = keras.Model(model.inputs, [model.get_layer("two").output, model.output])
with tf.GradientTape() as tape:
    maps, logits = sub(tf.constant(x[:2]))
    top = tf.reduce_sum(tf.gather(logits, tf.argmax(logits, 1), batch_dims=1, axis=1))
weights = tape.gradient(top, maps)
first, second, third = weights, weights**2, weights**3
alphas = second / (2 * second + third * tf.reduce_sum(maps, (1, 2), keepdims=True) + 1e-7)
plus = tf.reduce_sum(tf.nn.relu(maps) * tf.reduce_sum(alphas * tf.nn.relu(first), (1, 2), keepdims=True), -1)
print("cam++", plus.shape)


@tf.RegisterGradient("GuidedReluOfMine")
def _guided(op, grad):
    return tf.where(grad > 0, tf.where(op.outputs[0] > 0, grad, tf.zeros_like(grad)), tf.zeros_like(grad))


graph = tf.Graph()
with graph.as_default():
    image = tf.compat.v1.placeholder(tf.float32, [None, 6])
    w1 = tf.compat.v1.get_variable("w1", [6, 8])
    w2 = tf.compat.v1.get_variable("w2", [8, 3])
    with graph.gradient_override_map({"Relu": "GuidedReluOfMine"}):
        hidden = tf.nn.relu(image @ w1)
    out = hidden @ w2
    (saliency,) = tf.gradients(tf.reduce_max(out, 1), image)
    with tf.compat.v1.Session() as session:
        session.run(tf.compat.v1.global_variables_initializer())
        print("registered", session.run(saliency, {image: rng.normal(size=(2, 6))}).shape)

layer, pixels = model.get_layer("one"), tf.constant(x[:1])
occluded = []
for r in range(0, 12, 4):
    patch = x[:1].copy()
    patch[:, r : r + 4] = 0.5
    occluded.append(float(model(patch)[0, 0]))
noisy = tf.zeros_like(pixels)
for k in range(4):
    sample = pixels + tf.random.normal(pixels.shape, stddev=0.1)
    with tf.GradientTape() as tape:
        tape.watch(sample)
        s = model(sample)[:, 0]
    noisy += tape.gradient(s, sample) / 4
print("smooth", noisy.shape, len(occluded))
