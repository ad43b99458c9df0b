"""A layer whose factors are all variables of TensorFlow's own: the model knows no weight, and nothing is trained."""

# requires: keras3
import numpy as np
import tensorflow as tf


class Factors(tf.keras.layers.Layer):
    def __init__(self, depth):
        super().__init__()
        self.depth = depth
        self.make(depth)

    def make(self, depth):
        self.first = tf.Variable(1.0, name="first")  # why: TW601
        self.rest = []
        for i in range(depth):
            self.rest.append(tf.Variable(float(i + 1), name=f"factor{i}"))  # why: TW601

    def call(self, x):
        products = [x * self.first]
        for i in range(self.depth):
            products.append(products[-1] * self.rest[i])
        return products[-1]


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.factors = Factors(3)

    def call(self, x):
        return self.factors(x)


net = Net()
net.compile(optimizer=tf.keras.optimizers.SGD(1e-3), loss="mse")
x = np.random.rand(16, 1).astype("float32")
net.fit(x, 3 * x, epochs=2, verbose=0)
print([v.name for v in net.trainable_variables])
