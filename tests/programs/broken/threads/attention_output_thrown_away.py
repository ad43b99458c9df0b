import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.attention = tf.keras.layers.MultiHeadAttention(2, width)
        self.norm = tf.keras.layers.LayerNormalization()
        self.feed = tf.keras.layers.Dense(width, activation="relu")

    def call(self, x):
        attended = self.attention(x, x)  # why: TW115
        x = self.norm(x)
        return self.feed(x) + x


inputs = tf.keras.Input((7, 6))
x = Block(6)(inputs)
outputs = tf.keras.layers.Dense(1)(tf.keras.layers.GlobalAveragePooling1D()(x))
model = tf.keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse")
model.fit(tf.random.normal([10, 7, 6]), tf.random.normal([10, 1]), epochs=1, verbose=0)
