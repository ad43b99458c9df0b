"""How many different words does each document have?"""

import tensorflow as tf


class Vocabulary:
    def __init__(self, ignore):
        self.ignore = tf.constant(ignore)

    def _distinct(self, document):
        values, _ = tf.unique(document)
        return values

    def count(self, documents):
        distinct = tf.map_fn(self._distinct, documents)  # why: TW502
        return tf.reduce_sum(tf.cast(distinct != self.ignore, tf.int32), axis=1)


class Report:
    def __init__(self, vocabulary):
        self.vocabulary = vocabulary

    def write(self, documents):
        for number, count in enumerate(self.vocabulary.count(documents).numpy()):
            print(number, count)


Report(Vocabulary(ignore=0)).write(tf.constant([[1, 2, 2, 3], [5, 5, 5, 5]]))
