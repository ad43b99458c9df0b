"""None gradients that pass through clipping, dictionaries and sums, each of which leaves them out."""

import tensorflow as tf

used = tf.Variable(2.0)
spare = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.1)


class Agent:
    def __init__(self, variables):
        self.variables = variables

    def _clip(self, grads):
        return [None if g is None else tf.clip_by_norm(g, 1.0) for g in grads]

    def learn(self):
        with tf.GradientTape() as tape:
            loss = used**2
        grads = self._clip(tape.gradient(loss, self.variables))
        for g, v in zip(grads, self.variables):
            if g is not None:
                v.assign_sub(g)


Agent([used, spare]).learn()
with tf.GradientTape(persistent=True) as tape:
    loss = used**2
grads = {v.name: tape.gradient(loss, v) for v in (used, spare)}
print({k: float(g) for k, g in grads.items() if g is not None})
grads_and_vars = [(tape.gradient(loss, v), v) for v in (used, spare)]
grads_and_vars = [gv for gv in grads_and_vars if gv[0] is not None]
print(len(grads_and_vars))
total = 0.0
for v in (used, spare):
    g = tape.gradient(loss, v)
    total += 0.0 if g is None else float(g)
print(total)
for v in (used, spare):
    g = tape.gradient(loss, v)
    total += float(g) if g is not None else 0.0
    try:
        print(g.shape.rank)
    except AttributeError:
        pass
print(total)
