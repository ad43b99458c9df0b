"""A variable outside of the model, read by a traced function; and a Lambda layer around one, which is never trained."""

import tensorflow as tf

offset = tf.Variable(10.0)
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])


@tf.function
def shifted(inputs):
    return model(inputs) + offset


print(shifted(tf.ones((2, 4))).shape)
offset.assign(20.0)
print(float(tf.reduce_mean(shifted(tf.zeros((2, 4))))))

later = tf.keras.Sequential([tf.keras.layers.Dense(10, use_bias=False), tf.keras.layers.Dense(10)])
later.add(tf.keras.layers.Lambda(lambda x: x + offset))
print(len(later.layers))
