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
