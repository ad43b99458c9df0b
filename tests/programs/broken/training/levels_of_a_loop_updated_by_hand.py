import numpy as np
import tensorflow as tf

first = tf.keras.layers.Dense(6)
head = tf.keras.layers.Dense(4)


def forward(frames):
    steps = int(frames.shape[1])
    outputs = tf.TensorArray(tf.float32, size=steps)

    def body(index, array):
        hidden = tf.nn.relu(first(frames[:, index]))
        levels = tf.cast(hidden * 16, tf.int32)  # why: TW203
        return index + 1, array.write(index, tf.cast(levels, tf.float32) / 16)

    _, outputs = tf.while_loop(lambda index, _: index < steps, body, (0, outputs))
    return tf.reshape(tf.transpose(outputs.stack(), (1, 0, 2)), (-1, steps * 6))


@tf.function
def step(frames, labels):
    with tf.GradientTape() as tape:
        logits = head(forward(frames))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    variables = first.trainable_variables + head.trainable_variables
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(0.1 * gradient)
    return loss


frames = tf.constant(np.random.rand(4, 5, 3), tf.float32)
first.build((4, 3))
head.build((4, 30))
for _ in range(3):
    print(float(step(frames, tf.range(4))))
