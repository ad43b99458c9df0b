import tensorflow as tf


def make_model():
    return tf.keras.Sequential(
        [tf.keras.Input((4,)), tf.keras.layers.Dense(3, activation="relu"), tf.keras.layers.Dense(1)]
    )


class Trainer:
    def __init__(self):
        self.model = make_model()
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def loss(self, x, y):
        model = make_model()  # why: TW117
        return tf.reduce_mean(tf.square(model(x) - y))

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(x, y)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))


Trainer().step(tf.random.normal([5, 4]), tf.random.normal([5, 1]))
