"""What was computed twice, in the same way and from the same, is one value."""

from __future__ import annotations

from support.lineages import FLOAT, lineage_of
from tensorwhy.lineage.twice import computed_twice
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal

WEIGHT, OTHER = 1, 2


def _twice(journal: Journal, left: int, right: int, since: int = 0) -> bool:
    return computed_twice(lineage_of(journal), (left, right), since)


def _journal(*rows: tuple[str, tuple[int, ...], int]) -> Journal:
    journal = Journal()
    for name, inputs, made in rows:
        journal.add(j.OP if inputs else j.ENTRY, name, -1, inputs, (made << 8 | FLOAT,))
    return journal


def test_two_calls_with_the_same() -> None:
    assert _twice(_journal(("Add", (WEIGHT, OTHER), 11), ("Add", (WEIGHT, OTHER), 12)), 11, 12)


def test_one_tensor_was_not_computed_twice() -> None:
    assert not _twice(_journal(("Add", (WEIGHT, OTHER), 11)), 11, 11)


def test_another_operation() -> None:
    assert not _twice(_journal(("Add", (WEIGHT,), 11), ("Stop", (WEIGHT,), 12)), 11, 12)


def test_the_same_of_another() -> None:
    assert not _twice(_journal(("Add", (WEIGHT,), 11), ("Add", (OTHER,), 12)), 11, 12)


def test_one_of_them_before_the_tape() -> None:
    assert not _twice(_journal(("Add", (WEIGHT,), 11), ("Add", (WEIGHT,), 12)), 11, 12, since=1)


def test_numbers_from_outside_are_not_compared() -> None:
    rows = ("float", (), 21), ("float", (), 22), ("Add", (WEIGHT, 21), 11), ("Add", (WEIGHT, 22), 12)
    assert _twice(_journal(*rows), 11, 12)


def test_long_ways_are_walked_once() -> None:
    rows, left, right = [], WEIGHT, WEIGHT
    for step in range(100):
        rows += [("Add", (left, left), 100 + step), ("Add", (right, right), 300 + step)]
        left, right = 100 + step, 300 + step
    assert _twice(_journal(*rows), left, right)
