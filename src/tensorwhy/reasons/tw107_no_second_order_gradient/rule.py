"""TW107 no-second-order-gradient: the first gradient exists, its own gradient does not."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, source_of, target_of
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotPassed, Unused
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.source.answers.calls import call_at, is_gradient_call
from tensorwhy.source.reading import argument

META = about(
    __name__, summary="The first gradient exists, but it has no gradient with respect to the source.", keeps_value=True
)


def match(case: Case) -> Evidence | None:
    """Holds when the path is lost inside another gradient, or when that gradient does not depend on the source.

    A tangent is a first gradient, too.
    """
    fact = case.fact
    if isinstance(fact, NotPassed) and fact.kind == "called-tangent":
        return evidence(
            case,
            fact,
            why="the tangent of a traced function is not recorded by any tape",
            label="the tangent of this call has no gradient",
            fixes=(Fix(summary="call the function without `tf.function` to get the gradient of a tangent"),),
        )
    if (
        not isinstance(fact, (NotPassed, Unused))
        or not fact.within_gradient
        or fact.kind not in ("no-gradient", "unregistered", "index-input", "unused")
    ):
        return None
    if isinstance(fact, Unused) and fact.kind == "unused":
        return _linear(case, fact) if fact.by_hand is None else _by_hand(case, fact, fact.by_hand)
    return _without_second(case, fact)


def _linear(case: Case, fact: Unused) -> Evidence:
    """What was differentiated first is linear in the source."""
    value, place = _differentiated(case, fact)
    name, source, first = (
        f"`{value}`" if value else "what was differentiated",
        source_of(case, fact),
        target_of(case, fact),
    )
    line = f" on line {place.line}" if place is not None else ""
    first = first if first.startswith("`") else "the first gradient"
    return evidence(
        case,
        fact,
        location=place or fact.gradient_of,
        why=f"{first} is a constant, because {name} is linear in {source}",
        label=f"{name} is linear in {source}" if place is not None else "this gradient is a constant",
        related=[
            *(marked(fact.gradient_of, f"so {first} is a constant", "first") if place is not None else []),
            *source_made(case, fact),
        ],
        fixes=(
            Fix(summary=f"if {name} should not be linear in {source}, add the missing activation{line}"),
            Fix(
                summary="if it should be linear, the second derivative is zero: pass `unconnected_gradients='zero'`",
                caveat="zeros then also hide a forgotten activation",
            ),
        ),
    )


def _by_hand(case: Case, fact: Unused, called: Location) -> Evidence:
    """The first gradient comes from a backward function that has no argument for the source."""
    first, source = target_of(case, fact), source_of(case, fact)
    return evidence(
        case,
        fact,
        location=called,
        why=f"{first} comes from a custom gradient, whose backward function does not depend on {source}",
        label="a call with a backward function of its own",
        related=[*marked(fact.gradient_of, "the first gradient is computed here", "first"), *source_made(case, fact)],
        fixes=(
            Fix(
                summary=f"give what the backward function computes a custom gradient of {source} and the incoming "
                "gradient, and return one gradient for each of the two",
                caveat="unless the function is linear; then the second derivative is zero",
            ),
        ),
    )


def _differentiated(case: Case, fact: Unused) -> tuple[str, Location | None]:
    """What the first gradient was asked of, with the only statement of that function that assigns it."""
    call = call_at(case.sources, fact.gradient_of)
    target = argument(call, 0, "target") if call is not None and is_gradient_call(call) else None
    if fact.gradient_of is None or not isinstance(target, ast.Name):
        return "", None
    scope = case.sources.function(fact.gradient_of) or case.sources.tree(fact.gradient_of.file)
    bound = [
        node
        for node in (ast.walk(scope) if scope is not None else ())
        if isinstance(node, ast.Assign)
        and any(isinstance(each, ast.Name) and each.id == target.id for each in node.targets)
    ]
    return target.id, case.sources.place(fact.gradient_of.file, bound[0].value) if len(bound) == 1 else None


def _without_second(case: Case, fact: NotPassed | Unused) -> Evidence:
    op = as_written(fact.op, fact.location, case.sources)
    return evidence(
        case,
        fact,
        why=f"the first gradient uses {op}, which has no second derivative",
        label="the gradient of this operation has no gradient itself",
        fixes=(Fix(summary="replace this operation by operations that can be differentiated twice"),),
    )
