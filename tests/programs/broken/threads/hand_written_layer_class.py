# requires: keras3
import tensorflow as tf


class Base:
    def __init__(self, name):
        self.name, self.vars = name, {}

    def __call__(self, inputs):
        with tf.name_scope(self.name):
            return self._call(inputs)


class Dense(Base):
    def __init__(self, size, units, name):
        super().__init__(name)
        self.vars["weights"] = tf.Variable(tf.random.normal([size, units]))

    def _call(self, inputs):
        return tf.nn.relu(tf.matmul(inputs, self.vars["weights"]))  # why: TW302


features = tf.keras.Input((10,))
hidden = Dense(10, 4, "hidden")(features)
model = tf.keras.Model(features, tf.keras.layers.Dense(1)(hidden))
