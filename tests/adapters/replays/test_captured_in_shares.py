"""What experiments need of a long step is converted in shares, during later steps, and is the same as made at once."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.hooks import kept  # noqa: E402
from tensorwhy.adapters.tensorflow.hooks.captures import Capturing  # noqa: E402
from tensorwhy.recording import journal as j  # noqa: E402

SHARE = 5


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many calls each share converted."""
    counts: list[int] = []
    convert = Capturing.go_on

    def go_on(self: Capturing, most: int) -> int:
        counts.append(convert(self, most))
        return counts[-1]

    monkeypatch.setattr(Capturing, "go_on", go_on)
    return counts


def train(session, steps: int) -> object:
    """Train with one variable lost; return that one. Both change after each step."""
    session.keep_for_experiments()
    used, lost = tf.Variable([2.0, 3.0]), tf.Variable([0.4, 0.6])
    for _ in range(steps):
        with tf.GradientTape() as tape:
            value = tf.round(lost)
            for _ in range(10):
                value = value * used
            loss = tf.reduce_sum(value)
        gradient, _ = tape.gradient(loss, [used, lost])
        used.assign_sub(0.001 * gradient)
        lost.assign_add([1.0, 1.0])
    return lost


def test_no_step_converts_more_than_two_shares(session, monkeypatch: pytest.MonkeyPatch, shares: list[int]) -> None:
    monkeypatch.setattr(kept, "SHARE", SHARE)
    train(session, 1)
    assert shares == []
    train(session, 2)
    assert max(shares) == SHARE


@pytest.mark.parametrize("share", [SHARE, kept.SHARE])
def test_the_values_are_those_of_the_question(session, monkeypatch: pytest.MonkeyPatch, share: int) -> None:
    monkeypatch.setattr(kept, "SHARE", share)
    lost = train(session, 2)
    (capture,) = session.recorder.kept.captures.values()
    assert [call.name for call in capture.calls].count("Mul") == 10
    assert capture.values[j.variable(lost.handle._id)].numpy().tolist() == pytest.approx([0.4, 0.6])
    assert [value.numpy().tolist() for value in capture.values.values()].count([2.0, 3.0]) >= 1


def test_a_step_is_kept_whole_when_nothing_comes_after_it(session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "SHARE", SHARE)
    train(session, 1)
    (capture,) = session.recorder.kept.captures.values()
    assert [call.name for call in capture.calls].count("Mul") == 10
