import numpy as np
import tensorflow as tf


class Schedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warmup):
        self.peak, self.warmup = peak, warmup

    def __call__(self, step):
        if int(step) < self.warmup:  # why: TW406
            return self.peak * (int(step) + 1) / self.warmup
        return self.peak


model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(Schedule(0.1, 5)), "mse")
model.fit(np.ones((8, 2), "float32"), np.ones((8, 1), "float32"), verbose=0)
