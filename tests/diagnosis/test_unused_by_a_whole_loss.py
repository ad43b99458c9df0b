"""A loss that uses none of the variables that are asked for is where to look, and what it uses instead."""

from __future__ import annotations

import pytest

from support.runner import Runner

PROGRAM = """
import tensorflow as tf

asked = tf.keras.layers.Dense(2)
other = tf.keras.layers.Dense(5)
x = tf.ones([4, 3])
asked(x), other(x)


def step():
    with tf.GradientTape() as tape:
        hidden = {layer}(x)
        loss = tf.reduce_sum(hidden ** 2)
    return tape.gradient(loss, asked.trainable_variables{and_more})


print(step())
"""


@pytest.fixture(scope="module")
def diagnose(runner: Runner, tmp_path_factory: pytest.TempPathFactory):
    pytest.importorskip("tensorflow")

    def run(**parts: str):
        program = tmp_path_factory.mktemp("unused") / "unused.py"
        program.write_text(PROGRAM.format(**parts))
        result = runner.run(program)
        assert result.report is not None, result.stderr
        return result.report.diagnoses

    return run


def test_the_loss_is_marked_and_the_call_of_what_it_uses(diagnose) -> None:
    (found,) = diagnose(layer="other", and_more="")
    assert (found.code, found.primary.line, found.primary.label) == (
        "TW115",
        13,
        "`loss` is created here, from none of the requested sources",
    )
    assert "computed with variables that are not asked for" in {mark.label for mark in found.related if mark.line == 12}


def test_a_loss_that_uses_some_of_them_is_not_said_to_use_none(diagnose) -> None:
    found = diagnose(layer="other", and_more=" + other.trainable_variables")
    assert [each.code for each in found] == ["TW115"]
    assert "of nothing" not in found[0].primary.label


def test_a_loss_that_uses_them_is_not_told_of(diagnose) -> None:
    assert diagnose(layer="asked", and_more="") == ()
