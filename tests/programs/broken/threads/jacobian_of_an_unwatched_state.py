import tensorflow as tf

dynamics = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(3)])


def linearise(state, control):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(control)
        following = dynamics(tf.concat([state, control], axis=1))
    a = tape.batch_jacobian(following, state)
    b = tape.batch_jacobian(following, control)
    return a, b


state = tf.random.normal([2, 3])  # why: TW101
a, b = linearise(state, tf.random.normal([2, 1]))
print(tf.linalg.eigvals(a[0]))
