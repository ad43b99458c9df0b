# One range per length, done rightly: padded inside map_fn, in a loop with a TensorArray, as ragged rows, and as a mask.
import tensorflow as tf


class Padded(tf.keras.layers.Layer):
    def call(self, lengths):
        longest = tf.reduce_max(lengths)
        return tf.map_fn(lambda n: tf.pad(tf.range(n), [[0, longest - n]]), lengths)


class Looped(tf.keras.layers.Layer):
    def call(self, lengths):
        count, longest = tf.shape(lengths)[0], tf.reduce_max(lengths)

        def body(i, rows):
            row = tf.pad(tf.range(lengths[i]), [[0, longest - lengths[i]]])
            return i + 1, rows.write(i, row)

        rows = tf.TensorArray(tf.int32, size=count)
        _, rows = tf.while_loop(lambda i, rows: i < count, body, [tf.constant(0), rows])
        return rows.stack()


lengths = tf.constant([2, 3, 1])
print(Padded()(lengths).numpy().tolist())
print(Looped()(lengths).numpy().tolist())
print(tf.ragged.range(lengths).to_list())
print(tf.sequence_mask(lengths).numpy().tolist())
