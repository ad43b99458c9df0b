"""Objects that a refusal read, with what is known of each and how the user's line handed it over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import owners, values, way
from tensorwhy.adapters.refusal.anatomy import Read
from tensorwhy.adapters.refusal.context import Context, is_standard
from tensorwhy.adapters.refusal.described import Described, FrameRule
from tensorwhy.adapters.refusal.way import Arrival


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One object that may be the refused one. `part` is the attribute of it that was refused, if not the whole was."""

    read: Read
    described: Described | None
    arrival: Arrival | None
    part: str = ""

    @property
    def weight(self) -> int:
        """How much speaks for this object being the one that was refused."""
        weight = 6 if self.read.direct else 0
        weight += 4 if self.described is not None else 0
        if self.arrival is not None:
            weight += {"operand": 4, "element": 3, "copy": 2, "part": 1}[self.arrival.how]
        return weight - (6 if self._is_self else 0)

    @property
    def is_own(self) -> bool:
        """Return whether it is the library's own object, whose method failed: that says nothing."""
        return self._is_self and self.arrival is not None and self.arrival.how == "part"

    @property
    def _is_self(self) -> bool:
        return self.read.text in ("self", "cls")


def of_reads(reads: Sequence[Read], context: Context) -> list[Candidate]:
    """All that was read, and of containers what a framework knows of what is in them."""
    return [of_read(each, context) for each in _unfolded(reads, context)]


def of_read(read: Read, context: Context) -> Candidate:
    """One object with how the user's line gave it, or gave what the library made it from."""
    arrival = None
    if not values.trivial(read.thing) or way.passed_down(read.thing, read.text, read.frame, context.stack):
        arrival = way.arrival(read.thing, context.stack, context.sources)
    described = context.describe(read.thing)
    if arrival is None and described is not None and _is_made_here(described, context):
        for before in _behind(read.thing, context):
            arrival = way.arrival(before, context.stack, context.sources)
            read, described = msgspec.structs.replace(read, thing=before), context.describe(before)
            if arrival is not None:
                break
    owner = owners.of(read, context) if arrival is None and described is None else None
    if owner is not None:
        read = msgspec.structs.replace(read, thing=owner.thing)
        arrival = way.arrival(owner.thing, context.stack, context.sources, parts=False)
        part, described = owner.attribute, context.describe(owner.thing)
        return Candidate(read=read, described=described, arrival=arrival, part=part)
    return Candidate(read=read, described=described, arrival=arrival)


def counts(best: Candidate, rule: FrameRule | None, context: Context) -> bool:
    """Whether it is an object of the program's, rather than some inner value of the library's."""
    if best.arrival is None:
        kept = best.read.direct and best.described is not None and best.described.made is not None
        return best.described is not None and (bool(best.described.calls) or kept or rule is not None)
    if rule is not None:
        return True
    if best.described is None and is_standard(context.stack.frames[best.read.frame]):
        return False
    if best.arrival.how == "part":
        return best.described is not None and best.read.direct
    return best.read.direct or best.described is not None


def _unfolded(reads: Sequence[Read], context: Context) -> Iterator[Read]:
    """The objects that were read, and of containers what a framework knows of what is in them."""
    seen: set[int] = set()
    for each in reads:
        if id(each.thing) not in seen or values.trivial(each.thing):
            seen.add(id(each.thing))
            yield each
            if isinstance(each.thing, values.CONTAINERS) or values.holds_objects(each.thing):
                yield from (
                    msgspec.structs.replace(each, thing=inner, direct=each.direct and values.is_weak(each.thing))
                    for inner in values.leaves(each.thing)
                    if id(inner) not in seen and context.describe(inner) is not None
                )


def _is_made_here(described: Described, context: Context) -> bool:
    """Whether the line that failed made it, so that the library did, on the way to its refusal."""
    own = context.stack.own
    at, made = own.location if own is not None else None, described.made
    return at is not None and made is not None and (at.file, at.line) == (made.file, made.line)


def _behind(thing: Any, context: Context) -> Iterator[Any]:
    """What a library computed it from, on its own, in the line that failed."""
    for vocabulary in context.vocabularies:
        if vocabulary.behind is not None:
            yield from vocabulary.behind(thing, context.user)
