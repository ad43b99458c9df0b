import tensorflow as tf


class Saliency:
    """Which pixels matter for a class."""

    def __init__(self, model):
        self.model = model

    def sensitivity(self, scores, image, index):
        return tf.gradients(scores[:, index], image)[0]  # why: TW407

    def explain(self, image, index):
        scores = self.model(image)
        return tf.reduce_max(tf.abs(self.sensitivity(scores, image, index)), axis=-1)


model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)])
image = tf.random.normal([1, 4, 4, 3])
print(Saliency(model).explain(image, 1))
