import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((5,))
trunk = tf.keras.layers.Dense(8, activation="relu")(inputs)
price = tf.keras.layers.Dense(1, name="price")(trunk)
spread = tf.keras.layers.Dense(4, activation="relu")(trunk)
spread = tf.keras.layers.Dense(1, name="spread")(spread)


class TwoHeads(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            price, spread = self(x, training=True)  # why: TW115
            loss = tf.reduce_mean(tf.square(y - price))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss, "spread": tf.reduce_mean(spread)}


model = TwoHeads(inputs, [price, spread])
model.compile(optimizer="adam")
rng = np.random.default_rng(0)
model.fit(rng.normal(size=(16, 5)).astype("float32"), rng.normal(size=(16, 1)).astype("float32"), verbose=0)
