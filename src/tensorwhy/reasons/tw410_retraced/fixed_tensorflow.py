"""A learning rate that falls with the epoch, which is passed as a tensor."""

import tensorflow as tf

weights = [tf.Variable(tf.random.normal([8, 8])) for _ in range(12)]
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function
def train_step(x, epoch):
    with tf.GradientTape() as tape:
        y = x
        for weight in weights:
            y = tf.tanh(y @ weight)
        loss = tf.reduce_mean(tf.square(y - x)) / (1.0 + epoch)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


data = tf.random.normal([32, 8])
for epoch in range(30):
    for batch in tf.split(data, 2):
        loss = train_step(batch, tf.constant(epoch, tf.float32))
    print(epoch, float(loss))
assert train_step.experimental_get_tracing_count() <= 2
