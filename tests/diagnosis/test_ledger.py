"""A row of the ledger is explained by its first broken link, and rows with the same break are one finding."""

from __future__ import annotations

from tensorwhy.diagnosis.ledger import findings, first_broken
from tensorwhy.model.facts.training import NotAsked, NotHanded, NotMoved
from tensorwhy.model.ledger import Entry, Row
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable

STEP = Location(file="train.py", line=9)
NO_LIST = NotAsked(problem="left-out", asked=STEP)
DROPPED = NotHanded(problem="dropped", asked=STEP)
STUCK = NotMoved(problem="never-changed", asked=STEP)


def row(name: str, *entries: Entry) -> Row:
    return Row(variable=Variable(tensor=1, name=name), entries=entries)


def test_the_first_broken_link_comes_before_its_consequences() -> None:
    broken = row("w", Entry(link="update", cause=STUCK), Entry(link="asked", cause=NO_LIST))
    entry = first_broken(broken)
    assert entry is not None and entry.link == "asked"


def test_of_two_causes_of_one_link_the_first_that_was_entered_counts() -> None:
    other = NotHanded(problem="never-applied", asked=STEP)
    entry = first_broken(row("w", Entry(link="handed", cause=DROPPED), Entry(link="handed", cause=other)))
    assert entry is not None and entry.cause is DROPPED


def test_a_row_without_a_broken_link_has_no_finding() -> None:
    assert first_broken(row("w")) is None and not [*findings([row("w")])]


def test_variables_with_the_same_break_are_one_finding() -> None:
    rows = [row(name, Entry(link="update", cause=STUCK)) for name in ("a", "b")]
    rows.append(row("c", Entry(link="handed", cause=DROPPED)))
    found = [(type(fact).__name__, [each.name for each in fact.variables]) for fact in findings(rows)]
    assert found == [("NotMoved", ["a", "b"]), ("NotHanded", ["c"])]
