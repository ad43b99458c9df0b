"""`auto` knows a traced training step after a while: its calls are counted, and leave no rows in the journal."""

from __future__ import annotations

import itertools
import threading

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

KNOWN = 40
"""By then the function is known, and calls are only counted."""


@pytest.fixture
def start(either_hot_path):
    sessions = []

    def begin(record="auto"):
        sessions.append(TensorFlowSession(UserCode(), record))
        sessions[-1].start()
        return sessions[-1]

    yield begin
    for session in sessions:
        session.close()
        assert session.recorder.failure is None


def _step():
    variable = tf.Variable(1.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = variable * x
        variable.assign_sub(0.01 * tape.gradient(loss, variable))
        return loss

    return step


def _rows_of(session, call, times: int = 1) -> int:
    before = session.journal.position
    for _ in range(times):
        call()
    return session.journal.position - before


def test_calls_of_a_training_step_that_is_known_leave_no_rows_and_are_counted(start) -> None:
    session, step, x = start(), _step(), tf.constant(2.0)
    assert _rows_of(session, lambda: step(x), KNOWN) > 0
    assert _rows_of(session, lambda: step(x), 200) < 20 * 4  # a few are looked at, and are written
    assert session.coverage().steps_recorded == KNOWN + 200


def test_all_calls_leave_rows_where_everything_is_recorded(start) -> None:
    session, step, x = start("full"), _step(), tf.constant(2.0)
    step(x)  # is traced
    rows = _rows_of(session, lambda: step(x), KNOWN)
    assert _rows_of(session, lambda: step(x), 5 * KNOWN) >= 4 * rows


def test_calls_of_a_function_that_trains_nothing_leave_rows(start) -> None:
    session, encode, x = start(), tf.function(lambda x: tf.sin(x)), tf.constant(2.0)
    encode(x)  # is traced
    rows = _rows_of(session, lambda: encode(x), KNOWN)
    assert _rows_of(session, lambda: encode(x), 5 * KNOWN) >= 4 * rows


def test_operations_between_the_calls_leave_rows(start) -> None:
    session, step, x = start(), _step(), tf.constant(2.0)
    _rows_of(session, lambda: step(x), KNOWN)
    assert _rows_of(session, lambda: (step(x), tf.sin(x)), 20) >= 20 * 4


def test_another_thread_leaves_rows_while_a_call_runs(start) -> None:
    session, x = start(), tf.constant(2.0)
    variable, seen = tf.Variable(1.0), []

    def beside():
        thread = threading.Thread(target=lambda: seen.append(_rows_of(session, lambda: other(x))))
        thread.start()
        thread.join()

    other = tf.function(lambda x: tf.sin(x))

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = variable * x
        tf.py_function(beside, [], [])
        return tape.gradient(loss, variable)

    _rows_of(session, lambda: step(x), KNOWN)
    seen.clear()
    _rows_of(session, lambda: step(x), 10)
    assert len(seen) == 10
    assert min(seen) > 0


def test_under_a_tape_calls_leave_rows_again(start) -> None:
    session, step, x = start(), _step(), tf.constant(2.0)
    _rows_of(session, lambda: step(x), KNOWN)
    with tf.GradientTape():
        assert _rows_of(session, lambda: step(x), 3) >= 3 * 4


def test_a_call_that_traces_anew_leaves_rows(start) -> None:
    session, step = start(), _step()
    _rows_of(session, lambda: step(tf.constant(2.0)), KNOWN)
    longer = tf.constant([2.0, 3.0])
    assert _rows_of(session, lambda: step(longer)) > 0


def test_what_such_a_call_gave_is_not_taken_for_something_from_outside(start) -> None:
    session, x = start(), tf.constant(2.0)
    variable = tf.Variable(1.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = variable * x
        return tape.gradient(loss, x)

    for _ in range(KNOWN + 7):
        direction = step(x)
    with tf.GradientTape() as tape:
        loss = direction * 2.0
    tape.gradient(loss, variable)
    (group,) = session.facts()
    assert [fact.kind for fact in group.facts] == ["unexplained"]
    assert group.facts[0].gap.used is not None


def test_what_is_made_once_calls_are_written_again_is_known_to_come_from_outside(start) -> None:
    session, step, x = start(), _step(), tf.constant(2.0)
    for _ in range(KNOWN + 7):
        step(x)
    assert session.recorder.unwritten
    with tf.GradientTape():
        made = tf.constant(3.0)
        ((first, last),) = session.recorder.left_out
        assert first < last < made._id
    assert not session.recorder.unwritten


def test_the_times_in_which_calls_left_no_rows_do_not_grow_without_end(start) -> None:
    session = start()
    for function in range(1, 300):
        session.recorder.leave_out(function)
        session.recorder.write_all()
    spans = session.recorder.left_out
    assert len(spans) <= 64
    assert all(first < last for first, last in spans)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))
