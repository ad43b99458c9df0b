"""Steps that each train variables of their own: the same lines create them again, and the ones before are forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_STEADILY = 3
_MOST = 256
_APPLYING = ("ResourceApply", "ResourceSparseApply", "AssignSubVariableOp")


class _Site:
    """One place that asks for gradients: how often its first variable was one that had not been there before."""

    def __init__(self) -> None:
        self.row = 0
        self.firsts: set[int] = set()
        self.ever_again = False
        self.made: tuple[Location | None, ...] = ()
        self.handles: tuple[int, ...] = ()

    def is_steady(self) -> bool:
        """Return whether its variables were created anew each time."""
        return not self.ever_again and self.row >= _STEADILY


class MadeAnew:
    """`sites` by the place of the gradient call."""

    def __init__(self) -> None:
        self.sites: dict[int, _Site] = {}

    def asked(self, place: int, raw: Sequence[Any]) -> None:
        """A gradient was computed for these sources."""
        first = handle_of(raw[0]) if len(raw) else -1
        site = self.sites.get(place)
        if site is None:
            if first < 0 or len(self.sites) >= _MOST:
                return
            site = self.sites[place] = _Site()
        if first < 0 or site.ever_again or first in site.firsts:
            site.ever_again = True
            site.firsts.clear()
            return
        if len(site.firsts) < _MOST:
            site.firsts.add(first)
        site.row += 1
        if site.row <= _STEADILY:
            made = tuple(creations.made(each) for each in raw)
            site.ever_again = bool(site.made) and (made != site.made or None in made)
            site.made, site.handles = made, (*site.handles, *map(handle_of, raw))


def facts(session: Any) -> Iterator[Observed]:
    """One fact for each place whose variables were updated, and that nobody asked about again."""
    steady = {place: site for place, site in session.tapes.made_anew.sites.items() if site.is_steady()}
    moved = {*session.tapes.applied.handles}
    for event in session.journal.events() if steady else ():
        if event.inputs and session.journal.names[event.name].startswith(_APPLYING):
            moved.add(event.inputs[0])
    for place, site in steady.items():
        if not moved.isdisjoint(site.handles):
            yield _told(site, session.journal.location(place))


def _told(site: _Site, asked: Location | None) -> Observed:
    sources = Sources()
    lines = [reading.exact(each, sources) or each for each in dict.fromkeys(site.made) if each is not None]
    first, *others = lines
    call = reading.call_at(first, sources)
    stored = call is not None and reading.callee(call) == "get_variable"
    return Observed(
        slug="created-each-call",
        message=f"each of {site.row} steps trained {len(site.made)} new variables, and none of them was used again: "
        "training has no effect",
        label="creates a new variable each time it runs" + (", also with `reuse`: there is no store" if stored else ""),
        location=first,
        related=(
            *(Marked.at(each, "and here", "made") for each in others[:2]),
            *((Marked.at(asked, "the new variables are trained here, once", "asked"),) if asked is not None else ()),
        ),
        severity="warning",
        fixes=(
            Fix(
                summary="let the function keep its variables: `net = tf.compat.v1.make_template('net', net)`"
                if stored
                else "create the variables once, before the loop, and use them in each step",
                caveat="outside of graphs, `get_variable` reuses nothing"
                if stored
                else "unless each is meant to be optimized in a single step",
            ),
        ),
    )
