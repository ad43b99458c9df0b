import tensorflow as tf

painter = tf.keras.Sequential([tf.keras.layers.Dense(27, activation="sigmoid"), tf.keras.layers.Reshape((3, 3, 3))])
judge = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def augment(images):
    images = tf.image.adjust_brightness(images, 0.1)
    return tf.image.adjust_hue(images, 0.05)  # why: TW106


@tf.function
def step(noise):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(judge(augment(painter(noise))))
    gradients = tape.gradient(loss, painter.trainable_variables)
    optimizer.apply_gradients(zip(gradients, painter.trainable_variables))


step(tf.random.normal([2, 4]))
