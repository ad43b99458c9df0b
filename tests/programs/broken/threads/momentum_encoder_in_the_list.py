import tensorflow as tf


def make():
    return tf.keras.Sequential(
        [tf.keras.Input((6,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(4)]
    )


query, key = make(), make()
key.set_weights(query.get_weights())
optimizer = tf.keras.optimizers.SGD(0.05)


def contrast(q, k, heat=0.1):
    k = tf.stop_gradient(k)  # why: TW104
    q, k = tf.math.l2_normalize(q, 1), tf.math.l2_normalize(k, 1)
    logits = tf.matmul(q, k, transpose_b=True) / heat
    labels = tf.range(tf.shape(q)[0])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


def step(batch):
    with tf.GradientTape() as tape:
        loss = contrast(query(batch), key(batch + 0.1))
    variables = query.trainable_variables + key.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


step(tf.random.normal([8, 6]))
