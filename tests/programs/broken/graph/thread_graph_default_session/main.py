import threading

import tensorflow as tf

graph = tf.Graph()


def worker(tensor, answers):
    answers.append(tensor.eval())  # why: TW405


with graph.as_default(), tf.compat.v1.Session().as_default():
    total = tf.reduce_sum(tf.constant([1.0, 2.0]))
    print(total.eval())
    answers = []
    thread = threading.Thread(target=worker, args=(total, answers))
    thread.start()
    thread.join()
print(len(answers))
