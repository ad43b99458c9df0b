# Mapped functions that declare what they return: other dtypes, dictionaries, ragged results.
import tensorflow as tf


def statistics(series):
    mean = tf.reduce_mean(series)
    return {"mean": mean, "length": tf.size(series), "positive": mean > 0}


def positions(mask):
    return tf.squeeze(tf.where(mask), axis=-1)


class Summaries:
    signature = {
        "mean": tf.TensorSpec([], tf.float32),
        "length": tf.TensorSpec([], tf.int32),
        "positive": tf.TensorSpec([], tf.bool),
    }

    @tf.function
    def __call__(self, batch):
        return tf.map_fn(statistics, batch, fn_output_signature=self.signature)


batch = tf.reshape(tf.range(20, dtype=tf.float32), [4, 5])
summaries = Summaries()
print({name: value.numpy().tolist() for name, value in sorted(summaries(batch).items())})
spec = tf.RaggedTensorSpec([None], tf.int64)
print(tf.map_fn(positions, batch > 7.0, fn_output_signature=spec).to_list())
pairs = (tf.constant([1, 2, 0, 3]), batch)
print(tf.map_fn(lambda pair: pair[1][pair[0]], pairs, fn_output_signature=tf.float32).numpy())
