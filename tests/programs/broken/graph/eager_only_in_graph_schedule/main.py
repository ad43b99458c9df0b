import numpy as np
import tensorflow as tf


class Warmup(tf.keras.optimizers.schedules.LearningRateSchedule):
    """Rises linearly, then stays."""

    def __init__(self, rate, steps):
        self.rate = rate
        self.steps = steps

    def early(self, step):
        return step < self.steps

    def __call__(self, step):
        return self.rate * min(1.0, tf.cast(step, tf.float32) / self.steps)  # why: TW406

    def get_config(self):
        return {"rate": self.rate, "steps": self.steps}


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(Warmup(0.1, 10)), "mse")
x = np.ones((8, 2), "float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
