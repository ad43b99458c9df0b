"""The line by which several copies of one network were used."""

from __future__ import annotations

from tensorwhy.lineage.places import shared_line
from tensorwhy.model.location import Location
from tensorwhy.recording.journal import Frame


def chain(*lines: int, direct: bool = True) -> tuple[Frame, ...]:
    """A call stack, innermost first: each call made by the user's own code, unless it is not `direct`."""
    return tuple(Frame(Location(file="a.py", line=line), direct) for line in lines)


ASKED = chain(40, 90)


def test_a_single_copy_is_used_at_its_innermost_line() -> None:
    used = chain(17, 39, 90)
    found = shared_line(used, ASKED, [used])
    assert found is not None and found.line == 17


def test_copies_that_are_used_side_by_side_are_used_where_they_were_called() -> None:
    rows = [chain(17, 39, 90), chain(18, 39, 90)]
    assert {found.line for row in rows if (found := shared_line(row, ASKED, rows))} == {39}


def test_a_line_that_a_library_called_is_not_it() -> None:
    rows = [chain(17, 39, 90, direct=False), chain(18, 39, 90, direct=False)]
    assert {found.line for row in rows if (found := shared_line(row, ASKED, rows))} == {39}


def test_copies_that_have_no_line_in_common_are_used_at_their_own() -> None:
    rows = [chain(17, 38, 90), chain(18, 39, 90)]
    assert [found.line for row in rows if (found := shared_line(row, ASKED, rows))] == [17, 18]
