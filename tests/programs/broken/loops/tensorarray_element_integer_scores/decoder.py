import tensorflow as tf


def best(logits):
    token = tf.argmax(logits, output_type=tf.int32)
    return token, tf.reduce_max(tf.nn.log_softmax(logits))


@tf.function
def greedy(table, start, steps):
    tokens = tf.TensorArray(tf.int32, size=steps)
    scores = tf.TensorArray(tf.int32, size=steps)  # why: TW506
    token = start
    for step in tf.range(steps):
        token, score = best(table[token])
        tokens = tokens.write(step, token)
        scores = scores.write(step, score)
    return tokens.stack(), scores.stack()
