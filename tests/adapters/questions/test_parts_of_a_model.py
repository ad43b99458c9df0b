"""An operation of a ready-made layer in a model has no line of the user's: it is shown where that layer was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.runner import Runner

STEP = """
import numpy as np
import tensorflow as tf

layers = tf.keras.layers
inputs = tf.keras.Input((3,))
hidden = layers.Dense(4)(inputs)
encoder = tf.keras.Model(inputs, {whole})  # encoder
codes = tf.keras.Input((4,))
decoder = tf.keras.Model(codes, layers.Dense(1)(codes))
x = np.ones((2, 3), "float32")
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(decoder({step}))  # step
tape.gradient(loss, encoder.trainable_variables)
"""


@pytest.mark.parametrize(
    ("whole", "step", "blamed"),
    [
        ("layers.Activation(tf.round)(hidden)", "encoder(x)", "encoder"),
        ("hidden", "tf.round(encoder(x))", "step"),
    ],
    ids=["in a layer of a model", "between two models"],
)
def test_it_is_shown_where_a_reader_can_change_it(
    runner: Runner, tmp_path: Path, whole: str, step: str, blamed: str
) -> None:
    program = tmp_path / "step.py"
    program.write_text(STEP.format(whole=whole, step=step))
    result = runner.run(program)
    assert result.report is not None, result.stderr
    (found,) = [each for each in result.report.diagnoses if each.code == "TW106"]
    assert found.primary is not None
    assert program.read_text().splitlines()[found.primary.line - 1].endswith(f"# {blamed}")
