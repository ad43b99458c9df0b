"""A "pointer" learns where to read: the position is cast to an integer and used as an index, so its gradient is None.

Reading with weights that fall off with the distance from the position gives one.
"""

import tensorflow as tf

memory = tf.constant([[0.0], [1.0], [4.0], [9.0], [16.0]])
pointer = tf.Variable(1.3, name="pointer")


def read(position):
    index = tf.cast(position, tf.int32)  # why: TW105
    return tf.gather(memory, index)[0]  # why: TW108


def soft_read(position):
    distance = tf.range(5, dtype=tf.float32) - position
    weights = tf.nn.softmax(-(distance**2))
    return tf.reduce_sum(weights[:, None] * memory)


optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(5):
    with tf.GradientTape() as tape:
        loss = (read(pointer) - 9.0) ** 2
    gradient = tape.gradient(loss, pointer)
    optimizer.apply_gradients([(gradient, pointer)])
    print(step, float(loss), float(pointer), float(soft_read(pointer)))
