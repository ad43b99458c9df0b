"""When operations are recorded: at first, after news, and never too often."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorflow.python import pywrap_tfe  # noqa: E402
from tensorflow.python.framework import constant_op, ops  # noqa: E402

from tensorwhy.adapters.tensorflow.hooks.attention import ENOUGH, FREE, NONES, Attention  # noqa: E402
from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _attention(always: bool = False, clock: Clock | None = None) -> Attention:
    return Attention(lambda: None, lambda: None, always, clock or Clock())


def _settled(attention: Attention, site: int) -> None:
    attention.opened(site)
    while attention.armed:
        attention.gradient(site, lost=False, whole=True)


def _busy(attention: Attention, clock: Clock) -> None:
    """Open tapes at ever new places until that is not recorded any more."""
    for site in range(10 * FREE):
        attention.opened(site)
        if not attention.armed:
            return
        for _ in range(ENOUGH):
            clock.now += 1.0
            attention.gradient(site, lost=False, whole=True)


def test_a_known_call_site_takes_the_hooks_out() -> None:
    attention = _attention()
    _settled(attention, 1)
    assert attention.steps == ENOUGH


def test_a_none_at_a_known_site_brings_the_hooks_back_until_it_was_recorded() -> None:
    attention = _attention()
    _settled(attention, 1)
    attention.gradient(1, lost=True, whole=False)
    assert attention.armed
    attention.gradient(1, lost=True, whole=True)
    _settled(attention, 1)
    attention.gradient(1, lost=True, whole=False)
    assert not attention.armed


def test_full_recording_never_rests() -> None:
    attention = _attention(always=True)
    for _ in range(100):
        attention.gradient(1, lost=False, whole=True)
    assert attention.armed


def test_what_was_recorded_is_told_by_numbers_of_steps() -> None:
    attention = _attention()
    _settled(attention, 1)
    for _ in range(10):
        attention.gradient(1, lost=False, whole=False)
    assert attention.in_words() == ""
    _settled(attention, 2)
    assert attention.recorded[0] == (1, 3)
    assert attention.recorded[1][0] == 14
    assert "recorded: 1 to 3, 14 to" in attention.in_words()


def test_new_sites_without_end_are_not_recorded_without_end() -> None:
    clock = Clock()
    attention = _attention(clock=clock)
    _busy(attention, clock)
    assert attention.rearmed == FREE
    assert attention.refused == 1
    attention.gradient(-1, lost=False, whole=False)
    assert "2 new call sites came after recording had used its share of the time" in attention.in_words()


def test_after_a_long_quiet_time_a_new_site_is_recorded_again() -> None:
    clock = Clock()
    attention = _attention(clock=clock)
    _busy(attention, clock)
    clock.now += 100_000
    attention.opened(-1)
    assert attention.armed


def test_a_none_is_recorded_even_when_the_share_is_used_up_but_not_for_ever() -> None:
    clock = Clock()
    attention = _attention(clock=clock)
    for site in range(1 + FREE + 2 * NONES):
        if not attention.armed:
            attention.gradient(site, lost=True, whole=False)
        for _ in range(3 if attention.armed else 0):
            clock.now += 1.0
            attention.gradient(site, lost=True, whole=True)
    assert attention.rearmed == FREE + NONES
    assert attention.refused == NONES


HOOKED = [
    *(
        (pywrap_tfe, name)
        for name in (
            "TFE_Py_FastPathExecute",
            "TFE_Py_Execute",
            "TFE_Py_TapeVariableAccessed",
            "TFE_Py_TapeSetRecordOperation",
            "TFE_Py_TapeSetStopOnThread",
        )
    ),
    (constant_op, "convert_to_eager_tensor"),
    (ops._EagerTensorBase, "_numpy"),
    (ops._EagerTensorBase, "numpy"),
]


def _step(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def test_at_rest_tensorflow_runs_its_own_functions_and_the_journal_does_not_grow() -> None:
    own = [vars(owner)[name] for owner, name in HOOKED]
    session = TensorFlowSession(UserCode(), "auto")
    session.start()
    try:
        x = tf.constant(3.0)
        assert all(vars(owner)[name] is not before for (owner, name), before in zip(HOOKED, own))
        for number in range(50):
            if number == ENOUGH:
                size = session.journal.position
            if number >= ENOUGH:
                assert [vars(owner)[name] for owner, name in HOOKED] == own
            _step(x)
        assert session.journal.position == size
        with tf.GradientTape() as tape:  # a new place
            tape.watch(x)
            y = tf.sin(x)
        assert session.attention.armed
        tape.gradient(y, x)
        assert any(session.journal.names[event.name] == "Sin" for event in session.journal.events(size))
    finally:
        session.close()
    assert [vars(owner)[name] for owner, name in HOOKED] == own


def test_each_call_site_is_counted_whole_and_with_a_none() -> None:
    attention = _attention(always=True)
    attention.gradient(1, lost=True, whole=True)
    attention.gradient(1, lost=False, whole=True)
    attention.gradient(1, lost=True, whole=False)
    attention.ran(2, lost=True, whole=True, times=5)
    assert attention.sites == {1: (2, 1), 2: (5, 5)}
