"""A network that should solve u'' = -sin(x): with ReLUs the second derivative is zero, and only the bounds are learned."""

import tensorflow as tf

x = tf.reshape(tf.linspace(0.0, 3.0, 32), (-1, 1))
hidden = tf.keras.layers.Dense(16, activation="relu")  # why: TW208
model = tf.keras.Sequential([tf.keras.layers.InputLayer((1,)), hidden, tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def step():
    with tf.GradientTape() as tape:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                u = model(x)
            u_x = inner.gradient(u, x)
        u_xx = outer.gradient(u_x, x)
        residual = tf.reduce_mean(tf.square(u_xx + tf.sin(x)))
        loss = residual + tf.reduce_mean(tf.square(u[0] - 0.0) + tf.square(u[-1] - tf.sin(3.0)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return residual, u_xx


for epoch in range(20):
    residual, u_xx = step()
print(float(residual), float(tf.norm(u_xx)))
