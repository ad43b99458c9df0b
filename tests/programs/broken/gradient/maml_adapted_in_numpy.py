# Meta-learning: the adapted weights are computed in NumPy and copied into a second model.
import numpy as np
import tensorflow as tf


def regressor():
    model = tf.keras.Sequential(
        [tf.keras.Input((1,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
    )
    return model


class Task:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.amplitude, self.phase, self.rng = rng.uniform(0.5, 2), rng.uniform(0, 3), rng

    def sample(self, count):
        x = self.rng.uniform(-2, 2, size=(count, 1)).astype("float32")
        return x, (self.amplitude * np.sin(x + self.phase)).astype("float32")


class Maml:
    def __init__(self, inner_rate=0.05):
        self.meta, self.learner = regressor(), regressor()
        self.inner_rate = inner_rate
        self.optimizer = tf.keras.optimizers.Adam(1e-2)

    @staticmethod
    def loss(model, x, y):
        return tf.reduce_mean(tf.square(model(x) - y))

    def adapt(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(self.meta, x, y)
        grads = tape.gradient(loss, self.meta.trainable_variables)
        adapted = [w.numpy() - self.inner_rate * g.numpy() for w, g in zip(self.meta.trainable_variables, grads)]
        self.learner.set_weights(adapted)  # why: TW113

    def outer_step(self, tasks):
        with tf.GradientTape() as tape:
            total = 0.0
            for task in tasks:
                self.adapt(*task.sample(8))
                total += self.loss(self.learner, *task.sample(8))
        grads = tape.gradient(total, self.meta.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.meta.trainable_variables))
        return float(total)


maml = Maml()
for step in range(2):
    print(step, maml.outer_step([Task(seed) for seed in range(3)]))
