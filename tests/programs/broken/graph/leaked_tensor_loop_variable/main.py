import tensorflow as tf


class Solver(tf.Module):
    def __init__(self):
        self.residual = None

    def body(self, i, x):
        self.residual = x * x - 2.0  # why: TW403
        return i + 1, x - self.residual / (2.0 * x)

    @tf.function
    def solve(self, x):
        _, root = tf.while_loop(lambda i, x: i < 5, self.body, [tf.constant(0), x])
        return root, tf.abs(self.residual)


solver = Solver()
print(solver.solve(tf.constant(1.0)))
