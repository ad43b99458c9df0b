import tensorflow as tf

painter = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="sigmoid")])
reference = tf.random.uniform([1, 32])
optimizer = tf.keras.optimizers.Adam(0.01)


def histogram(values):
    return tf.cast(tf.histogram_fixed_width(values, [0.0, 1.0], nbins=8), tf.float32)  # why: TW106


with tf.GradientTape() as tape:
    painted = painter(tf.random.normal([1, 4]))
    loss = tf.reduce_mean(tf.square(histogram(painted) - histogram(reference)))
gradients = tape.gradient(loss, painter.trainable_variables)
optimizer.apply_gradients(zip(gradients, painter.trainable_variables))
