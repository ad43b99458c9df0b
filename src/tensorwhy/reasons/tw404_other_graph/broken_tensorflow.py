"""Two models, each in a graph of its own, whose outputs are added."""

import tensorflow as tf

first, second = tf.Graph(), tf.Graph()

with first.as_default():
    image_score = tf.constant([0.2, 0.8])

with second.as_default():
    text_score = tf.constant([0.6, 0.4])
    total = image_score + text_score  # why: TW404

with tf.compat.v1.Session(graph=second) as session:
    print(session.run(total))
