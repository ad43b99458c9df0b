# A layer owns the temperature and gives the scaled logits.
from tensorflow import keras


class Temperature(keras.layers.Layer):
    def build(self, input_shape):
        self.temperature = self.add_weight(shape=(), initializer="ones", name="temperature")

    def call(self, logits):
        return logits / self.temperature


inputs = keras.Input((4,))
logits = keras.layers.Dense(3)(inputs)
model = keras.Model(inputs, [logits, Temperature()(logits)])
assert any("temperature" in weight.name for weight in model.trainable_variables)
