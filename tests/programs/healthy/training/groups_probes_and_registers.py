"""Groups of variables that may be empty, a rate of zero, a probe beside the weights, a register, a loaded extractor."""

import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(73)
rng = np.random.default_rng(73)
x = rng.normal(size=(64, 6)).astype("float32")
y = np.tanh(x[:, :1])
PENALTIES = []


def dense(units, activation=None):
    return tf.keras.layers.Dense(units, activation=activation)


class Grouped:
    """A base and a head with their own rates: while the base is frozen, its group is empty."""

    def __init__(self, rates):
        self.base = tf.keras.Sequential([tf.keras.Input((6,)), dense(12, "relu")])
        self.head = dense(1)
        self.head.build((None, 12))
        self.optimizers = {name: tf.keras.optimizers.SGD(rate) for name, rate in rates.items()}

    def step(self):
        groups = {"base": self.base.trainable_variables, "head": self.head.trainable_variables}
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_mean((self.head(self.base(x)) - y) ** 2)
        for name, variables in groups.items():
            slopes = tape.gradient(loss, variables)
            if slopes:
                self.optimizers[name].apply_gradients(zip(slopes, variables))
        del tape
        return float(loss)


frozen = Grouped({"base": 0.01, "head": 0.1})
frozen.base.trainable = False
slow = Grouped({"base": 0.0, "head": 0.1})
print([np.isfinite([each.step() for _ in range(5)]).all() for each in (frozen, slow)])

model = tf.keras.Sequential([tf.keras.Input((6,)), dense(8, "tanh"), dense(1)])
optimizer, scale, log = tf.keras.optimizers.Adam(0.01), tf.Variable(1.0, name="input_scale"), []
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x * scale) - y) ** 2)
    slopes, sensitivity = tape.gradient(loss, [model.trainable_variables, scale])
    optimizer.apply_gradients(zip(slopes, model.trainable_variables))
    log.append(float(sensitivity))
print("sensitivity to the scale", len(log))


WEIGHTS = [(tf.Variable(tf.random.normal([6, 8]) / 3), tf.Variable(tf.zeros([8]))),
           (tf.Variable(tf.random.normal([8, 1]) / 3), tf.Variable(tf.zeros([1])))]  # fmt: skip


def network(values):
    for number, (kernel, bias) in enumerate(WEIGHTS):
        PENALTIES.append(1e-3 * tf.reduce_sum(kernel**2))
        values = tf.matmul(values if number == 0 else tf.nn.relu(values), kernel) + bias
    return values


@tf.function
def step():
    PENALTIES.clear()
    variables = [variable for pair in WEIGHTS for variable in pair]
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((network(x) - y) ** 2)
        loss = error + tf.add_n(PENALTIES)
    for variable, slope in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(0.05 * slope)
    return error


print("error", len([step() for _ in range(8)]))


class Extractor(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal([6, 8], stddev=0.4))

    @tf.function(input_signature=[tf.TensorSpec([None, 6])])
    def __call__(self, inputs):
        return tf.nn.relu(tf.matmul(inputs, self.kernel))


with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(Extractor(), folder)
    extract = tf.saved_model.load(folder)
head = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((head(extract(x)) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, head.trainable_variables), head.trainable_variables))
print(np.isfinite(float(loss)))
