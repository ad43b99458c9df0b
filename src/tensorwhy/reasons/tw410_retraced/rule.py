"""A function is traced again and again, because something that is new in each call is part of its signature."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import Retraced
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.model.tracing import Why

META = about(
    __name__,
    summary="A traced function was traced again in many calls, which costs much more time than running its graph.",
    severity="warning",
)

_BECAUSE: dict[Why, str] = {
    "value": "each new value of the Python argument `{0.argument}` needs its own trace",
    "object": "`{0.argument}` is a new {noun} each time",
    "shape": "each new shape of `{0.argument}` needs its own trace",
    "function": "each of these calls uses a new traced function object",
}

_SHORT = 40


def match(case: Case) -> Evidence | None:
    """Holds when most traces of a function were made for the same reason."""
    fact = case.fact
    if not isinstance(fact, Retraced) or fact.why not in _BECAUSE:
        return None
    calls = (
        f"{fact.traces} times in {fact.calls} calls"
        if fact.calls > fact.traces
        else f"in each of its {fact.calls} calls"
    )
    at = fact.called or fact.defined
    if fact.of:
        return _for_new_object(case, fact, calls)
    function = "a lambda" if fact.function == "<lambda>" else f"`{fact.function}`"
    return Evidence(
        message=f"{function} was traced {calls}, because {_BECAUSE[fact.why].format(fact, noun=_noun(fact))}",
        primary=Marked.at(at, _label(fact), "called") if at is not None else None,
        related=tuple(
            Marked.at(place, text, role)
            for place, text, role in (
                (fact.defined, "traced here", "traced"),
                (fact.created, f"this {_noun(fact)} is created for each call", "created"),
            )
            if place is not None and not _same(place, at)
        ),
        severity="warning" if fact.costly else "note",
        notes=(f"tracing took {fact.seconds:.1f} s of the {fact.elapsed:.1f} s that all calls after the first took",),
        fixes=_FIXES[fact.why](fact),
    )


def _for_new_object(case: Case, fact: Retraced, calls: str) -> Evidence | None:
    """A function of a library, which each object has of its own."""
    if fact.called is None or fact.created is None:
        return None
    text = case.sources.expression(fact.called)
    what = f"`{text}`" if 0 < len(text) <= _SHORT else f"`{fact.function}`"
    return Evidence(
        message=f"{what} was traced {calls}, because each call is on a new `{fact.of}`",
        primary=Marked.at(fact.called, f"each `{fact.of}` traces a function of its own", "called"),
        related=() if _same(fact.created, fact.called) else (Marked.at(fact.created, "created here", "created"),),
        severity="note",
        notes=(f"tracing took {fact.seconds:.1f} s of {fact.elapsed:.1f} s",),
        fixes=(
            Fix(
                summary=f"create the `{fact.of}` once, before the loop, and set its weights back in each round",
                caveat="if each round needs another one: for little data, call it directly, `model(x)`, which traces "
                "nothing",
            ),
        ),
    )


def _same(place: Location, other: Location | None) -> bool:
    return other is not None and (place.file, place.line) == (other.file, other.line)


def _noun(fact: Retraced) -> str:
    return "function" if fact.kind in ("function", "method") else f"`{fact.kind}`"


def _label(fact: Retraced) -> str:
    if fact.why == "function":
        return "calls a traced function object that was not called before"
    if fact.why == "object":
        return f"passes a new {_noun(fact)} as `{fact.argument}`"
    listed = ", ".join(fact.values)
    return f"`{fact.argument}` was {listed}" if fact.why == "value" else f"`{fact.argument}` had the shapes {listed}"


def _for_value(fact: Retraced) -> tuple[Fix, ...]:
    tensor = Fix(
        summary=f"pass `{fact.argument}` as a tensor: `tf.constant({fact.argument}, dtype)`, with the dtype that "
        f"`{fact.function}` computes with",
        caveat="Python code that needs the number, such as `range`, `min` or `if` outside of AutoGraph, must then "
        "use TensorFlow operations",
    )
    outside = Fix(
        summary=f"or compute what depends on `{fact.argument}` before the call, and pass the result as a tensor"
    )
    return (tensor, outside) if all(map(_is_number, fact.values)) else (outside,)


def _for_object(fact: Retraced) -> tuple[Fix, ...]:
    once = f"create the {_noun(fact)} once, before the loop, and pass the same one in each call"
    return (
        Fix(summary=once),
        Fix(summary="or pass only what changes, as a tensor, and let the traced function do the rest"),
    )


def _for_shape(fact: Retraced) -> tuple[Fix, ...]:
    return (
        Fix(
            summary="leave the dimensions that vary open: `@tf.function(reduce_retracing=True)`, or an "
            "`input_signature` whose `tf.TensorSpec` has None there",
        ),
        Fix(summary=f"or pad `{fact.argument}` to a few sizes"),
    )


def _for_function(fact: Retraced) -> tuple[Fix, ...]:
    return (
        Fix(summary="decorate the function once, outside of the loop, and pass what changes as tensors"),
        Fix(summary="or keep the traced function, and call the same one again"),
    )


_FIXES = {"value": _for_value, "object": _for_object, "shape": _for_shape, "function": _for_function}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text == "..."
    return True
