"""What is lost for the first time long after recording went to rest is explained from the next step on.

Where there is no next step, the tape tells what it saw used.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.runner import Runner

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.hooks.attention import ENOUGH  # noqa: E402
from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402

LATE = 60


def kinds(session: TensorFlowSession) -> set[str]:
    return {getattr(fact, "kind", "") for group in session.facts() for fact in group.facts}


def train(step, steps: int = LATE + 10) -> None:
    for number in range(steps):
        step(number)


def test_a_none_that_comes_late_at_a_known_call(session) -> None:
    x = tf.Variable(2.0)

    def step(number: int) -> None:
        with tf.GradientTape() as tape:
            y = x * x if number < LATE else tf.stop_gradient(x) * 2.0
        tape.gradient(y, x)
        assert session.attention.armed == (number < ENOUGH - 1 or LATE <= number < LATE + ENOUGH)

    train(step)
    assert kinds(session) == {"stop-gradient"}
    assert session.attention.recorded == [(1, ENOUGH), (LATE + 2, LATE + 1 + ENOUGH)]
    assert f"(recorded: 1 to {ENOUGH}, {LATE + 2} to {LATE + 1 + ENOUGH};" in session.attention.in_words()


def test_a_call_that_comes_late(session) -> None:
    x = tf.Variable(2.0)

    def step(number: int) -> None:
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        if number >= LATE:
            with tf.GradientTape() as late:
                z = tf.round(x)
            late.gradient(z, x)

    train(step)
    assert kinds(session) == {"no-gradient"}


def test_a_trace_that_comes_late(session) -> None:
    x = tf.Variable(2.0)

    @tf.function
    def traced(rounds: bool):
        with tf.GradientTape() as tape:
            y = tf.round(x) if rounds else x * x
        gradient = tape.gradient(y, x)
        return y if gradient is None else gradient

    train(lambda number: traced(number >= LATE))
    assert kinds(session) == {"no-gradient"}
    assert session.coverage().steps_recorded == LATE + 10


def test_zeros_that_come_late(session) -> None:
    x = tf.Variable(2.0)
    armed = []

    def step(number: int) -> None:
        with tf.GradientTape() as tape:
            y = tf.nn.relu(x if number < LATE else -x)
        tape.gradient(y, x)
        armed.append(session.attention.armed)

    train(step, 4 * LATE)
    assert any(armed[LATE:])
    assert not armed[-1]


class Network(tf.Module):
    def __init__(self, units: int) -> None:
        super().__init__()
        self.kernel = tf.Variable(tf.ones([2, units]), name="kernel")
        self.bias = tf.Variable(tf.zeros([units]), name="bias")

    def __call__(self, x):
        return x @ self.kernel + self.bias


def loss_of_a_copy(asked: Network, used: Network) -> None:
    """Trains until the copy is used, and breaks off there: of the step in which it is, nothing was recorded."""
    for number in range(LATE + 1):
        network = asked if number < LATE else used
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(network(tf.ones([1, 2])))
        gradients = tape.gradient(loss, [asked.kernel, asked.bias])
    assert gradients == [None, None]


def test_a_copy_of_the_network_in_a_step_that_was_not_recorded(session) -> None:
    asked, used = Network(1), Network(1)
    loss_of_a_copy(asked, used)
    facts = [fact for group in session.facts() for fact in group.facts]
    assert [(fact.kind, fact.exact, fact.instead[0].tensor) for fact in facts] == [
        ("unused", False, variable.handle._id) for variable in (used.kernel, used.bias)
    ]


def test_no_copy_is_made_of_unlike_networks(session) -> None:
    asked, used = Network(1), Network(3)
    loss_of_a_copy(asked, used)
    assert kinds(session) == {"unexplained"}


def test_without_a_copy_nothing_is_known_but_what_the_tape_saw_used(session) -> None:
    used, forgotten = tf.Variable(2.0), tf.Variable(3.0)
    for number in range(LATE + 1):
        with tf.GradientTape() as tape:
            loss = used * forgotten if number < LATE else tf.stop_gradient(used * 2.0)
        gradients = tape.gradient(loss, [used, forgotten])
    assert gradients == [None, None]
    facts = [fact for group in session.facts() for fact in group.facts]
    assert [(fact.kind, fact.gap.rested, fact.gap.recorder_saw) for fact in facts] == [
        ("unexplained", True, True),
        ("unexplained", True, False),
    ]


BREAKS_OFF = """
import tensorflow as tf

v = tf.Variable(2.0, name="v")
for number in range(70):
    with tf.GradientTape() as tape:
        loss = tf.square(v) if number != 60 else tf.square(tf.constant(v.numpy()))
    gradient = tape.gradient(loss, v)  # asked
    v.assign_sub(0.1 * gradient)
"""
GOES_ON = BREAKS_OFF.replace("    v.assign", "    if gradient is not None:\n        v.assign")


def test_a_none_that_ends_the_program_is_told_with_what_would_name_its_line(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "breaks_off.py"
    program.write_text(BREAKS_OFF)
    (told,) = runner.run(program).grave()
    assert (told.code, told.symptom.kind) == ("TW901", "exception")
    assert "recording was paused in this one" in told.message
    assert "--record full" in told.fixes[0].summary


def test_a_none_that_the_program_passes_over_once_is_not_told(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "goes_on.py"
    program.write_text(GOES_ON)
    result = runner.run(program)
    assert result.report is not None and not result.report.diagnoses, result.account()


def test_a_failure_long_after_a_none_that_was_passed_over_is_not_laid_to_it(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "fails_later.py"
    program.write_text(
        GOES_ON + "    if number == 66:\n        raise ValueError(f'the gradient {gradient} is too large')\n"
    )
    result = runner.run(program)
    assert result.exit_code == 1
    assert result.report is not None and not result.report.diagnoses, result.account()
