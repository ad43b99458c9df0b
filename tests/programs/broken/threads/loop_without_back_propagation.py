import tensorflow as tf

cell = tf.keras.layers.GRUCell(4)
readout = tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.Adam()
cell.build((None, 3))
readout.build((None, 4))


@tf.function
def train(sequence, target):
    with tf.GradientTape() as tape:
        state = tf.zeros([tf.shape(sequence)[0], 4])

        def body(i, state):
            output, _ = cell(sequence[:, i], [state])
            return i + 1, output

        _, state = tf.while_loop(  # why: TW104
            lambda i, state: i < 5, body, [tf.constant(0), state], back_prop=False
        )
        loss = tf.reduce_mean(tf.square(readout(state) - target))
    variables = cell.trainable_variables + readout.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


train(tf.random.normal([4, 5, 3]), tf.random.normal([4, 1]))
