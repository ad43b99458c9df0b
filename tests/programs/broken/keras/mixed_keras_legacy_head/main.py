# requires: keras3, tf_keras
# The backbone was ported to Keras 3, the head's module still imports the legacy package.
import numpy as np
from head import classification_head
from tensorflow import keras


def backbone(size):
    image = keras.Input((size, size, 1))
    x = keras.layers.Conv2D(4, 3, activation="relu")(image)
    return keras.Model(image, keras.layers.GlobalMaxPooling2D()(x))


base = backbone(10)
base.trainable = False
outputs = classification_head(base.output, classes=3)
model = keras.Model(base.input, outputs)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.zeros((4, 10, 10, 1)), np.zeros(4), verbose=0)
