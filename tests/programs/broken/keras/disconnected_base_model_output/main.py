# Augmentation is put before a backbone, whose own output is used instead of calling it.
from backbone import backbone
from tensorflow import keras

inputs = keras.Input((16, 16, 3), name="photo")
scaled = keras.layers.Rescaling(1.0 / 255)(inputs)
base = backbone()
features = keras.layers.GlobalAveragePooling2D()(base.output)
outputs = keras.layers.Dense(4, activation="softmax")(features)
model = keras.Model(inputs, outputs)  # why: TW305
