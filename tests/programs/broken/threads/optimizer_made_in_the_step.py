import tensorflow as tf

weights = tf.Variable([1.0, 2.0, 3.0], name="weights")


def loss_of(batch):
    return -tf.reduce_mean(tf.math.log(tf.nn.softmax(weights)) * batch)


@tf.function
def step(batch):
    optimizer = tf.keras.optimizers.Adam(0.5)  # why: TW408
    with tf.GradientTape() as tape:
        loss = loss_of(batch)
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
    return loss


for batch in tf.data.Dataset.from_tensor_slices(tf.random.uniform([6, 3])).batch(3):
    step(batch)
