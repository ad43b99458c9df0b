# Grad-CAM with the output of a layer of the model: that is a plan, and not what this image gave.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def classifier(size, classes):
    return keras.Sequential(
        [
            keras.Input((size, size, 1)),
            layers.Conv2D(4, 3, activation="relu", name="last_conv"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(classes, activation="softmax"),
        ]
    )


class GradCam:
    def __init__(self, model, layer):
        self.model = model
        self.layer = model.get_layer(layer)

    def heatmap(self, image, label):
        with tf.GradientTape() as tape:
            features = self.layer.output
            score = self.model(image)[:, label]
        grads = tape.gradient(score, features)  # why: TW303
        weights = tf.reduce_mean(grads, axis=(1, 2))
        return tf.einsum("bijc,bc->bij", features, weights)


model = classifier(12, 3)
images = np.random.default_rng(0).normal(size=(2, 12, 12, 1)).astype("float32")
cam = GradCam(model, "last_conv")
print(cam.heatmap(tf.constant(images), 1))
