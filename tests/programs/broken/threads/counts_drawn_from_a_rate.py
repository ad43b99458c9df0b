import tensorflow as tf

rate_net = tf.keras.Sequential(
    [tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1, activation="softplus")]
)
optimizer = tf.keras.optimizers.Adam()


def simulate(x):
    rate = rate_net(x)
    return tf.random.poisson([], rate)  # why: TW106


@tf.function
def fit_once(x, observed):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(simulate(x) - observed))
    gradients = tape.gradient(loss, rate_net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, rate_net.trainable_variables))


fit_once(tf.random.normal([6, 2]), tf.constant([[1.0], [2.0], [0.0], [3.0], [1.0], [1.0]]))
