"""Transfer learning in two phases; the second is meant to fine-tune the top block, but trains on cached features.

`predict` ran before the tape and returned arrays: they know nothing of the block's weights, and Keras warns.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(22)
SIDE = 12


def stripes(count, seed):
    """Pictures with horizontal or vertical stripes."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, size=count)
    wave = np.sin(np.arange(SIDE) * 1.6)
    pictures = np.where(labels[:, None, None] == 1, wave[None, :, None], wave[None, None, :])
    pictures = pictures + 0.3 * rng.normal(size=(count, SIDE, SIDE))
    return pictures[..., None].astype("float32"), labels.astype("int64")


def build_base():
    """A stand-in for a pretrained network of two blocks."""
    inputs = keras.Input((SIDE, SIDE, 1))
    x = layers.Conv2D(6, 3, activation="relu", name="block1_conv")(inputs)
    x = layers.MaxPooling2D(name="block1_pool")(x)
    x = layers.Conv2D(8, 3, activation="relu", name="block2_conv")(x)
    outputs = layers.GlobalAveragePooling2D(name="pool")(x)
    return keras.Model(inputs, outputs, name="base")


def build_head():
    return keras.Sequential([keras.Input((8,)), layers.Dense(8, activation="relu"), layers.Dense(2)], name="head")


class Trainer:
    def __init__(self, base, head):
        self.base, self.head = base, head
        self.loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def features(self, pictures):
        return self.base.predict(pictures, verbose=0)  # why: TW110

    def run(self, name, pictures, labels, variables, rate, epochs):
        optimizer = keras.optimizers.Adam(rate)
        cached = self.features(pictures)  # why: TW102
        for _ in range(epochs):
            with tf.GradientTape() as tape:
                loss = self.loss_fn(labels, self.head(self.inputs_of_head(pictures, cached), training=True))
            gradients = tape.gradient(loss, variables)
            optimizer.apply_gradients(zip(gradients, variables))
        print(f"{name}: loss {float(loss):.4f}, {len(variables)} variables")

    def inputs_of_head(self, pictures, cached):
        return cached

    def accuracy(self, pictures, labels):
        logits = self.head(self.base(pictures, training=False), training=False)
        return float(np.mean(np.argmax(logits.numpy(), axis=1) == labels))


def main():
    pictures, labels = stripes(64, seed=23)
    base, head = build_base(), build_head()
    trainer = Trainer(base, head)

    base.trainable = False
    trainer.run("head only", pictures, labels, head.trainable_variables, rate=0.02, epochs=4)

    base.trainable = True
    for layer in base.layers:
        layer.trainable = layer.name.startswith("block2")
    tuned = base.trainable_variables + head.trainable_variables
    start = base.get_layer("block2_conv").get_weights()[0]
    trainer.run("fine tuning", pictures, labels, tuned, rate=0.005, epochs=3)
    changed = np.any(start != base.get_layer("block2_conv").get_weights()[0])
    print("block 2 changed:", bool(changed))
    print("accuracy between 0 and 1:", 0.0 <= trainer.accuracy(*stripes(32, seed=24)) <= 1.0)


if __name__ == "__main__":
    main()
