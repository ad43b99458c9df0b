"""A small project of three files: data pipeline, model and trainer class with evaluation."""

import tensorflow as tf
from data import make_dataset
from net import Forecaster

tf.keras.utils.set_random_seed(167)


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(rate)
        self.history = []

    def loss(self, batch, training):
        window, following = batch
        return tf.reduce_mean(tf.square(self.model(window, training=training) - following))

    def train_batch(self, batch):
        with tf.GradientTape() as tape:
            loss = self.loss(batch, training=True) + sum(self.model.losses)
        variables = self.model.trainable_variables
        gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        self.optimizer.apply_gradients(zip(gradients, variables))
        self.history.append({"loss": loss.numpy().item(), "norm": norm.numpy().item()})

    def evaluate(self, dataset):
        return sum(float(self.loss(batch, training=False)) for batch in dataset)


train, valid = make_dataset(seed=1), make_dataset(seed=2)
trainer = Trainer(Forecaster(6), 0.02)
for epoch in range(2):
    for batch in train:
        trainer.train_batch(batch)
    print(epoch, round(trainer.history[-1]["loss"], 3), round(trainer.evaluate(valid), 3))
