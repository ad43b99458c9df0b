"""A long recording keeps its last steps and those that are needed, and memory does not grow with its length."""

from __future__ import annotations

import gc
import weakref

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture
def session():
    session = TensorFlowSession(UserCode(), "full")
    session.keep_steps(10)
    session.start()
    yield session
    session.close()
    assert session.recorder.failure is None


def _train(steps: int, lose_in: int | None = None) -> None:
    x, variable = tf.constant(3.0), tf.Variable(2.0)
    early = x * variable
    for number in range(steps):
        with tf.GradientTape() as tape:
            y = early if number == lose_in else variable * x
        gradient = tape.gradient(y, variable)
        if gradient is not None:
            variable.assign_sub(0.01 * gradient)


def test_the_journal_does_not_grow_with_the_steps(session) -> None:
    _train(50)
    size = len(session.journal.rows)
    _train(500)
    assert len(session.journal.rows) < 2 * size
    assert session.window.dropped > 400


def test_a_step_in_which_a_gradient_was_lost_is_explained_long_after(session) -> None:
    _train(300, lose_in=20)
    assert session.window.dropped > 200
    kinds = [fact.kind for group in session.facts() for fact in group.facts]
    assert kinds == ["not-recorded"]


def test_the_report_says_what_was_let_go_of_and_still_counts_it(session) -> None:
    _train(100)
    coverage = session.coverage()
    assert coverage.steps_recorded == 100
    assert coverage.recorded_ops > 400
    assert any("dropped" in line for line in coverage.unobserved)


def test_rows_that_a_trace_has_still_to_write_stay(session) -> None:
    session.journal.unread = 0
    _train(100)
    assert session.window.dropped == 0
    session.journal.unread = session.journal.position
    _train(30)
    assert session.window.dropped > 90


def test_what_ran_in_front_of_the_tape_is_explained_long_after(session) -> None:
    x, variable = tf.constant(3.0), tf.Variable(2.0)
    for number in range(100):
        before = variable * x
        with tf.GradientTape() as tape:
            y = before * 2.0 if number == 20 else variable * x
        tape.gradient(y, variable)
    assert session.window.dropped > 50
    kinds = [fact.kind for group in session.facts() for fact in group.facts]
    assert kinds == ["not-recorded"]


def test_calls_of_traced_functions_are_steps_where_no_tape_is_opened(session) -> None:
    variable = tf.Variable(2.0)

    @tf.function
    def train(x):
        with tf.GradientTape() as tape:
            y = variable * x
        variable.assign_sub(0.01 * tape.gradient(y, variable))

    for _ in range(100):
        train(tf.constant(3.0))
    size = len(session.journal.rows)
    for _ in range(1000):
        train(tf.constant(3.0))
    assert len(session.journal.rows) < 2 * size
    assert session.window.dropped > 900


def test_calls_beside_tapes_are_no_steps_of_their_own(session) -> None:
    double = tf.function(lambda x: 2.0 * x)
    x, variable = tf.constant(3.0), tf.Variable(2.0)
    lost = []
    for _ in range(40):
        double(x)
        with tf.GradientTape() as tape:
            y = variable * x
        lost.append(session.window.dropped)
        tape.gradient(y, variable)
    assert max(lost) <= 40 - 10


def test_what_is_kept_for_experiments_is_let_go_of_without_a_collection(session) -> None:
    session.keep_for_experiments()
    x = tf.constant(3.0)
    alive = weakref.ref(x)
    gc.collect()
    gc.disable()
    try:
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(x * 2.0)
        assert tape.gradient(y, x) is None
        assert session.recorder.kept.captures
        session.recorder.kept.close()
        del tape, x, y
        assert alive() is None
    finally:
        gc.enable()
