import tensorflow as tf

encoder = tf.keras.layers.LSTM(8)
classifier = tf.keras.layers.Dense(3)


def divergence(p_logits, q_logits):
    p = tf.nn.softmax(p_logits)
    return tf.reduce_sum(p * (tf.nn.log_softmax(p_logits) - tf.nn.log_softmax(q_logits)))


def adversarial_direction(embedded, clean_logits):
    noise = tf.random.uniform(tf.shape(embedded), minval=0.001, maxval=0.005)  # why: TW101
    with tf.GradientTape() as tape:
        logits = classifier(encoder(embedded + noise))
        distance = divergence(clean_logits, logits)
    gradient = tape.gradient(distance, noise)
    return tf.nn.l2_normalize(gradient, axis=-1)


embedded = tf.random.normal([4, 6, 5])
clean = tf.stop_gradient(classifier(encoder(embedded)))
print(adversarial_direction(embedded, clean))
