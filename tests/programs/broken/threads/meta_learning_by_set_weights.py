import tensorflow as tf


def make():
    return tf.keras.Sequential(
        [tf.keras.Input((1,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
    )


model, fast = make(), make()
optimizer = tf.keras.optimizers.Adam(1e-3)


def error(network, x, y):
    return tf.reduce_mean(tf.square(network(x) - y))


def meta_step(support, query, rate=0.01):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = error(model, *support)
        gradients = inner.gradient(loss, model.trainable_variables)
        for target, start, gradient in zip(fast.trainable_variables, model.trainable_variables, gradients):
            target.assign(start - rate * gradient)  # why: TW113
        meta_loss = error(fast, *query)
    meta_gradients = outer.gradient(meta_loss, model.trainable_variables)
    optimizer.apply_gradients(zip(meta_gradients, model.trainable_variables))


x = tf.random.uniform([10, 1])
meta_step((x, tf.sin(x)), (x, tf.sin(x)))
