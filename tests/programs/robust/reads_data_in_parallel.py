import tensorflow as tf
from small import train


def shard(number):
    return tf.data.Dataset.range(number * 10, number * 10 + 10).map(lambda x: tf.py_function(float, [x], tf.float32))


data = tf.data.Dataset.range(8).interleave(shard, cycle_length=4, num_parallel_calls=4, deterministic=False)
data = data.shuffle(32).map(lambda x: x * 2.0, num_parallel_calls=4).batch(7).prefetch(4)
print(sorted(tf.concat(list(data), 0).numpy().tolist()) == [2.0 * x for x in range(80)])
print(train(during=lambda step: list(data)))
