import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
error = tf.keras.metrics.MeanSquaredError()
x, y = tf.random.normal([16, 3]), tf.random.normal([16, 1])
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = error(y, model(x))  # why: TW113
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
