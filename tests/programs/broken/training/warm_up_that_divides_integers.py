# A warm-up divides whole numbers, and stays at zero until its last step.
# requires: keras3
import tensorflow as tf


class WarmUp(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, rate, steps):
        self.rate, self.steps = rate, steps

    def __call__(self, step):
        fraction = tf.cast(step, tf.int64) // self.steps
        return self.rate * tf.cast(tf.minimum(fraction, 1), tf.float32)

    def get_config(self):
        return {"rate": self.rate, "steps": self.steps}


weight = tf.Variable([0.5, -0.5])
optimizer = tf.keras.optimizers.SGD(WarmUp(0.1, 1000))  # why: TW604
for _ in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(weight - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
print(weight.numpy())
