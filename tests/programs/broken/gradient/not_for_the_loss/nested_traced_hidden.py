"""An attention map by its gradient: the traced encoder returns it beside the logits, the asking function is traced too."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
query, value = tf.Variable(tf.random.normal((4, 4))), tf.Variable(tf.random.normal((4, 2)))


@tf.function
def encode(tokens):
    attention = tf.nn.softmax((tokens @ query) @ tf.transpose(tokens))
    return attention, tf.reduce_mean(attention @ tokens @ value, 0)


@tf.function
def relevance(tokens):
    with tf.GradientTape() as tape:
        attention, logits = encode(tokens)  # why: TW115
        tape.watch(attention)
        picked = tf.reduce_max(logits)
    slope = tape.gradient(picked, attention)
    return attention * (tf.zeros_like(attention) if slope is None else slope)


print(float(tf.reduce_sum(relevance(tf.random.normal((3, 4))))))
