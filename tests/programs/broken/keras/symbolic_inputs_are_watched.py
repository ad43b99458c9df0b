# requires: keras3
# A tape is asked to watch the symbolic inputs of a model, all in one list.
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])


def saliency(batch):
    with tf.GradientTape() as tape:
        tape.watch(model.inputs)  # why: TW303
        score = tf.reduce_sum(model(batch))
    return tape.gradient(score, model.inputs)


saliency(tf.ones((4, 3)))
