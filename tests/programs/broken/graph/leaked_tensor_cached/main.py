import tensorflow as tf
from encoding import encode

attention = tf.keras.layers.Dense(8)
attention.build([None, 4, 8])


@tf.function
def train_step(x):
    return tf.reduce_mean(attention(encode(x)))


@tf.function
def predict(x):
    return attention(encode(x))


batch = tf.random.normal([2, 4, 8])
train_step(batch)
print(predict(batch).shape)
