# Images of different size are resized in a loop and collected in a list.
import tensorflow as tf


class Pyramid:
    def __init__(self, smallest):
        self.smallest = smallest

    def level(self, image, size):
        return tf.image.resize(image, [size, size])

    @tf.function
    def build(self, image, sizes):
        levels = []
        for size in sizes:
            small = self.level(image, size)
            levels.append(tf.reduce_mean(small))  # why: TW505
        return tf.stack(levels)


pyramid = Pyramid(2)
print(pyramid.build(tf.random.uniform([16, 16, 3]), tf.constant([16, 8, 4])))
