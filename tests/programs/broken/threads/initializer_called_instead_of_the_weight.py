import tensorflow as tf


class Noisy(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.start = tf.keras.initializers.GlorotUniform(seed=1)

    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], self.units))  # why: TW115
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")

    def call(self, x):
        kernel = self.start((x.shape[-1], self.units))
        return tf.matmul(x, kernel) + self.bias


model = tf.keras.Sequential([tf.keras.Input((4,)), Noisy(5), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.random.normal([10, 4]), tf.random.normal([10, 1]), epochs=1, verbose=0)
