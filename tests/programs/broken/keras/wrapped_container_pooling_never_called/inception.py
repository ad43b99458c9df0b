from tensorflow.keras import layers


class Inception:
    """Convolutions of several sizes beside each other."""

    def __init__(self, narrow, wide):
        self.narrow, self.wide = narrow, wide

    def branches(self, x):
        one = layers.Conv2D(self.narrow, 1, padding="same", activation="relu")(x)
        three = layers.Conv2D(self.narrow, 1, padding="same", activation="relu")(x)
        three = layers.Conv2D(self.wide, 3, padding="same", activation="relu")(three)
        pooled = layers.MaxPooling2D(3, strides=1, padding="same")  # why: TW306
        return one, three, pooled

    def __call__(self, x):
        return layers.Concatenate(axis=-1)(list(self.branches(x)))
