"""Rows are read as they were written, also when others were taken out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import RECENT, Journal


def _filled(sizes: list[int]) -> tuple[Journal, list[int]]:
    journal, starts = Journal(), []
    for number, size in enumerate(sizes):
        starts.append(journal.position)
        journal.add(j.OP, "Add", number, tuple(range(size)), (number << 8 | 1,))
    return journal, starts


def test_rows_come_back_as_they_were_written() -> None:
    journal, starts = _filled([2, 0, 3])
    events = list(journal.events())
    assert [event.index for event in events] == starts
    assert [event.inputs for event in events] == [(0, 1), (), (0, 1, 2)]
    assert [event.outputs for event in events] == [(0,), (1,), (2,)]
    assert events[0].dtypes == (1,)
    assert journal.names[events[0].name] == "Add"


def test_what_was_written_lately_is_moved_on_when_it_has_grown() -> None:
    journal, _ = _filled([2] * RECENT)
    assert len(journal.recent) <= RECENT
    assert len(list(journal.events())) == RECENT


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=30),
    st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=8),
)
def test_rows_keep_their_numbers_when_others_are_taken_out(sizes: list[int], taken: list[tuple[int, int]]) -> None:
    journal, starts = _filled(sizes)
    borders = [*starts, journal.position]
    left = set(range(len(sizes)))
    for one, other in taken:
        first, last = sorted((min(one, len(sizes)), min(other, len(sizes))))
        if any(number not in left for number in range(first, last)):
            continue  # rows are taken out once
        journal.forget(borders[first], borders[last])
        left -= set(range(first, last))
    expected = [(starts[number], number) for number in sorted(left)]
    assert [(event.index, event.place) for event in journal.events()] == expected
    assert journal.position == borders[-1]
    for start, number in expected:
        assert journal.event(start).place == number
    for first in range(len(borders)):
        found = [event.place for event in journal.events(borders[first], borders[-1])]
        assert found == [number for number in sorted(left) if number >= first]
    journal.add(j.OP, "Mul", 99, ())
    assert [event.place for event in journal.events(borders[-1])] == [99]


def test_an_index_has_each_operation_either_entered_or_given() -> None:
    journal = Journal()
    journal.add(j.OP, "Add", -1, (1, 2), (3 << 8 | 1,))
    journal.add(j.GRAPH_OP, "Mul", -1, (), (4 << 8 | 2,))
    journal.add(j.RECORDED, "Add", -1, (1,), (3 << 8 | 1,))
    journal.add(j.OP, "Split", -1, (3,), (5 << 8 | 1, 6 << 8 | 1))
    journal.add(j.OP, "AssignVariableOp", -1, (7, 3), (8 << 8 | 1,))
    journal.add(j.OP, "Add", -1, (1,), (4 << 8 | 1,))
    rows = [event.index for event in journal.events()]
    made: dict[int, int | list[int]] = {}
    dtypes: dict[int, int] = {}
    others = journal.others(made, dtypes, frozenset({journal.name("AssignVariableOp")}))
    assert [event.index for event in others] == rows[2:]
    assert made == {3: rows[0], 4: rows[1]}
    assert dtypes == {3: 1, 4: 2}
