# requires: keras2
# Grad-CAM as it was written before TensorFlow 2.
import numpy as np
from gradcam import heatmap
from tensorflow import keras

inputs = keras.Input((8, 8, 1))
x = keras.layers.Conv2D(4, 3, activation="relu", name="last_conv")(inputs)
outputs = keras.layers.Dense(3, activation="softmax")(keras.layers.GlobalAveragePooling2D()(x))
model = keras.Model(inputs, outputs)
print(heatmap(model, np.zeros((1, 8, 8, 1)), 2, "last_conv").shape)
