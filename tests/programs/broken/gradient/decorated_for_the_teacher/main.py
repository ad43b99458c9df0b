"""Self-distillation: the encoder is decorated once, for the teacher's sake, and both use it."""

import numpy as np
import tensorflow as tf

from encoders import Encoder

tf.keras.utils.set_random_seed(44)
student, teacher = Encoder(8), Encoder(8)
predictor = tf.keras.layers.Dense(8)
optimizer = tf.keras.optimizers.Adam(1e-3)
rng = np.random.default_rng(44)


def similarity_loss(a, b):
    a, b = tf.math.l2_normalize(a, -1), tf.math.l2_normalize(b, -1)
    return 2 - 2 * tf.reduce_mean(tf.reduce_sum(a * b, axis=-1))


@tf.function
def step(one, two):
    with tf.GradientTape() as tape:
        online = predictor(student.encode(one))
        loss = similarity_loss(online, teacher.encode(two))
    variables = [*student.net.trainable_variables, *predictor.trainable_variables]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


x = tf.constant(rng.normal(size=(32, 6)).astype("float32"))
predictor(tf.zeros((1, 8)))
for _ in range(4):
    noise = tf.random.normal(tf.shape(x), stddev=0.1)
    print(float(step(x, x + noise)))
