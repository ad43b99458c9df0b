"""TW701 refused-object: a library raised, and this object of the program's is what it could not take."""

from __future__ import annotations

from collections.abc import Callable

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.refusal import Caught, Compared, FixedSize, RefusedObject, Thing
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.source.files import Sources

META = about(
    __name__,
    summary="A library refused an object: the report shows what it is, where it came from, and the failed condition.",
)

_LONG = 60
_WORDS = {
    "<": "less than", ">": "greater than", "<=": "at most", ">=": "at least", "in": "one of", "not in": "not one of",
    "limit": "and must be less than", "floor": "and must be at least", "ceiling": "and must be at most",
}  # fmt: skip


def match(case: Case) -> Evidence | None:
    """Match a library error caused by an object of the program that no other reason explains."""
    fact = case.fact
    if not isinstance(fact, RefusedObject):
        return None
    if fact.caught is not None:
        return _hidden(fact, fact.caught)
    if fact.fixed is not None:
        return _sized(fact, fact.fixed)
    placed = fact.thing.what == "call"
    handed = fact.how in ("handed", "returned")
    unwritten = fact.thing.made if fact.how == "unwritten" else None
    primary = unwritten or (fact.used if placed or handed else fact.parked or fact.used)
    related = [*_origins(fact, primary, case.sources), *fact.marks]
    if placed and fact.parked is not None:
        related.append(Marked.at(fact.parked, "it is called inside this traced code", "around"))
    elif fact.parked is not None and fact.how == "returned":
        related.append(Marked.at(fact.parked, f"{code(fact.call)} calls {code(fact.holder)}", "given"))
    elif fact.parked is not None and handed:
        related.append(Marked.at(fact.parked, f"{code(fact.holder)} gives {code(fact.thing.text)} its value", "given"))
    elif fact.parked is not None and fact.how == "lacking":
        related.append(Marked.at(fact.used, f"{code(fact.call)} needs it", "used"))
    elif fact.parked is not None:
        related.append(Marked.at(fact.used, f"{code(fact.call)} reads it and fails here", "used"))
    elif unwritten is not None:
        related.append(Marked.at(fact.used, f"{code(fact.holder)} is called here", "used"))
    if fact.rebound is not None:
        name, was = code(fact.rebound.name), fact.rebound.was
        if not _same(fact.rebound.at, primary):
            related.append(
                Marked.at(fact.rebound.at, f"{name}, a {was} until here, becomes a {fact.rebound.now}", "rebound")
            )
        if fact.rebound.made is not None:
            related.append(Marked.at(fact.rebound.made, f"{name} is a {was} here", "made"))
    return Evidence(
        message=_message(fact),
        primary=Marked.at(primary, _label(fact), "refused"),
        related=tuple(related),
        certainty="proved" if fact.sure and (fact.parked is None or handed) else "likely",
        source=None
        if fact.how in ("condition", "lacking", "returned", "unwritten")
        else TensorRef(name=fact.thing.text or fact.thing.name, kind="other", location=fact.thing.made),
        notes=_notes(fact),
        fixes=(
            *_renamed(fact),
            *_accepting(fact),
            *_filling(fact),
            *(Fix(summary=_own(advice, fact.thing.text)) for advice in fact.advice),
        ),
    )


def _hidden(fact: RefusedObject, caught: Caught) -> Evidence:
    """A failure of the program's own that the library answered with another exception."""
    call = code(fact.call) if fact.call else "the library"
    return Evidence(
        message=f"{code(fact.thing.text)}, which the library runs for {call}, failed: {caught.said}"
        if fact.thing.what == "function" and not fact.check.by
        else f"{call} caught another exception, and raised its own: {caught.said}",
        primary=Marked.at(caught.at, "failed here first", "first"),
        related=(Marked.at(fact.used, f"{call} replaces the exception", "used"),),
        certainty="proved",
        source=None,
        notes=_raised(fact),
        fixes=(Fix(summary="mend the line that failed first; what the other exception proposes may be needless"),),
    )


def _sized(fact: RefusedObject, fixed: FixedSize) -> Evidence:
    """Two operands whose sizes must agree: one is fixed by the program, and the other varies with the data."""
    named = fact.thing.text if fact.thing.text.isidentifier() else "x"
    return Evidence(
        message=f"{code(fact.call)}{_within(fact)} failed: one operand always has the size {fixed.size}, and the size "
        f"of the other varies with the data: {fact.check.condition}",
        primary=Marked.at(fixed.at, f"{fixed.detail}: the size {fixed.size} is fixed here", "fixed"),
        related=() if _same(fixed.at, fact.used) else (Marked.at(fact.used, "the operation that failed", "used"),),
        certainty="proved" if fixed.certain else "likely",
        source=None,
        notes=(),
        fixes=(
            Fix(
                summary=f"read the size from the tensor instead: {code(fixed.read.format(named))}",
                caveat="unless the constant belongs to a whole batch; then leave out the batch that is smaller",
            ),
            Fix(
                summary="or give batches of one size only: `drop_remainder=True`, or a number of rows that is a "
                "multiple of `batch_size`",
                caveat="the remaining rows are not used then",
            ),
        ),
    )


def _renamed(fact: RefusedObject) -> tuple[Fix, ...]:
    if fact.rebound is None:
        return ()
    name, was, now = code(fact.rebound.name), fact.rebound.was, fact.rebound.now
    return (Fix(summary=f"give the {now} another name, and keep {name} for the {was}"),)


def _accepting(fact: RefusedObject) -> tuple[Fix, ...]:
    """How a function takes what it is called with."""
    if fact.how != "arguments":
        return ()
    if fact.thing.what == "class" and "unexpected keyword" in fact.check.condition:
        return (Fix(summary="accept `**kwargs` in `__init__`, and give them to `super().__init__(**kwargs)`"),)
    if len(fact.check.sides) == 1 and fact.check.sides[0].value.startswith(("tuple", "list")):
        one = "let the function accept one argument, and unpack it inside: `lambda pair: f(pair[0], pair[1])`"
        return (Fix(summary=f"{one}; constants can be bound by a closure"),)
    if len(fact.check.sides) == 1 and fact.check.sides[0].value.startswith("dict with '"):
        key = fact.check.sides[0].value.removeprefix("dict with ").partition(",")[0]
        return (Fix(summary=f"let {code(fact.thing.text)} accept one argument, and read its parts: `d[{key}]`"),)
    return (Fix(summary=f"give {code(fact.thing.text)} the parameters that {code(fact.call)} calls it with"),)


def _filling(fact: RefusedObject) -> tuple[Fix, ...]:
    """How what was left out is given."""
    if fact.how != "lacking" or fact.thing.what == "reset":
        return ()
    if fact.parked is None:
        return (Fix(summary=f"call {code(f'{fact.thing.text}(...)')} before {code(fact.call)}"),)
    return (Fix(summary=f"give {code(fact.holder)} a value for {code(fact.thing.text)}"),)


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
    head, values = _head(fact), _compared(fact)
    if fact.rebound is not None:
        values = f"the {fact.rebound.was} {code(fact.rebound.name)} was replaced by a {fact.rebound.now}"
    return f"{head}: {values}" if values and not fact.check.requires else head


def _compared(fact: RefusedObject) -> str:
    """Both sides of the condition, with their values."""
    relation, sides = fact.check.relation, fact.check.sides
    if not 0 < len(sides) <= 2 or fact.how == "arguments":
        return ""
    if len(sides) == 1:
        return _side(sides[0]) if sides[0].text else ""
    one, other = sides if sides[0].text else sides[::-1]
    if not one.text:
        return ""
    if relation in ("!=", "type", "not in", "in") and not other.text:
        return f"{_side(one)}, not {'in ' if relation == 'not in' else ''}{other.value}"
    if relation == "not in" and not other.value:
        return f"{_side(one)}, not in {code(other.text)}"
    if not one.value or not other.value:
        return ""
    if relation in ("!=", "unfit") and other.text:
        return f"{_side(one)}, but {_side(other)}"
    if relation in _WORDS and sides[0].text:
        return f"{_side(one)}, {_WORDS[relation]} {code(other.text) + ', ' if other.text else ''}{other.value}"
    return f"{_side(one)} and {_side(other)}" if other.text else _side(one)


def _side(side: Compared) -> str:
    return f"{code(side.text)} is {side.value}"


def _head(fact: RefusedObject) -> str:
    return next(said for holds, said in _HEADS if holds(fact)).format_map(_words(fact))


def _words(fact: RefusedObject) -> dict[str, str]:
    given = ", ".join(f"{each.text}={each.value}" if each.text else each.value for each in fact.check.sides)
    return {
        "call": (code(fact.call) if fact.call else "this expression") + _within(fact),
        "attribute": fact.call.removeprefix("the "),
        "expression": fact.call,
        "thing": _named(fact.thing),
        "others": "".join(f", {_named(each)}" for each in fact.others),
        "by": fact.check.by,
        "holder": code(fact.holder),
        "missing": code(fact.thing.text),
        "condition": fact.check.condition,
        "holds": code(fact.check.condition),
        "signature": code(f"{fact.thing.text}{fact.thing.detail}"),
        "given": given or "nothing",
        "needs": fact.check.requires,
        "requires": f": it takes {fact.check.requires}" if fact.check.requires else "",
    }


def _within(fact: RefusedObject) -> str:
    if fact.within is None or fact.within.text or (fact.check.by and fact.how != "condition"):
        return ""
    return f" in {_named(fact.within)}"


_Holds = Callable[[RefusedObject], bool]
_HEADS: tuple[tuple[_Holds, str], ...] = (
    (
        lambda fact: fact.how == "condition" and bool(fact.check.by) and not fact.check.sides,
        "{call} failed in `{by}`: {holds} holds",
    ),
    (lambda fact: fact.how == "condition" and bool(fact.check.by), "{call} failed"),
    (lambda fact: fact.how == "condition", "{call} failed: {condition}"),
    (
        lambda fact: fact.how == "lacking" and fact.parked is None,
        "{call} needs {missing} first, and the program does not call it",
    ),
    (
        lambda fact: fact.how == "lacking" and fact.thing.detail == "None",
        "{call} needs a value for {missing}, and {holder} sets it to None",
    ),
    (
        lambda fact: fact.how == "lacking" and fact.thing.what == "reset",
        "{holder} resets {missing} while {call}, which needs it, is running",
    ),
    (lambda fact: fact.how == "lacking", "{call} needs {missing}, and {holder} leaves it out"),
    (
        lambda fact: fact.how == "unwritten",
        "{call} needs the method {holder} of class {missing}, which does not define it",
    ),
    (lambda fact: fact.how == "arguments", "{call} calls {signature} with ({given}): {condition}"),
    (lambda fact: fact.how == "handed" and fact.call.startswith("the key"), "{thing} has no {attribute}"),
    (
        lambda fact: fact.how == "returned" and bool(fact.check.requires),
        "{holder} returned {thing}, and {call} needs {needs}",
    ),
    (lambda fact: fact.how == "returned", "{holder} returned {thing}, which {call} does not accept"),
    (lambda fact: fact.how == "handed", "{thing} cannot be unpacked into {expression}"),
    (lambda fact: fact.thing.what == "call", "{call} fails here: it needs {needs}"),
    (
        lambda fact: fact.how == "parked" and fact.parked is not None,
        "{call} fails on {thing}, which {holder} stored{requires}",
    ),
    (lambda fact: fact.how == "parked", "{call} fails on {thing}{requires}"),
    (
        lambda fact: not fact.check.by and bool(fact.others or fact.check.condition),
        "{call} was given {thing}{others}, and failed: {condition}",
    ),
    (lambda fact: bool(fact.others), "{call} was given {thing}{others}, and does not take them together"),
    (lambda fact: not fact.check.by and fact.call.startswith("the attribute"), "{thing} has no {attribute}"),
    (lambda fact: not fact.check.by, "{thing} does not support {expression}"),
    (lambda fact: fact.how == "element", "{call} does not accept {thing}, which is an element of {holder}{requires}"),
    (lambda fact: fact.how == "part", "{call} does not accept {thing}, which belongs to {holder}{requires}"),
    (lambda fact: True, "{call} does not accept {thing}{requires}"),
)
"""The variants of a message: the first that holds counts."""


def _label(fact: RefusedObject) -> str:
    if fact.thing.what == "call":
        return "not accepted here"
    if fact.how == "arguments":
        return f"{code(fact.call)} calls it"
    if fact.how == "lacking" and fact.parked is not None:
        return f"{code(fact.thing.text)} is {'reset' if fact.thing.what == 'reset' else 'not set'} here"
    if fact.how == "unwritten" and fact.thing.made is not None:
        return f"this class does not define {code(fact.holder)}"
    if fact.how == "unwritten":
        return f"{code(fact.holder)} is called here"
    if fact.how == "returned":
        return "returned here"
    if fact.how == "handed":
        return "looked up here" if fact.call.startswith("the key") else "unpacked here"
    if fact.parked is not None:
        return f"the library stores {code(fact.thing.text)} here"
    if fact.how == "condition" and not fact.check.by:
        return "the operation that failed is created here"
    return "it is not accepted here" if fact.how not in ("condition", "lacking") else "the exception was raised here"


def _own(advice: str, name: str) -> str:
    """Advice with the program's own name for the tensor."""
    named = advice.replace("update(x, ", f"update({name}, ").replace("new, x)", f"new, {name})")
    return named if name.isidentifier() else advice


def _origins(fact: RefusedObject, primary: Location, sources: Sources) -> list[Marked]:
    found: list[Marked] = []
    things = (fact.thing, *fact.others, *(each.thing for each in fact.check.sides if each.thing is not None))
    for thing in (*things, *((fact.within,) if fact.within is not None else ())):
        name = code(thing.text) if thing.text else f"the {thing.what}{f' `{thing.name}`' if thing.name else ''}"
        for place in (*thing.calls[-3:-1], thing.made):
            if place is None or any(_same(place, each) for each in (primary, *found)):
                continue
            made = "defined" if thing.what in ("function", "class") else "created"
            made = "named" if thing is fact.within and made == "defined" else made
            other = made == "created" and thing.text.isidentifier() and thing.text not in sources.names(place)
            whose = f"the value of {name}" if other else name
            found.append(
                Marked.at(place, f"{whose} is {made} {'here' if place is thing.made else 'from here'}", "made")
            )
    return found


def _same(one: Location, other: Location) -> bool:
    return (one.file, one.line) == (other.file, other.line)


def _notes(fact: RefusedObject) -> tuple[str, ...]:
    return (*_previous(fact), *_broken(fact), *_raised(fact))


def _broken(fact: RefusedObject) -> tuple[str, ...]:
    """What was given was no number any more."""
    return tuple(
        f"{code(each.text) if each.text else f'the {each.what}'} holds {each.broken:,} numbers that are NaN or infinite"
        for each in (fact.thing, *fact.others)
        if each.broken
    )


def _previous(fact: RefusedObject) -> tuple[str, ...]:
    """That a loop gives a call what the same call returned before."""
    again = fact.how == "operand" and fact.thing.text.isidentifier() and fact.thing.made == fact.used
    return (f"{code(fact.thing.text)} is what this call returned in the previous iteration",) if again else ()


def _raised(fact: RefusedObject) -> tuple[str, ...]:
    check = fact.check
    if check.accepts:
        return (f"tried on a copy: {code(fact.call) if fact.call else 'the call'} accepts {check.accepts}",)
    if check.by and not check.condition and check.known and fact.how in ("operand", "parked"):
        return (f"`{check.by}` failed with {', '.join(check.known)}",)
    if not check.by or not check.condition:
        return ()
    known = f" ({', '.join(check.known)})" if check.known else ""
    return (f"`{check.by}` raises when `{check.condition}`{known}",)
