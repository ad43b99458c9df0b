"""Two tasks on a shared trunk: the second loss is computed and logged, but never added."""
# requires: tf>=2.12
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
trunk = tf.keras.layers.Dense(6, activation="relu")
age, sex = tf.keras.layers.Dense(1, name="age"), tf.keras.layers.Dense(2, name="sex")
adam = tf.keras.optimizers.Adam(0.01)
mean = tf.keras.metrics.Mean()
x, y, z = tf.random.normal((16, 5)), tf.random.normal((16, 1)), tf.random.uniform((16,), maxval=2, dtype=tf.int32)


@tf.function
def step():
    with tf.GradientTape() as tape:
        h = trunk(x)
        total = tf.reduce_mean(tf.square(age(h) - y))
        second = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(z, sex(h)))
    mean.update_state(second)  # why: TW115
    weights = [*trunk.trainable_variables, *age.trainable_variables, *sex.trainable_variables]
    adam.apply_gradients([(g, w) for g, w in zip(tape.gradient(total, weights), weights) if g is not None])
    return total


for layer, shape in ((trunk, (None, 5)), (age, (None, 6)), (sex, (None, 6))):
    layer.build(shape)
adam.build([*trunk.trainable_variables, *age.trainable_variables, *sex.trainable_variables])
for _ in range(4):
    step()
print("done")
