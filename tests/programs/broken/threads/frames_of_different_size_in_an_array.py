import tensorflow as tf


class Pyramid:
    def __init__(self, levels, smallest=4):
        self.levels = levels
        self.largest = smallest * 2 ** (levels - 1)

    def side(self, level):
        return self.largest // (2**level)

    def put(self, array, level, image):
        side = self.side(level)
        return array.write(level, tf.image.resize(image, [side, side]))  # why: TW506

    @tf.function
    def __call__(self, image):
        array = tf.TensorArray(tf.float32, size=self.levels)
        for level in range(self.levels):
            array = self.put(array, level, image)
        return array.stack()


pyramid = Pyramid(3)
print(pyramid(tf.random.uniform([16, 16, 3])).shape)
