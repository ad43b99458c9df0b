"""What is lost in a function that `vectorized_map` maps is told where the function loses it, eagerly and traced."""

import tensorflow as tf

scale = tf.Variable([1.0, 2.0], name="scale")
offset = tf.Variable([0.5, 0.5], name="offset")
rows = tf.random.normal([5, 2])


def normalised(values):
    largest = tf.stop_gradient(tf.reduce_max(values))
    return values / largest


def energy(row):
    kept = tf.stop_gradient(normalised(scale * row))  # why: TW104
    return tf.reduce_sum(kept**2)


def counted(row):
    whole = tf.cast(offset * row, tf.int32)  # why: TW105
    return tf.reduce_sum(tf.cast(whole, tf.float32))


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.vectorized_map(energy, rows))
print(tape.gradient(loss, scale))


@tf.function
def slope():
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(tf.vectorized_map(lambda row: counted(row), rows))
    return tape.gradient(total, offset)


print(slope())
