import tensorflow as tf

student = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(3)])


class Distiller(tf.keras.Model):
    def __init__(self, student):
        super().__init__()
        self.student = student

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            logits = self.student(x, training=True)
            classes = tf.argmax(logits, axis=-1)  # why: TW106
            loss = tf.reduce_mean(tf.cast(tf.not_equal(classes, tf.cast(y, tf.int64)), tf.float32))
        gradients = tape.gradient(loss, self.student.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.student.trainable_variables))
        return {"loss": loss}

    def call(self, x):
        return self.student(x)


distiller = Distiller(student)
distiller.compile(optimizer="adam")
distiller.fit(tf.random.normal([12, 4]), tf.constant([0, 1, 2] * 4), batch_size=6, epochs=1, verbose=0)
