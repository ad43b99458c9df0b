import tensorflow as tf

embedding = tf.keras.layers.Embedding(30, 8)
rnn = tf.keras.layers.GRU(8)
head = tf.keras.layers.Dense(30)


@tf.function
def generate(prompt, length):
    text = prompt
    for _ in tf.range(length):
        logits = head(rnn(embedding(text)))
        token = tf.argmax(logits, axis=-1, output_type=tf.int32)
        text = tf.concat([text, token[:, None]], axis=1)  # why: TW503
    return text


print(generate(tf.constant([[3, 4]]), tf.constant(5)))
