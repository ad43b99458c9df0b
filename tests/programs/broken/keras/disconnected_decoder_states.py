# Inference model of a sequence-to-sequence network: the states are made, and left out of the inputs.
from tensorflow import keras

UNITS = 8


class Translator:
    def __init__(self):
        self.decoder = keras.layers.LSTM(UNITS, return_sequences=True, return_state=True)
        self.project = keras.layers.Dense(12, activation="softmax")

    def training_model(self):
        source = keras.Input((None, 5))
        target = keras.Input((None, 12))
        _, h, c = keras.layers.LSTM(UNITS, return_state=True)(source)
        decoded, _, _ = self.decoder(target, initial_state=[h, c])
        return keras.Model([source, target], self.project(decoded))

    def inference_model(self):
        target = keras.Input((None, 12), name="target")
        state_h = keras.Input((UNITS,), name="state_h")
        state_c = keras.Input((UNITS,), name="state_c")
        decoded, h, c = self.decoder(target, initial_state=[state_h, state_c])
        return keras.Model([target], [self.project(decoded), h, c])  # why: TW305


translator = Translator()
translator.training_model()
translator.inference_model()
