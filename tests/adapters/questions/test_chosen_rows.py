"""What made an index of a value, where the index is what gets no gradient."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def found(session: Any) -> list[Any]:
    return [fact for group in session.facts() for fact in group.facts if fact.kind == "index-input"]


def looked_up(pick: Any) -> None:
    table, scores = tf.Variable(tf.ones((5, 2))), tf.Variable(tf.ones((3, 5)))
    with tf.GradientTape() as tape:
        rows = pick(scores)
        loss = tf.reduce_sum(tf.gather(table, rows))
    assert tape.gradient(loss, scores) is None


def test_the_largest_score_is_what_chose_the_row(session) -> None:
    looked_up(lambda scores: tf.argmax(scores, axis=1))
    assert [fact.chosen_by for fact in found(session)] == ["ArgMax"]


def test_a_draw_is_what_chose_the_row(session) -> None:
    looked_up(lambda scores: tf.random.categorical(scores, 1)[:, 0] + 0)
    assert [fact.chosen_by for fact in found(session)] == ["Multinomial"]


def test_a_cast_is_a_break_of_its_own(session) -> None:
    looked_up(lambda scores: tf.cast(scores[:, 0], tf.int32))
    assert [fact.chosen_by for fact in found(session)] == [""]
