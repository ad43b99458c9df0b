"""Which variable is blamed for a gradient that is zero everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.runner import Runner

PROGRAM = """\
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.uniform(1.0, 2.0, size=(64, 3)).astype("float32")
zeros, below = tf.keras.initializers.Zeros(), tf.keras.initializers.Constant(-0.5)
hidden = tf.keras.layers.Dense(4, activation="tanh", use_bias=False{hidden})
output = tf.keras.layers.Dense(1, activation={activation}, kernel_initializer=zeros, {bias})
model = tf.keras.Sequential([tf.keras.Input((3,)), hidden, output])
model.compile("sgd", "mse")
model.fit(x, -np.ones((64, 1), "float32"), epochs=3, verbose=0)
"""
DEAD = {"hidden": "", "activation": '"relu"', "bias": "bias_initializer=below"}
BOTH_ZERO = {"hidden": ", kernel_initializer=zeros", "activation": "None", "bias": "use_bias=False"}


@pytest.mark.parametrize(
    ("filled", "blamed"),
    [pytest.param(DEAD, False, id="behind a dead output"), pytest.param(BOTH_ZERO, True, id="beside another zero")],
)
def test_weights_that_start_at_zero_are_blamed_only_where_zeros_hold_them_back(
    filled: dict[str, str], blamed: bool, runner: Runner, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(**filled), encoding="utf-8")
    report = runner.run(program).report
    assert report is not None
    assert any(each.code == "TW205" for each in report.diagnoses) is blamed


SMOKE = """\
import numpy as np
import tensorflow as tf

dense = tf.keras.layers.Dense
model = tf.keras.Sequential([tf.keras.Input((4,)), dense(8, activation="relu"), dense(1)])
x, y = np.zeros((64, 4), "float32"), np.zeros((64, 1), "float32")
"""
FITTED = """\
model.compile("adam", {loss!r})
model.fit(x, y, epochs=3, verbose=0)
"""
BY_HAND = """\
optimizer = tf.keras.optimizers.SGD(0.01)
for _ in range(5):
    with tf.GradientTape() as tape:
        error = model(x) - y
        loss = tf.reduce_mean({squared})
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
CHOSEN = "(tf.reduce_sum(model(x) * tf.one_hot([0] * 64, 1), 1) - y[:, 0]) ** 2"


@pytest.mark.parametrize(
    "trained",
    [
        *(pytest.param(FITTED.format(loss=each), id=each) for each in ("mse", "mae", "huber")),
        *(pytest.param(BY_HAND.format(squared=each), id=each) for each in ("error**2", "error * error", CHOSEN)),
    ],
)
def test_nothing_is_to_blame_where_data_and_targets_are_zero(trained: str, runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(SMOKE + trained, encoding="utf-8")
    result = runner.run(program)
    assert result.report is not None and not result.report.diagnoses, result.account()


DIVERGENCE = """\
import tensorflow as tf

x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
w = tf.Variable([[0.1, 0.2, -0.3], [0.3, -0.1, 0.2]])


def slope():
    with tf.GradientTape() as tape:
        scores = tf.nn.log_softmax(x @ w)
        before = tf.stop_gradient(scores)
        divergence = tf.reduce_mean(tf.reduce_sum(tf.exp(before) * (before - scores), -1))
    return tape.gradient(divergence, w)


"""
CURVATURE = """\
for _ in range(6):
    with tf.GradientTape() as tape:
        along = tf.reduce_sum(slope() * [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    w.assign_add(0.1 + tape.gradient(along, w))
"""
ITSELF = """\
for _ in range(6):
    w.assign_sub(0.1 * slope())
"""


@pytest.mark.parametrize(("used", "codes"), [(CURVATURE, []), (ITSELF, ["TW206"])])
def test_a_gradient_that_cancels_is_no_fault_where_only_its_own_gradient_is_wanted(
    used: str, codes: list[str], runner: Runner, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(DIVERGENCE + used, encoding="utf-8")
    report = runner.run(program).report
    assert report is not None
    assert [each.code for each in report.diagnoses] == codes
