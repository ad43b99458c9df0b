import tensorflow as tf


def class_score(predictions, index):
    scores = [float(value) for value in predictions[0]]  # why: TW110
    return tf.constant([scores[index]])


model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(4), tf.keras.layers.Softmax()])


def saliency(image, index):
    image = tf.convert_to_tensor(image)
    with tf.GradientTape() as tape:
        tape.watch(image)
        score = class_score(model(image), index)
    gradient = tape.gradient(score, image)
    return tf.reduce_max(tf.abs(gradient), axis=-1)


print(saliency(tf.random.uniform([1, 6]), 2))
