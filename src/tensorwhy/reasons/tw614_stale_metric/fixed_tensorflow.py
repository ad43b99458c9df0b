"""The metric is reset before each pass over the data."""
import tensorflow as tf

seen = tf.keras.metrics.Mean()
data = tf.data.Dataset.from_tensor_slices(tf.random.normal((32, 4))).batch(8)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)


def one_pass():
    for x in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - x[:, :1]) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        seen.update_state(loss)
    return float(seen.result())


for epoch in range(3):
    seen.reset_state()
    print(one_pass())
assert float(seen.count) == 4.0
