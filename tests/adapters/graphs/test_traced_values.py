"""Python values that a trace has read are compared when its graph runs: each time at first, then now and again."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.import_hooks import traced_values  # noqa: E402
from tensorwhy.adapters.tensorflow.tracing import frozen  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture
def watch(either_hot_path):
    uninstall = traced_values.install(UserCode())
    yield frozen.CURRENT[-1]
    uninstall()


class Schedule:
    """Its rate becomes a constant of the graph."""

    def __init__(self) -> None:
        self.rate = 0.5
        self.step = tf.function(self._step)

    def _step(self, x):
        return x * self.rate


def test_a_value_that_changes_after_hundreds_of_runs_is_still_found(watch) -> None:
    schedule, x = Schedule(), tf.constant(2.0)
    for number in range(400):
        if number == 320:
            schedule.rate = 0.25
        assert schedule.step(x).numpy() == 1.0
    (found,) = watch.stale()
    assert (found.name, found.frozen, found.now) == ("self.rate", "0.5", "0.25")
    assert 80 - 2 * (400 // 16) < found.stale_calls <= 80


def test_each_of_the_first_runs_counts(watch) -> None:
    schedule, x = Schedule(), tf.constant(2.0)
    for number in range(60):
        schedule.rate = 0.25 if number in (30, 57, 58) else 0.5
        schedule.step(x)
    (found,) = watch.stale()
    assert found.stale_calls == 3


def test_after_many_runs_most_are_only_counted(watch, monkeypatch) -> None:
    schedule, x, looked = Schedule(), tf.constant(2.0), []
    called = watch.called
    monkeypatch.setattr(watch, "called", lambda *args: (looked.append(1), called(*args)))
    for _ in range(600):
        schedule.step(x)
    before = len(looked)
    assert 64 < before < 120
    for _ in range(20):
        Schedule().step(x)  # each is traced, and may stand where a function stood that is gone
    assert len(looked) == before + 20


def test_what_a_concrete_function_raises_comes_through(watch) -> None:
    @tf.function
    def checked(x):
        tf.debugging.assert_positive(x)
        return x

    with pytest.raises(tf.errors.InvalidArgumentError):
        checked(tf.constant(-1.0))
