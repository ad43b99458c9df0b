# A layer owns the scale, and it is trained.
import numpy as np
from tensorflow import keras


class Scale(keras.layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight(shape=(), initializer=keras.initializers.Constant(0.5), name="scale")

    def call(self, x):
        return x * self.scale


scale = Scale()
model = keras.Sequential([keras.layers.Dense(8, activation="relu"), scale, keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")

features = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model.fit(features, features.sum(axis=1, keepdims=True), epochs=2, verbose=0)
assert float(np.asarray(scale.get_weights()[0])) != 0.5
