import tensorflow as tf

net = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-3)


def burgers_loss(x, t):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, t])
        u = net(tf.concat([x, t], axis=1))
    u_x = tape.gradient(u, x)  # why: TW102
    u_t = tape.gradient(u, t)
    u_xx = tape.gradient(u_x, x)
    return tf.reduce_mean(tf.square(u_t + u * u_x - 0.01 * u_xx))


points = tf.random.uniform([8, 1]), tf.random.uniform([8, 1])
with tf.GradientTape() as outer:
    loss = burgers_loss(*points)
optimizer.apply_gradients(zip(outer.gradient(loss, net.trainable_variables), net.trainable_variables))
