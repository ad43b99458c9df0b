import tensorflow as tf

painter = tf.keras.Sequential([tf.keras.layers.Dense(48, activation="sigmoid"), tf.keras.layers.Reshape((4, 4, 3))])
judge = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def as_picture(x):
    x = tf.clip_by_value(x, 0.0, 1.0)
    picture = tf.image.convert_image_dtype(x, tf.uint8)  # why: TW105
    return tf.cast(picture, tf.float32) / 255.0


with tf.GradientTape() as tape:
    painted = painter(tf.random.normal([2, 5]))
    loss = -tf.reduce_mean(judge(as_picture(painted)))
gradients = tape.gradient(loss, painter.trainable_variables)
optimizer.apply_gradients(zip(gradients, painter.trainable_variables))
