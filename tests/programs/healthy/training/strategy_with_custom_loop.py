"""A one-device strategy with a hand-written loop: distributed data, run, reduce, metrics in the scope, checkpoints."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(64)
rng = np.random.default_rng(64)
x, y = rng.normal(size=(32, 4)).astype("float32"), rng.integers(0, 2, size=(32, 1)).astype("float32")
strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
with strategy.scope():
    w = tf.Variable(tf.random.normal((4, 8), seed=1))
    v = tf.Variable(tf.random.normal((8, 1), seed=2))
    seen = tf.Variable(0, dtype=tf.int64, trainable=False, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
distributed = strategy.experimental_distribute_dataset(dataset)


def replica_step(inputs):
    features, labels = inputs
    with tf.GradientTape() as tape:
        logits = tf.nn.relu(features @ w) @ v
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        loss = tf.nn.compute_average_loss(losses, global_batch_size=8)
    grads = tape.gradient(loss, [w, v])
    for variable, grad in zip([w, v], grads):
        variable.assign_sub(0.1 * grad)
    seen.assign_add(1)
    return tf.reduce_sum(loss)


@tf.function
def epoch(iterator, steps):
    total = 0.0
    for _ in tf.range(steps):
        per_replica = strategy.run(replica_step, args=(next(iterator),))
        total += strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica, axis=None)
    return total


totals = [float(epoch(iter(distributed), tf.constant(4))) for _ in range(3)]
print(totals[-1] < totals[0], int(seen))
