"""Which failures are laid to a None that came before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.runner import Runner

tf = pytest.importorskip("tensorflow")

ASKED = """\
import tensorflow as tf

w, u = tf.Variable([1.0, 2.0]), tf.Variable(3.0)


{decorator}
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * x)
    gradients = tape.gradient(loss, [w, u])
    {then}


def shape(model):
    return model.shape


step(tf.ones(2))
{after}
"""
FILTERED = "return [g for g in gradients if g is not None]"


def told(runner: Runner, folder: Path, then: str, after: str = "", decorator: str = "@tf.function") -> tuple[str, str]:
    program = folder / "program.py"
    program.write_text(ASKED.format(then=then, after=after, decorator=decorator))
    result = runner.run(program)
    assert result.exit_code == 1 and result.report is not None, result.account()
    (found,) = (each for each in result.report.diagnoses if each.code == "TW115")
    return found.severity, found.symptom.kind


@pytest.mark.parametrize("then", ["return [g * 2.0 for g in gradients]", "w.assign_sub(gradients[1] * tf.ones(2))"])
def test_a_traced_function_that_broke_off_at_a_none(runner: Runner, tmp_path: Path, then: str) -> None:
    assert told(runner, tmp_path, then) == ("error", "exception")


@pytest.mark.parametrize("decorator", ["@tf.function", "@tf.autograph.experimental.do_not_convert"])
def test_a_failure_further_down_in_the_script_is_not_one_of_a_none_that_was_filtered(
    runner: Runner, tmp_path: Path, decorator: str
) -> None:
    assert told(runner, tmp_path, FILTERED, "shape(None)", decorator) == ("note", "none-gradient")
