"""Most calls of a traced function are only counted; whoever asks gets the right number all the same."""

from __future__ import annotations

import inspect

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.hooks import calls  # noqa: E402
from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture
def session(either_hot_path):
    session = TensorFlowSession(UserCode(), "full")
    session.start()
    yield session
    session.close()
    assert session.recorder.failure is None


def _step():
    variable = tf.Variable(1.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = variable * x
        return tape.gradient(loss, variable)

    return step


def test_calls_that_were_only_counted_are_steps_whenever_somebody_asks(session) -> None:
    step, x = _step(), tf.constant(2.0)
    for number in range(1, 40):
        step(x)
        if number in (7, 21, 39):
            assert session.coverage().steps_recorded == number
    assert session.attention.recorded == [(1, 39)]


def test_python_is_asked_for_few_of_the_calls_of_one_function(session, monkeypatch) -> None:
    step, x, told = _step(), tf.constant(2.0), []
    run = session.tapes.updates.run
    ran = run._ran
    monkeypatch.setattr(run, "_ran", lambda owner, times, given: (told.append(times), ran(owner, times, given))[1])
    for _ in range(68):
        step(x)
    assert session.coverage().steps_recorded == 68
    assert sum(told) == 68
    assert len(told) < 30


def test_functions_that_take_turns_are_counted_each_for_itself(session) -> None:
    first, second, x = _step(), _step(), tf.constant(2.0)
    for number in range(24):
        first(x)
        if number % 3 == 0:
            second(x)
    session.tapes.updates.run.settle()
    assert sorted(session.tapes.updates.calls.values()) == [8, 24]
    assert session.coverage().steps_recorded == 32


def test_python_is_asked_for_few_of_the_calls_of_functions_that_take_turns(session, monkeypatch) -> None:
    first, second, x, told = _step(), _step(), tf.constant(2.0), []
    run = session.tapes.updates.run
    ran = run._ran
    monkeypatch.setattr(run, "_ran", lambda owner, times, given: (told.append(times), ran(owner, times, given))[1])
    for _ in range(68):
        first(x)
        second(x)
    assert session.coverage().steps_recorded == 136
    assert sum(told) == 136
    assert len(told) < 60


def test_what_a_traced_function_raises_comes_through_and_the_next_call_is_counted(session) -> None:
    step = _step()
    step(tf.constant(2.0))
    with pytest.raises((TypeError, ValueError)):
        step()
    step(tf.constant(2.0))
    assert session.coverage().steps_recorded == 2


def test_a_traced_function_is_called_as_a_method_with_its_own_signature(session) -> None:
    function = calls._function_class()
    hooked = inspect.signature(function.__call__)
    session.close()
    assert hooked == inspect.signature(function.__call__)
    assert inspect.signature(_step()) is not None


def _kept(session) -> list[str]:
    """The names of the operations and functions whose calls are kept."""
    return [name for _, name, *_ in session.recorder.kept._calls]


def test_a_long_training_without_a_tape_in_eager_code_is_not_kept_to_its_end(session) -> None:
    kept = session.recorder.kept
    kept.start()
    step, x = _step(), tf.constant(2.0)
    for _ in range(300):
        step(x)
    assert sum(map(kept.is_function, _kept(session))) < 200
    tf.sin(x)
    assert _kept(session)[-1] == "Sin"


def test_calls_under_a_tape_are_kept_after_a_long_training_without_one(session) -> None:
    kept = session.recorder.kept
    kept.start()
    step, x = _step(), tf.constant(2.0)
    for _ in range(300):
        step(x)
    with tf.GradientTape():
        step(x)
    assert kept.is_function(_kept(session)[-1])
