"""A recurrent layer by hand: the loop over time steps runs in a graph and starts from a scalar."""
import tensorflow as tf


class Cell(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.w = tf.Variable(tf.random.normal((3, width)))
        self.u = tf.Variable(tf.random.normal((width, width)))

    def __call__(self, x, h):
        return tf.tanh(x @ self.w + h @ self.u)


class RNN(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = Cell(width)
        self.width = width

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3])])
    def __call__(self, x):
        h = tf.zeros((1, self.width))
        outputs = []
        for t in tf.range(tf.shape(x)[1]):
            h = self.cell(x[:, t], h)  # why: TW503
            outputs.append(h)
        return tf.stack(outputs, axis=1)


def main():
    rnn = RNN(4)
    print(rnn(tf.random.normal((2, 6, 3))).shape)


main()
