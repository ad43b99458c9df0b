"""TW505 python-accumulator: a Python container is filled by code that is traced once."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.loops import PythonAccumulator
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, Severity
from tensorwhy.source.answers.handling import tried

META = about(
    __name__,
    summary="A Python list or dict is filled in a traced loop or function: only once, with placeholders without "
    "values.",
)


def match(case: Case) -> Evidence | None:
    """Holds when a container was seen with tensors of a loop's body or of a finished trace in it."""
    fact = case.fact
    if not isinstance(fact, PythonAccumulator):
        return None
    primary = fact.filled or fact.loop or fact.used
    related = [
        Marked.at(place, text, role)
        for place, text, role in (
            (fact.created, "starts here", "created"),
            (fact.loop, "this loop is traced once, whatever its number of iterations", "loop"),
            (fact.used, "its contents are needed here", "used"),
        )
        if place is not None and place != primary
    ]
    return Evidence(
        message=_message(fact),
        primary=Marked.at(primary, _label(fact), "filled") if primary is not None else None,
        related=tuple(related),
        severity=_severity(case, fact),
        fixes=tuple(_advice(fact)),
    )


def _severity(case: Case, fact: PythonAccumulator) -> Severity | None:
    """What was left there is a loss, unless the program looks at it where it expects that to fail."""
    if fact.problem != "left":
        return None
    return "note" if fact.filled is not None and tried(case.sources, fact.filled.file, fact.container) else "warning"


def _what(fact: PythonAccumulator) -> str:
    return f"`{fact.container}`" if fact.container else f"a Python {fact.kind}"


def _loop(fact: PythonAccumulator) -> str:
    if fact.construct in ("for", "while"):
        return f"the traced `{fact.construct}` loop"
    return f"`{fact.construct}`" if fact.construct else "a traced loop"


def _message(fact: PythonAccumulator) -> str:
    name = _what(fact)
    if fact.problem == "grown":
        return (
            f"{name} is a Python {fact.kind} that grows in {_loop(fact)}, but a loop variable must keep its structure"
        )
    if fact.problem == "indexed":
        return (
            f"{name} is a Python list, but it is indexed by a tensor of {_loop(fact)}, which has no value while tracing"
        )
    if fact.problem == "left":
        holds = f"{fact.length} placeholder{'s' * (fact.length != 1)}"
        return f"{name} holds {holds} without a value: traced code filled it, once per trace instead of once per call"
    return (
        f"{name} is a Python {fact.kind} filled by {_loop(fact)}. The loop body runs once, while tracing, "
        "and leaves a symbolic tensor that has no value outside the loop"
    )


def _label(fact: PythonAccumulator) -> str:
    if fact.problem == "indexed":
        return "Python needs a number here"
    return "runs once, while tracing"


def _advice(fact: PythonAccumulator) -> list[Fix]:
    if fact.problem == "left" and fact.construct == "function":
        return [Fix(summary="return the tensor from the traced function, and append the returned value")]
    return [
        Fix(
            summary="collect in a `tf.TensorArray`: `ta = tf.TensorArray(dtype, size=n)` before the loop, "
            "`ta = ta.write(i, x)` with the loop's index in it, and `ta.stack()` (along axis 0) after it"
        ),
        Fix(
            summary="or loop over a Python `range(...)`: then the loop is unrolled and a list works",
            caveat="each iteration is traced separately: avoid this if there are many, or if their number is a tensor",
        ),
    ]
