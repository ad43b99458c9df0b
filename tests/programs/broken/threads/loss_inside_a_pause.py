import tensorflow as tf

teacher = tf.keras.layers.Dense(4)
student = tf.keras.layers.Dense(4)
optimizer = tf.keras.optimizers.Adam(0.01)
x = tf.random.normal([10, 6])
teacher(x), student(x)
for step in range(2):
    with tf.GradientTape() as tape:
        guess = student(x)
        with tape.stop_recording():
            wanted = teacher(x)
            loss = tf.reduce_mean(tf.square(guess - wanted))  # why: TW103
    gradients = tape.gradient(loss, student.trainable_variables)
    optimizer.apply_gradients(zip(gradients, student.trainable_variables))
