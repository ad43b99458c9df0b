import tensorflow as tf


class Curve:
    def __init__(self):
        self.parameters = {"scale": tf.Variable(1.0), "rate": tf.Variable(0.5)}

    def values(self):
        return {name: float(variable) for name, variable in self.parameters.items()}  # why: TW110

    def __call__(self, t):
        p = self.values()
        return p["scale"] * tf.exp(-p["rate"] * t)


curve = Curve()
t = tf.linspace(0.0, 4.0, 20)
measured = 2.0 * tf.exp(-0.3 * t)
optimizer = tf.keras.optimizers.Adam(0.1)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(curve(t) - measured))
    variables = list(curve.parameters.values())
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
