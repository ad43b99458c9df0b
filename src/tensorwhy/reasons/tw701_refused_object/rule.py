"""TW701 refused-object: a library raised, and this object of the program's is what it could not take."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.recording.sources import Sources

META = ReasonMeta(
    code="TW701",
    slug="refused-object",
    family="refusal",
    summary="A library refused an object: what it was, where it came from, and which condition it failed.",
)

_LONG = 60


def match(case: Case) -> Evidence | None:
    """Holds when a library raised because of an object of the program's, and no reason has a name for it."""
    fact = case.fact
    if not isinstance(fact, RefusedObject):
        return None
    placed = fact.thing.what == "call"
    primary = fact.used if placed else fact.parked or fact.used
    related = [*_origins(fact, primary, case.sources)]
    if placed and fact.parked is not None:
        related.append(Marked.at(fact.parked, "this is traced around it", "around"))
    elif fact.parked is not None:
        related.append(Marked.at(fact.used, f"{code(fact.call)} reads it from there, and fails", "used"))
    if fact.rebound is not None:
        related.append(Marked.at(fact.rebound, f"{code(fact.call)} was this function before", "rebound"))
    return Evidence(
        message=_message(fact),
        primary=Marked.at(primary, _label(fact), "refused"),
        related=tuple(related),
        certainty="proved" if fact.sure and fact.parked is None else "likely",
        source=TensorRef(name=fact.thing.text or fact.thing.name, kind="other", location=fact.thing.made),
        notes=_notes(fact),
        fixes=(*_renamed(fact), *(Fix(summary=advice) for advice in fact.advice)),
    )


def _renamed(fact: RefusedObject) -> tuple[Fix, ...]:
    if fact.rebound is None:
        return ()
    return (Fix(summary=f"give the result of {code(fact.call + '(...)')} a name of its own"),)


def code(text: str) -> str:
    """Source text in backticks, cut where it would not read as a name."""
    return f"`{text if len(text) <= _LONG else text[: _LONG - 2] + ' …'}`"


def _named(thing: Thing) -> str:
    """`x` (symbolic tensor float32 (2, 3)); what has no text of its own goes by its noun and name."""
    detail = f" {thing.detail}" if thing.detail else ""
    if thing.text:
        name = f" `{thing.name}`" if thing.name and thing.name != thing.text else ""
        return f"{code(thing.text)} ({thing.what}{name}{detail})"
    name = f" `{thing.name}`" if thing.name else ""
    return f"the {thing.what}{name}{f' ({thing.detail})' if thing.detail else ''}"


def _message(fact: RefusedObject) -> str:
    thing, call = _named(fact.thing), code(fact.call) if fact.call else "this expression"
    requires = f": it takes {fact.requires}" if fact.requires else ""
    if fact.thing.what == "call":
        return f"{call} is refused here: it takes {fact.requires}"
    if fact.how == "parked":
        by = f", which {code(fact.holder)} stored" if fact.parked is not None else ""
        return f"{call} fails on {thing}{by}{requires}"
    if fact.others or (not fact.by and fact.condition):
        others = "".join(f", {_named(each)}" for each in fact.others)
        why = f" failed: {fact.condition}" if not fact.by else " does not take them together"
        return f"{call} was given {thing}{others}, and{why}"
    if not fact.by:
        return f"{thing} does not support {fact.call}"
    if fact.how == "element":
        return f"{call} refuses {thing}, which is an element of {code(fact.holder)}{requires}"
    if fact.how == "part":
        return f"{call} refuses {thing}, which belongs to {code(fact.holder)}{requires}"
    return f"{call} refuses {thing}{requires}"


def _label(fact: RefusedObject) -> str:
    if fact.thing.what == "call":
        return "refused here"
    if fact.parked is not None:
        return f"the library keeps {code(fact.thing.text)} from here on"
    return "it is refused here"


def _origins(fact: RefusedObject, primary: Location, sources: Sources) -> list[Marked]:
    found: list[Marked] = []
    for thing in (fact.thing, *fact.others):
        name = code(thing.text) if thing.text else f"the {thing.what}{f' `{thing.name}`' if thing.name else ''}"
        for place in (*thing.calls[-3:-1], thing.made):
            if place is None or any(_same(place, each) for each in (primary, *found)):
                continue
            found.append(
                Marked.at(place, f"{name} is created {'here' if place is thing.made else 'from here'}", "made")
            )
    return found


def _same(one: Location, other: Location) -> bool:
    return (one.file, one.line) == (other.file, other.line)


def _notes(fact: RefusedObject) -> tuple[str, ...]:
    if not fact.by or not fact.condition:
        return ()
    known = f" ({', '.join(fact.known)})" if fact.known else ""
    return (f"`{fact.by}` raises when `{fact.condition}`{known}",)
