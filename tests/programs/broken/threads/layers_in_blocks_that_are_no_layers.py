import numpy as np
import tensorflow as tf


class Block:
    def __init__(self, units):
        self.dense = tf.keras.layers.Dense(units)
        self.norm = tf.keras.layers.BatchNormalization()

    def __call__(self, x, training):
        return tf.nn.relu(self.norm(self.dense(x), training=training))


class Classifier(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.first = Block(16)  # why: TW602
        self.second = Block(8)  # why: TW602
        self.head = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        return self.head(self.second(self.first(x, training), training))


class Trainer:
    def __init__(self, model, rate=0.01):
        self.model = model
        self.criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.optimizer = tf.keras.optimizers.SGD(rate)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.criterion(y, self.model(x, training=True))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def train(self, dataset, epochs):
        for epoch in range(epochs):
            print(epoch, np.mean([float(self.step(x, y)) for x, y in dataset]))


rng = np.random.default_rng(0)
features = rng.normal(size=(64, 5)).astype("float32")
labels = (features[:, 0] > 0).astype("int64")
Trainer(Classifier(2)).train(tf.data.Dataset.from_tensor_slices((features, labels)).batch(16), 3)
