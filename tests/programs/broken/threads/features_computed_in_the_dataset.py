import tensorflow as tf

encoder = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(5, activation="relu")])
head = tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.Adam(0.01)


def prepare(x, y):
    return encoder(x), y  # why: TW102


x, y = tf.random.normal([24, 6]), tf.random.normal([24, 1])
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8).map(prepare)
for features, target in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(head(features) - target))
    variables = encoder.trainable_variables + head.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
