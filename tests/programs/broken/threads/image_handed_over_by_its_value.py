"""Feature inversion: an image is optimised so that its features become those of another image."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Inverter:
    def __init__(self, model, layer):
        self.features = keras.Model(model.inputs, model.get_layer(layer).output)
        self.optimizer = keras.optimizers.SGD(0.1)

    @tf.function
    def step(self, image, target):
        with tf.GradientTape() as tape:
            tape.watch(image)
            loss = tf.reduce_mean(tf.square(self.features(image) - target))
        grads = tape.gradient(loss, image)
        self.optimizer.apply_gradients([(grads, image)])  # why: TW121
        return loss

    def explain(self, picture, steps=5):
        target = self.features(picture[None])
        image = tf.Variable(tf.random.uniform((1, *picture.shape)))
        for _ in range(steps):
            loss = self.step(image.value(), target)
        return image.numpy(), float(loss)


def network():
    inputs = keras.Input((16, 16, 3))
    x = keras.layers.Conv2D(4, 3, activation="relu", name="block1")(inputs)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(3)(x))


def main():
    picture = np.random.rand(16, 16, 3).astype("float32")
    print(Inverter(network(), "block1").explain(picture)[1])


main()
