# Images of different size are resized in a loop and collected in a list.
import tensorflow as tf


class Levels:
    def __init__(self):
        self.means = []

    def add(self, image):
        self.means.append(tf.reduce_mean(image))  # why: TW505

    def together(self):
        return tf.stack(self.means)


class Pyramid:
    def __init__(self, smallest):
        self.smallest = smallest

    def level(self, image, size):
        size = tf.maximum(size, self.smallest)
        return tf.image.resize(image, [size, size])

    @tf.function
    def build(self, image, sizes):
        levels = Levels()
        for size in sizes:
            levels.add(self.level(image, size))
        return levels.together()


pyramid = Pyramid(2)
print(pyramid.build(tf.random.uniform([16, 16, 3]), tf.constant([16, 8, 4])))
