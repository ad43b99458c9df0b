# A helper makes a saliency model of any model; a subclassed one has no symbolic input.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Tagger(keras.Model):
    def __init__(self, tags):
        super().__init__()
        self.embed = keras.layers.Embedding(20, 4)
        self.encode = keras.layers.LSTM(4)
        self.tags = keras.layers.Dense(tags, activation="softmax")

    def call(self, tokens):
        return self.tags(self.encode(self.embed(tokens)))


class Inspector:
    def __init__(self, model):
        self.model = model

    def embeddings(self):
        first = self.model.input  # why: TW308
        return keras.Model(first, self.model.embed(first))


tagger = Tagger(3)
tagger.compile("sgd", "sparse_categorical_crossentropy")
tagger.fit(np.ones((4, 5)), np.zeros((4,)), verbose=0)
print(tf.shape(tagger(np.ones((1, 5)))).numpy())
Inspector(tagger).embeddings()
