# requires: keras3
"""The overlap of two masks is summed over all pixels in half precision, which ends at 65504."""
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
maps = tf.random.uniform((8, 72, 72, 1))
masks = tf.cast(maps > 0.05, tf.float16)
dense = tf.keras.layers.Dense(1, activation="sigmoid", bias_initializer="ones", dtype="float16")
optimizer = tf.keras.optimizers.SGD(0.5)


def overlap(wanted, found):
    shared = tf.reduce_sum(wanted * found)
    both = tf.reduce_sum(wanted) + tf.reduce_sum(found)  # why: TW209
    return 2.0 * shared / (both + 1.0)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = 1.0 - overlap(y, dense(x))
    gradients = tape.gradient(loss, dense.trainable_variables)
    optimizer.apply_gradients(zip(gradients, dense.trainable_variables))
    return loss


for _ in range(8):
    print(float(step(maps, masks)))
