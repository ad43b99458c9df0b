# requires: keras3
# An attention block written for Keras 2 is used with Keras 3.
from blocks import attention_pooling
from tensorflow import keras

tokens = keras.Input((20,), dtype="int32")
embedded = keras.layers.Embedding(100, 16)(tokens)
encoded = keras.layers.Bidirectional(keras.layers.LSTM(8, return_sequences=True))(embedded)
pooled = attention_pooling(encoded, units=8)
outputs = keras.layers.Dense(1, activation="sigmoid")(pooled)
model = keras.Model(tokens, outputs)
