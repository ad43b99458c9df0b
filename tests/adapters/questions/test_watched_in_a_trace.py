"""A tape that is told to watch an argument inside of a traced function: what stands for it there is another tensor."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def asked(session: Any, watches: bool) -> Any:
    scale, x = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:

        @tf.function
        def score(scale: Any, x: Any) -> Any:
            if watches:
                tape.watch(x)
            return scale * x

        y = score(scale, x)
    assert tape.gradient(y, x) is None
    [fact] = [fact for group in session.facts() for fact in group.facts]
    assert (fact.kind, fact.watched) == ("not-watched", "never")
    return fact.watched_at


def test_the_line_that_watches_it_there_is_told(session) -> None:
    assert asked(session, watches=True).function.endswith("score")


def test_no_line_is_told_where_none_does(session) -> None:
    assert asked(session, watches=False) is None
