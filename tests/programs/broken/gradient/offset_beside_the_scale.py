"""Two numbers are fitted; the model forgets one of them, and neither has a name of its own."""

import tensorflow as tf


class Line:
    def __init__(self):
        self.scale = tf.Variable(1.0)
        self.offset = tf.Variable(0.0)  # why: TW115

    def __call__(self, x):
        return self.scale * x


line = Line()
x = tf.linspace(0.0, 1.0, 8)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line(x) - 2.0 * x - 1.0))
    slope, shift = tape.gradient(loss, [line.scale, line.offset])
    line.scale.assign_sub(0.1 * slope)
    line.offset.assign_sub(0.1 * shift)
