# A transfer-learning script: the backbone is prepared in another file, and called there on a sample.
import backbone
from tensorflow import keras

inputs = keras.Input((16, 16, 3), name="image")
features = backbone.features()
pooled = keras.layers.GlobalAveragePooling2D()(features)
scores = keras.layers.Dense(5, activation="softmax", name="scores")(pooled)  # why: TW301

model = keras.Model(inputs=inputs, outputs=scores)
model.compile("adam", "sparse_categorical_crossentropy")
