import tensorflow as tf


class Augment:
    def flip(self, image):
        return tf.image.flip_left_right(image)

    def posterize(self, image):
        return tf.cast(image * 15.0, tf.int32) * 16  # why: TW504

    def noise(self, image):
        return image + tf.random.normal(tf.shape(image), stddev=0.05)

    def __call__(self, image):
        choice = tf.random.uniform([], 0, 3, tf.int32)
        branches = [lambda: self.flip(image), lambda: self.posterize(image), lambda: self.noise(image)]
        return tf.switch_case(choice, branches)
