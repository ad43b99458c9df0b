import tensorflow as tf

total = tf.constant(0.0)


@tf.function
def accumulate(values):
    global total
    for value in values:
        total = total + value  # why: TW403
    return tf.size(values)


accumulate(tf.constant([1.0, 2.0, 3.0]))
print("total", total.numpy())
