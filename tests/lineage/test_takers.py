"""What takes a value is the same, whether the rows are read in order or looked up."""

from __future__ import annotations

import random

import pytest

from tensorwhy.lineage.takers import _READ, Takers
from tensorwhy.recording.journal import Event


class Rows:
    """A journal of random rows, each of which takes some earlier values."""

    def __init__(self, seed: int) -> None:
        drawn = random.Random(seed)
        self._rows = [
            Event(index, 0, 0, 0, 0, tuple(drawn.choices(range(max(index, 1)), k=drawn.randint(0, 3))), (index,), (0,))
            for index in range(60)
        ]

    def events(self, start: int = 0, end: int | None = None):
        return iter(self._rows[start:end])

    def event(self, at: int) -> Event:
        return self._rows[at]


def followed(takers: Takers, value: int, start: int, end: int) -> list[int]:
    tensors, found = {value}, []
    ahead = takers.ahead((value,), start, end)
    for event in ahead:
        if tensors.intersection(event.inputs):
            tensors.update(event.outputs)
            ahead.follow(event.outputs)
            found.append(event.index)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_rows_that_are_looked_up_are_those_that_are_read(seed: int) -> None:
    questions = [(value, start, end) for value in range(60) for start in (0, 10, 30) for end in (25, 40, 60)]
    looked_up = Takers(Rows(seed))  # type: ignore[arg-type]

    for question in questions:
        read = Takers(Rows(seed))  # type: ignore[arg-type]
        assert followed(looked_up, *question) == followed(read, *question)
    assert len(questions) > _READ


def test_an_index_passes_over_what_takes_nothing_of_it() -> None:
    takers = Takers(Rows(0))  # type: ignore[arg-type]
    for _ in range(_READ):
        takers.ahead((0,), 0, 60)

    assert list(takers.ahead((59,), 0, 60)) == []
