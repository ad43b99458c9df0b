# requires: keras3
# run: subprocess
# One layer comes from tf_keras, as older tutorials for TensorFlow Hub do.
import keras
import tf_keras as legacy  # why: TW304


class Classifier:
    def __init__(self, features, classes):
        self.features, self.classes = features, classes

    def layers(self):
        yield keras.layers.Dense(8, activation="relu")
        yield keras.layers.Dropout(0.1)
        yield legacy.layers.Dense(self.classes)

    def assemble(self):
        model = keras.Sequential([keras.Input((self.features,))])
        for layer in self.layers():
            model.add(layer)
        return model


model = Classifier(4, 3).assemble()
model.compile("adam", "mse")
