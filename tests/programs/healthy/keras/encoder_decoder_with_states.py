# An LSTM gives its states on to a decoder; at inference the decoder is built again on state inputs of its own.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

SYMBOLS, UNITS = 12, 8


class Translator:
    def __init__(self):
        self.encoder = layers.LSTM(UNITS, return_state=True)
        self.decoder = layers.LSTM(UNITS, return_sequences=True, return_state=True)
        self.head = layers.Dense(SYMBOLS, activation="softmax")
        self.source = keras.Input((None, SYMBOLS))
        _, *self.states = self.encoder(self.source)

    def training(self):
        target = keras.Input((None, SYMBOLS))
        x, _, _ = self.decoder(target, initial_state=self.states)
        return keras.Model([self.source, target], self.head(x))

    def inference(self):
        target = keras.Input((None, SYMBOLS))
        given = [keras.Input((UNITS,)), keras.Input((UNITS,))]
        x, *states = self.decoder(target, initial_state=given)
        return keras.Model(self.source, self.states), keras.Model([target, *given], [self.head(x), *states])


rng = np.random.default_rng(0)
x = np.eye(SYMBOLS)[rng.integers(0, SYMBOLS, size=(8, 5))].astype("float32")
translator = Translator()
model = translator.training()
model.compile("rmsprop", "categorical_crossentropy")
model.fit([x, x], x, epochs=1, verbose=0)
encode, decode = translator.inference()
states = encode.predict(x[:1], verbose=0)
symbol = np.zeros((1, 1, SYMBOLS), "float32")
for _ in range(3):
    probabilities, *states = decode.predict([symbol, *states], verbose=0)
print(probabilities.shape)
