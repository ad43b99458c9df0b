# requires: keras3
# run: subprocess
# tf_keras: one of two inputs is forgotten.
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
from tensorflow import keras


def tower(name):
    inputs = keras.Input((4,), name=name)
    return inputs, keras.layers.Dense(4)(inputs)


users, user_vector = tower("users")
items, item_vector = tower("items")
score = keras.layers.Dot(axes=1)([user_vector, item_vector])
model = keras.Model(users, score)  # why: TW305
