"""Full-batch fit of a pharmacokinetic model: the objective walks over the dataset inside a traced function."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
hours = np.linspace(0.25, 12.0, 96).astype("float32")
truth = 4.0 * np.exp(-0.35 * hours)
readings = (truth + rng.normal(0, 0.05, hours.shape)).astype("float32")
samples = tf.data.Dataset.from_tensor_slices((hours, readings)).batch(16)


class Elimination(tf.Module):
    def __init__(self):
        super().__init__()
        self.log_dose = tf.Variable(0.5, name="log_dose")
        self.log_rate = tf.Variable(0.0, name="log_rate")

    def concentration(self, t):
        return tf.exp(self.log_dose) * tf.exp(-tf.exp(self.log_rate) * t)


drug = Elimination()
parameters = [drug.log_dose, drug.log_rate]


@tf.function
def sum_of_squares():
    total = tf.constant(0.0)
    count = tf.constant(0.0)
    for t, observed in samples:  # why: TW106
        residual = drug.concentration(t) - observed
        total += tf.reduce_sum(tf.square(residual))
        count += tf.cast(tf.size(t), tf.float32)
    return total / count


optimizer = tf.keras.optimizers.Adam(0.05)
for step in range(30):
    with tf.GradientTape() as tape:
        objective = sum_of_squares()
    slopes = tape.gradient(objective, parameters)
    if step == 0:
        print("first gradients:", slopes)
    known = [(g, v) for g, v in zip(slopes, parameters) if g is not None]
    if known:
        optimizer.apply_gradients(known)
    if step % 10 == 0:
        print("step", step, "objective", float(objective))
print("dose", float(tf.exp(drug.log_dose)), "rate", float(tf.exp(drug.log_rate)))
