"""None gradients filtered, replaced or asserted in other functions than the one that asks for them."""

import tensorflow as tf

tf.keras.utils.set_random_seed(61)
used = tf.keras.layers.Dense(2)
spare = tf.keras.layers.Dense(2)
x = tf.ones((3, 2))
used(x), spare(x)
variables = used.trainable_variables + spare.trainable_variables
optimizer = tf.keras.optimizers.SGD(0.1)
if hasattr(optimizer, "build"):
    optimizer.build(variables)


def compute_gradients(variables):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(used(x) ** 2)
    return loss, tape.gradient(loss, variables)


def apply(grads, variables):
    kept = [(g, v) for g, v in zip(grads, variables) if g is not None]
    optimizer.apply_gradients(kept)
    return len(kept)


loss, grads = compute_gradients(variables)
print(apply(grads, variables))


def only_gradients():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(used(x) ** 2)
    return tape.gradient(loss, variables)


pairs = [(g if g is not None else tf.zeros_like(v), v) for g, v in zip(only_gradients(), variables)]
optimizer.apply_gradients(pairs)
print(len(pairs))


class Trainer:
    def __init__(self, variables):
        self.variables = variables
        self.grads = None

    def backward(self):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(used(x) ** 2)
        self.grads = tape.gradient(loss, self.variables)

    def step(self):
        for grad, variable in zip(self.grads, self.variables):
            if grad is None:
                continue
            variable.assign_sub(0.1 * grad)


trainer = Trainer(variables)
trainer.backward()
trainer.step()


def norms(values):
    return [float(tf.norm(v)) if v is not None else None for v in values]


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(used(x) ** 2)
print(len(norms(tape.gradient(loss, variables))))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(used(x) ** 2)
found = tape.gradient(loss, variables)
assert found[-1] is None
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(used(x) ** 2)
assert tape.gradient(loss, spare.kernel) is None
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(used(x) ** 2)
kept = list(filter(lambda pair: pair[0] is not None, zip(tape.gradient(loss, variables), variables)))
optimizer.apply_gradients(kept)
print(len(kept))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(used(x) ** 2)
if tape.gradient(loss, spare.kernel) is None:
    print("the spare layer is left out")


def or_zeros(function):
    def wrapped():
        return [tf.zeros_like(v) if g is None else g for g, v in zip(function(), variables)]

    return wrapped


@or_zeros
def filled_gradients():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(used(x) ** 2)
    return tape.gradient(loss, variables)


optimizer.apply_gradients(zip(filled_gradients(), variables))
