import tensorflow as tf


class Reader(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.cell = tf.keras.layers.SimpleRNNCell(4)
        self.out = tf.keras.layers.Dense(1)
        self.memory = tf.Variable(tf.zeros([3, 4]), trainable=False)

    def call(self, chunk):
        for i in range(chunk.shape[1]):
            new, _ = self.cell(chunk[:, i], [self.memory])
            self.memory.assign(new)  # why: TW113
        return self.out(self.memory)


reader = Reader()
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(reader(tf.random.normal([3, 4, 2])) - 1.0))
    gradients = tape.gradient(loss, reader.trainable_variables)
    optimizer.apply_gradients(zip(gradients, reader.trainable_variables))
