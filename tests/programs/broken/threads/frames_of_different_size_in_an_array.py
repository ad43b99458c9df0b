import tensorflow as tf


@tf.function
def pyramid(image):
    levels = tf.TensorArray(tf.float32, size=3)
    for level in range(3):
        side = 16 // (2**level)
        levels = levels.write(level, tf.image.resize(image, [side, side]))  # why: TW506
    return levels.stack()


print(pyramid(tf.random.uniform([16, 16, 3])).shape)
