# A training step prints its loss with two digits.
import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.SGD(0.1)
        self.steps = 0

    def log(self, name, value):
        self.steps += 1
        print(f"{self.steps}: {name} {value:.2f}")  # why: TW406

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.model(x) - y))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.log("mean error", loss)
        return loss


model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
trainer = Trainer(model)
for _ in range(3):
    trainer.step(tf.ones((4, 2)), tf.ones((4, 1)))
