"""A variable that a class of a library makes and does not track is named and shown there, not by the user's object."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.runner import Runner

keras = pytest.importorskip("keras")

NET = """
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self, outputs):
        super().__init__()
        self.branch = tf.keras.layers.Dense(4)
        self.biases = [tf.Variable(tf.zeros(1)) for _ in range(outputs)]

    def call(self, x):
        return tf.concat([tf.reduce_sum(self.branch(x), axis=-1, keepdims=True) + b for b in self.biases], axis=-1)


def train(net, x, goal, steps):
    optimizer = tf.keras.optimizers.SGD(0.01)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(x) - goal) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
"""
PROGRAM = """
import sys

sys.path.insert(0, {folder!r})
import deep
import tensorflow as tf

net = deep.Net(2)
deep.train(net, tf.random.normal((16, 3)), tf.ones((16, 2)), 5)
"""


@pytest.mark.skipif(not keras.__version__.startswith("3"), reason="Keras 2 tracks variables in lists")
def test_it_is_named_and_shown_where_the_library_makes_it(runner: Runner, tmp_path: Path) -> None:
    library = tmp_path / "site-packages"
    library.mkdir()
    (library / "deep.py").write_text(NET)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(folder=str(library)))
    result = runner.run(program)
    assert result.report is not None
    (found,) = result.report.diagnoses
    assert found.code == "TW601" and found.message.startswith("`self.biases` is used by `Net`")
    assert found.primary is not None and (found.primary.file, found.primary.line) == (str(library / "deep.py"), 9)
    assert ("created within this call", 8) in [(each.label, each.line) for each in found.related]
