"""Metrics of a loop: a running average within a pass, one that is reset, and one over several passes on purpose."""
import tensorflow as tf

seen, recent, whole = tf.keras.metrics.Mean(), tf.keras.metrics.Mean(), tf.keras.metrics.Mean()
data = tf.data.Dataset.from_tensor_slices(tf.random.normal((32, 4))).batch(8)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)

for epoch in range(3):
    for number, x in enumerate(data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - x[:, :1]) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        seen.update_state(loss)
        recent.update_state(loss)
        print(epoch, number, float(recent.result()))
    print(float(seen.result()))
    seen.reset_state()
    recent.reset_state()
for noise in (0.0, 0.1, 0.2):
    for x in data:
        whole.update_state(model(x + noise))
print(float(whole.result()))
