import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


class Pipeline:
    def __init__(self, rows):
        self.data = tf.data.Dataset.from_tensor_slices(rows).shuffle(8, seed=1).batch(2)

    def iterator(self):
        return tf.data.make_initializable_iterator(self.data)  # why: TW404


class Experiment:
    def __init__(self, pipeline):
        self.pipeline = pipeline
        self.graph = tf.Graph()

    def run(self):
        with self.graph.as_default():
            iterator = self.pipeline.iterator()
            total = tf.reduce_sum(iterator.get_next())
            with tf.Session() as session:
                session.run(iterator.initializer)
                return session.run(total)


pipeline = Pipeline(np.ones([6, 2], "float32"))
print(Experiment(pipeline).run())
