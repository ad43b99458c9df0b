import tensorflow as tf

generator = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(4)])
critic = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(1e-3)


def gradient_penalty(real, fake):
    mix = tf.random.uniform([real.shape[0], 1])
    between = mix * real + (1.0 - mix) * fake  # why: TW101
    with tf.GradientTape() as tape:
        score = critic(between)
    slope = tape.gradient(score, [between])[0]
    return tf.reduce_mean(tf.square(tf.norm(slope, axis=1) - 1.0))


def train_critic(real):
    with tf.GradientTape() as tape:
        fake = generator(tf.random.normal([real.shape[0], 2]))
        loss = tf.reduce_mean(critic(fake) - critic(real)) + 10.0 * gradient_penalty(real, fake)
    optimizer.apply_gradients(zip(tape.gradient(loss, critic.trainable_variables), critic.trainable_variables))


train_critic(tf.random.normal([6, 4]))
