"""Explanations of zeros are checked: what is blamed is opened in a replay, and the gradient is another number then."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from support.runner import Result, Runner

ZEROS = """
import tensorflow as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
v = tf.Variable([[1.0], [1.0]], name="v")
dead = tf.Variable([[-1.0], [-1.0]], name="dead")
up = tf.Variable(tf.zeros([2, 1]), name="up")
down = tf.Variable(tf.zeros([1, 1]), name="down")


@tf.function
def both(t):
    return tf.reduce_sum(t ** 2), tf.reduce_sum(t * dead)


def relu():
    return tf.nn.relu(x @ dead)

def clipped():
    return tf.sign(x @ v) * 2.0

def mask():
    return (x @ v) * tf.cast(x[:, :1] > 9.0, tf.float32)

def masked_array():
    return (x @ v) * 0.0 * 5.0

def same():
    hidden = tf.square(x @ v)
    return tf.abs(hidden - hidden)

def start():
    return (x @ up) @ down

def unused():
    return both(x @ v)[0]


def learn(model, weights):
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(model() - 3.0))
        for weight, slope in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.1 * slope)


learn(relu, [dead])
learn(clipped, [v])
learn(mask, [v])
learn(masked_array, [v])
learn(same, [v])
learn(start, [up, down])
learn(unused, [dead])
"""

TRACED = """
import numpy as np
import tensorflow as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
v = tf.Variable([[-3.0], [-2.0]], name="v")
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(tf.nn.relu(x @ v) - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    return loss


for _ in range(20):
    step(x)
"""


@pytest.fixture(scope="module")
def opened(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Result:
    program = tmp_path_factory.mktemp("zeros") / "zeros.py"
    program.write_text(ZEROS)
    return runner.run(program)


def checks(result: Result, code: str) -> list[tuple[str, str]]:
    assert result.report is not None, result.stderr
    found = [(d.experiment.status, d.experiment.evidence) for d in result.report.diagnoses if d.code == code]
    assert found, result.account()
    return found


@pytest.mark.parametrize(
    ("code", "tried"),
    [
        ("TW201", "if `tf.nn.relu` let the gradient through, the gradient would not be zero"),
        ("TW203", "if `tf.sign` let the gradient through, the gradient would not be zero"),
        ("TW204", "if the zeros were ones, the gradient would not be zero"),
        ("TW207", "if the loss used this output, the gradient would not be zero"),
    ],
)
def test_a_gradient_of_zero_comes_back_when_what_is_blamed_is_opened(opened: Result, code: str, tried: str) -> None:
    found = checks(opened, code)
    if sys.version_info < (3, 11):  # without columns an operation has only the name of its kernel
        tried = tried.replace("tf.nn.relu", "Relu").replace("tf.sign", "Sign")
    for status, words in found:
        assert status == "confirmed" and words.startswith(tried), words


def test_where_values_cancel_the_target_changes_when_one_of_them_is_another(opened: Result) -> None:
    ((status, words),) = checks(opened, "TW206")
    assert status == "confirmed" and words.startswith("if one of the terms that cancel had other values")
    assert "checked numerically" in words


def test_one_of_two_factors_need_not_be_zero_for_the_other_to_learn(opened: Result) -> None:
    found = checks(opened, "TW205")
    assert {words.partition(", the gradient")[0] for _, words in found} <= {
        "if `up` started with random numbers",
        "if `down` started with random numbers",
    }
    assert len(found) == 1  # to change one of them is enough
    assert all(status == "confirmed" and "checked numerically" in words for status, words in found)


def test_in_a_traced_function_the_gate_is_opened_in_a_copy_of_its_graph(runner: Runner, tmp_path: Any) -> None:
    program = tmp_path / "traced.py"
    program.write_text(TRACED)
    ((status, words),) = checks(runner.run(program), "TW201")
    assert status == "confirmed" and "would not be zero in a copy of the traced graph" in words, words


class Recorded:
    """Stands for a replay: the gradients that it gives without a change, and with the gates open."""

    words, where, made_up = "a replay", "", False

    def __init__(self, before: Any, after: Any, whole: bool = True) -> None:
        self._before, self._after, self._whole = before, after, whole

    def differentiate(self, undo: Any) -> Any:
        from tensorwhy.adapters.tensorflow.replays.undo import Outcome

        return Outcome(self._after if undo.gates else self._before, True, self._whole)


def said(replay: Recorded) -> str:
    from tensorwhy.adapters.tensorflow.experiments.opened import opened
    from tensorwhy.adapters.tensorflow.replays.traits import WORDING
    from tensorwhy.model.facts.gate import Gate
    from tensorwhy.model.facts.signal import Operation, SignalBreak
    from tensorwhy.model.question import GradientQuestion

    gates = (Gate(way="through", made=1),)
    question = GradientQuestion(event=0, recorder=1, targets=(1,), sources=(), asked=1, location=None)
    fact = SignalBreak(
        state="zero",
        why="rectified",
        question=question,
        sources=(),
        operation=Operation(name="Relu"),
        gates=gates,
        wording=WORDING,
    )
    found = opened(replay, [fact])  # type: ignore[arg-type]
    return found.status if found is not None else ""


@pytest.mark.parametrize(
    ("replay", "status"),
    [
        (Recorded(np.zeros(2), np.zeros(2)), ""),
        (Recorded(np.ones(2), np.ones(2)), ""),
        (Recorded(np.zeros(2), np.array([np.nan, 1.0])), ""),
        (Recorded(None, None), ""),
        (Recorded(np.zeros(2), np.ones(2), whole=False), "confirmed"),
    ],
)
def test_only_a_finite_gradient_that_was_zero_before_confirms(replay: Recorded, status: str) -> None:
    assert said(replay) == status
