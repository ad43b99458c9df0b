"""A trainer lists the weights of a model that has none yet."""

import tensorflow as tf


class Autoencoder(tf.keras.Model):
    def __init__(self, latent=3, features=10):
        super().__init__()
        self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(latent)])
        self.decoder = tf.keras.Sequential(
            [tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(features)]
        )

    def call(self, x):
        return self.decoder(self.encoder(x))


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.variables = model.trainable_variables  # why: TW603

    def step(self, batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch - self.model(batch)))
        gradients = tape.gradient(loss, self.variables)
        self.optimizer.apply_gradients(zip(gradients, self.variables))
        return loss


def main():
    data = tf.data.Dataset.from_tensor_slices(tf.random.normal([64, 10], seed=1)).batch(16)
    trainer = Trainer(Autoencoder(), tf.keras.optimizers.Adam(0.01))
    for epoch in range(2):
        for batch in data:
            loss = trainer.step(batch)
        print(epoch, float(loss))


main()
