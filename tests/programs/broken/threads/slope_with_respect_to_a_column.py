import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-3)


def residual(points):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(points)
        u = net(points)
    x = points[:, 0:1]  # why: TW115
    t = points[:, 1:2]  # why: TW115
    u_x = tape.gradient(u, x)
    u_t = tape.gradient(u, t)
    return u_t + u * u_x


points = tf.random.uniform([20, 2])
with tf.GradientTape() as outer:
    loss = tf.reduce_mean(tf.square(residual(points)))
grads = outer.gradient(loss, net.trainable_variables)
optimizer.apply_gradients(zip(grads, net.trainable_variables))
