# requires: keras3
# The attention layer gives one tensor; the recipe expected the weights as well.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class BahdanauAttention(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.query = layers.Dense(units)
        self.keys = layers.Dense(units)
        self.score = layers.Dense(1)

    def call(self, inputs):
        sequence, state = inputs
        hidden = keras.ops.tanh(self.keys(sequence) + self.query(state)[:, None, :])
        weights = keras.ops.softmax(self.score(hidden), axis=1)
        return keras.ops.sum(weights * sequence, axis=1)


def encoder(x, units):
    rnn = layers.Bidirectional(layers.LSTM(units, return_sequences=True, return_state=True))
    sequence, forward_h, forward_c, backward_h, backward_c = rnn(x)
    return sequence, layers.Concatenate()([forward_h, backward_h])


def build(steps, features):
    inputs = keras.Input((steps, features))
    sequence, state = encoder(inputs, 8)
    context, attention_weights = BahdanauAttention(16)([sequence, state])  # why: TW302
    return keras.Model(inputs, [layers.Dense(2)(context), attention_weights])


model = build(7, 3)
model.compile("adam", "mse")
model.fit(np.zeros((4, 7, 3)), np.zeros((4, 2)), verbose=0)
