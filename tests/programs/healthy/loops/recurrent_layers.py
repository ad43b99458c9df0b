"""Recurrent layers and hand-written recurrences, trained."""

import tensorflow as tf


class Recurrence(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.cell = tf.keras.layers.SimpleRNNCell(width)

    def build(self, shape):
        self.cell.build((None, shape[-1]))

    def call(self, x):
        steps = tf.shape(x)[1]

        def advance(step, state, outputs):
            state, _ = self.cell(x[:, step], [state])
            return step + 1, state, outputs.write(step, state)

        state = tf.zeros([tf.shape(x)[0], self.cell.units])
        outputs = tf.TensorArray(tf.float32, size=steps, element_shape=[None, self.cell.units])
        _, _, outputs = tf.while_loop(lambda step, *_: step < steps, advance, [0, state, outputs])
        result = tf.transpose(outputs.stack(), [1, 0, 2])
        result.set_shape([None, None, self.cell.units])
        return result


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.recurrence = Recurrence(4)
        self.lstm = tf.keras.layers.LSTM(3, return_sequences=True)
        self.gru = tf.keras.layers.Bidirectional(tf.keras.layers.GRU(2))
        self.readout = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.readout(self.gru(self.lstm(self.recurrence(x))))


net = Net()
net.compile("sgd", "mse")
net.fit(tf.random.normal([8, 5, 3]), tf.zeros([8, 1]), epochs=2, verbose=0)
print(net.predict(tf.zeros([2, 5, 3]), verbose=0).shape)
