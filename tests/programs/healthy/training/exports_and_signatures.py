"""tf.Module with signatures, saved and loaded; a function per signature; weights by checkpoint; a Keras export."""

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(59)
folder = tempfile.mkdtemp()


class Linear(tf.Module):
    def __init__(self, units, name=None):
        super().__init__(name=name)
        self.units, self.built = units, False

    @tf.function
    def __call__(self, x):
        if not self.built:
            self.w = tf.Variable(tf.random.stateless_normal([x.shape[-1], self.units], seed=(1, 1)), name="w")
            self.b = tf.Variable(tf.zeros([self.units]), name="b")
            self.built = True
        return x @ self.w + self.b


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Linear(4, name="one"), Linear(1, name="two")]
        self.steps = tf.Variable(0, trainable=False, dtype=tf.int64)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def predict(self, x):
        return {"score": self.layers[1](tf.nn.relu(self.layers[0](x)))}

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([None, 1], tf.float32)])
    def train(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.predict(x)["score"] - y) ** 2)
        for v, g in zip(self.trainable_variables, tape.gradient(loss, self.trainable_variables)):
            v.assign_sub(0.05 * g)
        self.steps.assign_add(1)
        return {"loss": loss}


rng = np.random.default_rng(59)
x, y = tf.constant(rng.normal(size=(8, 3)), tf.float32), tf.constant(rng.normal(size=(8, 1)), tf.float32)
net = Net()
net.layers[1](net.layers[0](x))
before = float(net.train(x, y)["loss"])
tf.saved_model.save(net, folder + "/net", signatures={"train": net.train, "serving_default": net.predict})
loaded = tf.saved_model.load(folder + "/net")
for _ in range(4):
    after = loaded.signatures["train"](x=x, y=y)["loss"]
print(float(after) < before, int(loaded.steps), sorted(loaded.signatures))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(loaded.predict(x)["score"] ** 2)
print([g.shape.as_list() for g in tape.gradient(loss, [loaded.layers[0].w, loaded.layers[1].w])])
checkpoint = tf.train.Checkpoint(net=net)
manager = tf.train.CheckpointManager(checkpoint, os.path.join(folder, "ck"), max_to_keep=2)
for _ in range(3):
    manager.save()
print(len(manager.checkpoints), bool(checkpoint.restore(manager.latest_checkpoint).assert_consumed()))
