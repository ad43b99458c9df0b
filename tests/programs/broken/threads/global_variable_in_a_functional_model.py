# requires: keras3
import tensorflow as tf

scale = tf.Variable(1.0, name="scale")  # why: TW601


def rescaled_block(x, units):
    y = tf.keras.layers.Dense(units, activation="relu")(x)
    return scale * y


inputs = tf.keras.Input((8,))
x = rescaled_block(inputs, 8)
x = rescaled_block(x, 8)
model = tf.keras.Model(inputs, tf.keras.layers.Add()([inputs, x]))
model.compile("adam", "mse")
model.fit(tf.ones([8, 8]), tf.ones([8, 8]), verbose=0)
