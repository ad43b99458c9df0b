# One branch of an Inception block is a layer and not what it gives.
import numpy as np
from inception import Inception
from tensorflow import keras

image = keras.Input((16, 16, 3))
x = keras.layers.Conv2D(8, 3, padding="same", activation="relu")(image)
x = Inception(4, 6)(x)
x = Inception(6, 8)(x)
x = keras.layers.GlobalAveragePooling2D()(x)
model = keras.Model(image, keras.layers.Dense(5, activation="softmax")(x))
print(model.predict(np.zeros((2, 16, 16, 3)), verbose=0).shape)
