# An autoencoder is cut in two, but the decoder was never called on an input of its own.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class Autoencoder:
    def __init__(self, width, code):
        self.width = width
        self.code = code
        self.build()

    def build(self):
        image = keras.Input((self.width,), name="image")
        hidden = layers.Dense(32, activation="relu", name="encode_hidden")(image)
        code = layers.Dense(self.code, name="code")(hidden)
        hidden = layers.Dense(32, activation="relu", name="decode_hidden")(code)
        restored = layers.Dense(self.width, activation="sigmoid", name="restored")(hidden)
        self.full = keras.Model(image, restored, name="autoencoder")
        self.encoder = keras.Model(image, code, name="encoder")

    def decoder(self):
        code = keras.Input((self.code,), name="code_in")
        restored = self.full.get_layer("restored").output
        return keras.Model(code, restored, name="decoder")  # why: TW305


def sample(autoencoder, count):
    decoder = autoencoder.decoder()
    codes = np.random.default_rng(0).normal(size=(count, autoencoder.code))
    return decoder.predict(codes, verbose=0)


x = np.random.default_rng(1).uniform(size=(64, 20)).astype("float32")
autoencoder = Autoencoder(20, 4)
autoencoder.full.compile("adam", "mse")
autoencoder.full.fit(x, x, epochs=1, verbose=0)
print(sample(autoencoder, 5).shape)
