import tensorflow as tf


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(6, activation="relu")
        self.gate = tf.keras.layers.Dense(6)
        self.last = tf.keras.layers.Dense(1)

    def call(self, x):
        h = self.first(x)
        opened = tf.cast(tf.sigmoid(self.gate(x)) > 0.5, tf.float32)  # why: TW106
        return self.last(h * opened)


model = Model()
optimizer = tf.keras.optimizers.Adam()
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(tf.random.normal([6, 3])) - 1.0))
    grads = tape.gradient(loss, model.trainable_variables)
    for g, v in zip(grads, model.trainable_variables):
        if g is None:
            print("no gradient for", v.name)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
