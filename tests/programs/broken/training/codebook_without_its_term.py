"""A straight-through codebook in `fit`, without a term of the loss for its codes."""

import tensorflow as tf

tf.random.set_seed(0)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.enc = tf.keras.layers.Dense(4)
        self.dec = tf.keras.layers.Dense(6)
    def build(self, shape):
        self.codebook = self.add_weight(name="codebook", shape=(8, 4), initializer="random_normal")
        self.enc.build(shape)
        self.dec.build((None, 4))
    def call(self, x):
        z = self.enc(x)
        d = tf.reduce_sum((z[:, None] - self.codebook[None]) ** 2, -1)
        q = tf.gather(self.codebook, tf.argmin(d, -1))
        return self.dec(z + tf.stop_gradient(q - z))  # why: TW104


net = Net()
net.compile("adam", "mse")
x = tf.random.normal([64, 6])
net.fit(x, x, epochs=2, verbose=0)
