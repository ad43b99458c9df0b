import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.SGD(0.01)

    def custom_loss(self, labels, predictions):
        right = tf.math.equal(tf.round(predictions), tf.cast(labels, tf.float32))  # why: TW106
        correct = tf.math.count_nonzero(right)
        total = tf.size(labels, out_type=tf.int64)
        return tf.cast(total - correct, tf.float32) / tf.cast(total, tf.float32)

    def step(self, x, labels):
        with tf.GradientTape() as tape:
            predictions = self.model(x, training=True)
            loss = self.custom_loss(labels, predictions)
        gradients = tape.gradient(loss, self.model.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_weights))
        return loss


model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1, activation="sigmoid")])
trainer = Trainer(model)
x = tf.random.normal([20, 4])
labels = tf.cast(tf.random.uniform([20, 1]) > 0.5, tf.int32)
for _ in range(2):
    print(float(trainer.step(x, labels)))
