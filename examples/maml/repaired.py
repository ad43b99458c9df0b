"""MAML with a learned inner rate for each weight, which the inner step reads as a tensor."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)


class SineTasks:
    """Sine curves of different height and phase, each split into support and query points."""

    def __init__(self, seed, points=8):
        self.rng = np.random.default_rng(seed)
        self.points = points

    def sample(self):
        height, phase = self.rng.uniform(0.5, 2.0), self.rng.uniform(0, np.pi)
        x = self.rng.uniform(-3, 3, size=(2 * self.points, 1)).astype("float32")
        y = (height * np.sin(x + phase)).astype("float32")
        return (x[: self.points], y[: self.points]), (x[self.points :], y[self.points :])


class Learner:
    """A network as functions of an explicit list of weights."""

    def __init__(self, width=16, seed=12):
        rng = np.random.default_rng(seed)
        shapes = [(1, width), (width,), (width, 1), (1,)]
        self.weights = [
            tf.Variable(rng.normal(size=shape) * (0.4 if len(shape) > 1 else 0.0), dtype=tf.float32, name=f"w{i}")
            for i, shape in enumerate(shapes)
        ]
        self.rates = [tf.Variable(0.05, name=f"rate{i}") for i in range(len(shapes))]

    def predict(self, weights, x):
        hidden = tf.tanh(tf.matmul(x, weights[0]) + weights[1])
        return tf.matmul(hidden, weights[2]) + weights[3]

    def error(self, weights, batch):
        x, y = batch
        return tf.reduce_mean((self.predict(weights, x) - y) ** 2)

    def adapt(self, support, steps):
        weights = [tf.convert_to_tensor(w) for w in self.weights]
        for _ in range(steps):
            with tf.GradientTape() as tape:
                tape.watch(weights)
                error = self.error(weights, support)
            gradients = tape.gradient(error, weights)
            rates = [tf.convert_to_tensor(rate) for rate in self.rates]
            weights = [w - rate * g for w, rate, g in zip(weights, rates, gradients)]
        return weights

    @property
    def meta_variables(self):
        return self.weights + self.rates


def meta_train(learner, tasks, steps, tasks_per_step=3, inner_steps=2):
    optimizer = tf.keras.optimizers.Adam(0.01)
    for step in range(steps):
        with tf.GradientTape() as tape:
            losses = []
            for _ in range(tasks_per_step):
                support, query = tasks.sample()
                losses.append(learner.error(learner.adapt(support, inner_steps), query))
            loss = tf.add_n(losses) / tasks_per_step
        gradients = tape.gradient(loss, learner.meta_variables)
        optimizer.apply_gradients(zip(gradients, learner.meta_variables))
        print(f"meta step {step}: query error {float(loss):.4f}")


def main():
    learner = Learner()
    meta_train(learner, SineTasks(seed=13), steps=4)
    print("rates", [round(float(rate), 4) for rate in learner.rates])


if __name__ == "__main__":
    main()
