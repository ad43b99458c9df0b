# requires: keras3
# Keras 2 stops in `predict` already, see actor_scored_by_predict.
import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((16, 16, 3))
features = tf.keras.layers.Conv2D(4, 3, activation="relu", name="last")(inputs)
pooled = tf.keras.layers.GlobalAveragePooling2D()(features)
outputs = tf.keras.layers.Dense(5, activation="softmax")(pooled)
classifier = tf.keras.Model(inputs, outputs)
splitter = tf.keras.Model(inputs, [classifier.get_layer("last").output, classifier.output])


def heatmap(image):
    with tf.GradientTape() as tape:
        maps, _ = splitter(image)  # why: TW115
        tape.watch(maps)
        scores = classifier.predict(image, verbose=0)
        best = int(np.argmax(scores[0]))
        chosen = tf.convert_to_tensor(scores)[:, best]
    slopes = tape.gradient(chosen, maps)
    weights = tf.reduce_mean(slopes, axis=(0, 1, 2))
    return tf.reduce_sum(maps * weights, axis=-1)


heatmap(np.random.rand(1, 16, 16, 3).astype("float32"))
