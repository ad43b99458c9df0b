import tensorflow as tf

critic = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-4)


def gradient_penalty(real, fake):
    share = tf.random.uniform([real.shape[0], 1])
    mixture = real + share * (fake - real)  # why: TW101
    with tf.GradientTape() as tape:
        score = critic(mixture, training=True)
    slope = tape.gradient(score, mixture)
    length = tf.sqrt(tf.reduce_sum(tf.square(slope), axis=1))
    return tf.reduce_mean(tf.square(length - 1.0))


@tf.function
def train_critic(real, fake):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * gradient_penalty(real, fake)
    optimizer.apply_gradients(zip(tape.gradient(loss, critic.trainable_variables), critic.trainable_variables))


train_critic(tf.random.normal([6, 3]), tf.random.normal([6, 3]))
