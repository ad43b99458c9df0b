"""A model with its own train_step: the contrastive branch is computed from the raw images, the projector unused."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Contrastive(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = tf.keras.layers.Dense(8, activation="relu", name="encoder")
        self.projector = tf.keras.layers.Dense(4, name="projector")
        self.classify = tf.keras.layers.Dense(3, name="classify")

    def call(self, x):
        features = self.encoder(x)
        projected = self.projector(features)  # why: TW115
        return self.classify(features)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            logits = self(x, training=True)
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, logits, from_logits=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients((g, v) for g, v in zip(gradients, self.trainable_variables) if g is not None)
        return {"loss": loss}


model = Contrastive()
model.compile(optimizer="adam")
x, y = tf.random.normal((32, 5)), tf.random.uniform((32,), maxval=3, dtype=tf.int32)
model.fit(x, y, epochs=2, batch_size=8, verbose=0)
print("done")
