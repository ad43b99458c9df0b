# Both inputs are given to the model.
from tensorflow import keras

image = keras.Input((8,), name="image")
text = keras.Input((5,), name="text")
joined = keras.layers.Concatenate()([image, text])
hidden = keras.layers.Dense(4, activation="relu")(joined)
score = keras.layers.Dense(1)(hidden)

model = keras.Model(inputs=[image, text], outputs=score)
assert len(model.inputs) == 2
