# A decoder is cut out of an autoencoder: its layers are called again on an Input of its own.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class Autoencoder:
    def __init__(self, width, code):
        self.decode_layers = [layers.Dense(8, activation="relu"), layers.Dense(width, activation="sigmoid")]
        image = keras.Input((width,))
        hidden = layers.Dense(8, activation="relu")(image)
        self.code = layers.Dense(code, name="code")(hidden)
        self.full = keras.Model(image, self.decode(self.code))
        self.encoder = keras.Model(image, self.code)
        latent = keras.Input((code,))
        self.decoder = keras.Model(latent, self.decode(latent))

    def decode(self, x):
        for layer in self.decode_layers:
            x = layer(x)
        return x


x = np.random.default_rng(0).uniform(size=(32, 10)).astype("float32")
autoencoder = Autoencoder(10, 3)
autoencoder.full.compile("adam", "mse")
autoencoder.full.fit(x, x, epochs=1, verbose=0)
codes = autoencoder.encoder.predict(x, verbose=0)
print(np.allclose(autoencoder.decoder.predict(codes, verbose=0), autoencoder.full.predict(x, verbose=0), atol=1e-5))
