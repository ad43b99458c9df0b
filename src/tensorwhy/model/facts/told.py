"""Words for a fact that the adapter supplies: each framework has its own, and rules know none.

A rule decides what a fact means. Where the fact brings its own words, what the rule says of it is said in these.
"""

from __future__ import annotations

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Certainty, Fix, PathStep, Severity, TensorRef


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A break in the words of its framework.

    `why` ends the sentence that begins with the gradient that is missing. `label` stands under the line of the break,
    `related` beside further lines. `location` is the line where it is not that of the break. `severity` is what the
    adapter knows of the harm; None where the rules have to find out. `head` replaces how the sentence begins, and
    `asked` what stands under the line that asked.
    """

    why: str
    label: str
    head: str = ""
    asked: str = ""
    related: tuple[Marked, ...] = ()
    location: Location | None = None
    severity: Severity | None = None
    certainty: Certainty | None = None
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()


class Observed(Fact, frozen=True, kw_only=True):
    """What an adapter saw that is a reason by itself, in the words of its framework; `slug` names the reason,
    `noun` what a variable is called there."""

    slug: str
    message: str
    label: str
    location: Location | None
    related: tuple[Marked, ...] = ()
    severity: Severity | None = None
    certainty: Certainty = "proved"
    source: TensorRef | None = None
    also: tuple[TensorRef, ...] = ()
    noun: str = "variable"
    path: tuple[PathStep, ...] = ()
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
