# A callback reads the activations of a layer at the end of each epoch.
import numpy as np
from tensorflow import keras


class Activations(keras.callbacks.Callback):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def on_epoch_end(self, epoch, logs=None):
        values = self.layer.output.numpy()  # why: TW303
        print(epoch, values.mean())


inputs = keras.Input((4,))
hidden = keras.layers.Dense(3, name="hidden")(inputs)
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
model.compile("sgd", "mse")
data = np.ones((8, 4), "float32")
model.fit(data, data[:, :1], verbose=0, callbacks=[Activations(model.get_layer("hidden"))])
