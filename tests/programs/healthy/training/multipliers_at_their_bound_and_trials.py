"""Updates that leave nothing behind, and should not: multipliers that rest at zero, rates that are tried and taken back."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(71)
rng = np.random.default_rng(71)
x = rng.normal(size=(128, 6)).astype("float32")
group = (rng.random(128) > 0.5).astype("float32")
y = (x[:, :1] + 0.5 * x[:, 1:2] > 0).astype("float32")


def build():
    return tf.keras.Sequential(
        [tf.keras.Input((6,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
    )


class Multipliers:
    """They rise while a constraint is broken, and are projected back to zero otherwise."""

    def __init__(self, names, rate):
        self.values = {name: tf.Variable(0.0, name=f"lambda_{name}") for name in names}
        self.optimizer = tf.keras.optimizers.SGD(rate)

    def penalty(self, violations):
        return tf.add_n([value * violations[name] for name, value in self.values.items()])

    def ascend(self, tape, lagrangian):
        variables = list(self.values.values())
        slopes = tape.gradient(lagrangian, variables)
        self.optimizer.apply_gradients([(-slope, variable) for slope, variable in zip(slopes, variables)])
        for variable in variables:
            variable.assign(tf.maximum(variable, 0.0))


def gap(scores, members):
    inside = tf.reduce_sum(scores * members) / tf.reduce_sum(members)
    return tf.abs(inside - tf.reduce_sum(scores * (1 - members)) / tf.reduce_sum(1 - members))


def constrained():
    net, primal, dual = build(), tf.keras.optimizers.Adam(0.01), Multipliers(("parity", "mean"), 0.1)
    for _ in range(5):
        with tf.GradientTape(persistent=True) as tape:
            logits = net(x)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
            scores = tf.sigmoid(logits)[:, 0]
            lagrangian = loss + dual.penalty(
                {"parity": gap(scores, group) - 0.6, "mean": tf.reduce_mean(scores) - 0.95}
            )
        primal.apply_gradients(zip(tape.gradient(lagrangian, net.trainable_variables), net.trainable_variables))
        dual.ascend(tape, lagrangian)
        del tape
    return [float(value) for value in dual.values.values()]


def constrained_in_a_function():
    net, bound = build(), tf.Variable(0.0, name="multiplier", constraint=tf.keras.constraints.NonNeg())
    primal, dual = tf.keras.optimizers.Adam(0.01), tf.keras.optimizers.SGD(0.1)

    @tf.function
    def step():
        with tf.GradientTape(persistent=True) as tape:
            scores = tf.sigmoid(net(x))
            violation = tf.reduce_mean(scores) - 2.0
            loss = tf.reduce_mean((scores - y) ** 2) + tf.stop_gradient(bound) * violation
            dual_loss = -bound * tf.stop_gradient(violation)
        primal.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        dual.apply_gradients([(tape.gradient(dual_loss, bound), bound)])

    for _ in range(6):
        step()
    return float(bound)


def trial(model, rate):
    """What one step at this rate would make of the loss; the model is as it was, afterwards."""
    start = model.get_weights()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    slopes = tape.gradient(loss, model.trainable_variables)
    tf.keras.optimizers.SGD(rate).apply_gradients(zip(slopes, model.trainable_variables))
    after = float(tf.reduce_mean((model(x) - y) ** 2))
    model.set_weights(start)
    return after


print("multipliers", constrained(), constrained_in_a_function())
model = build()
table = {rate: trial(model, rate) for rate in (1e-4, 1e-3, 1e-2, 1e-1, 1.0)}
print("best rate", min(table, key=table.get))
