# What a traced step returns is eager: it is logged, formatted and kept in lists outside.
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.SGD(0.05)
        self.history = {"loss": [], "norm": []}
        self.best = None

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        norm = tf.linalg.global_norm(gradients)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return {"loss": loss, "norm": norm}

    def fit(self, dataset, epochs):
        for _ in range(epochs):
            for x, y in dataset:
                for name, value in self.step(x, y).items():
                    self.history[name].append(float(value))
            if self.best is None or self.history["loss"][-1] < self.best:
                self.best = self.history["loss"][-1]
        return f"{len(self.history['loss'])} steps, best {self.best >= 0}"


x = np.random.default_rng(0).normal(size=(32, 3)).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(8)
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
trainer = Trainer(model)
print(trainer.fit(dataset, 2))
