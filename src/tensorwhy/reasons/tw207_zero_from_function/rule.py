"""TW207 zero-from-function: a traced function fills in zeros for what was not used: a None in disguise."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import evidence, target_of, what
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.source import reading

META = ReasonMeta(
    code="TW207",
    slug="zero-from-function",
    family="zero-gradient",
    summary="A traced function, or a branch in it, returns zeros for inputs it does not use: a None in disguise.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when the target uses only other outputs of a call, or another branch than the source is in."""
    fact = case.fact
    if not isinstance(fact, ZeroGradient) or fact.kind not in ("unused-output", "untaken", "skipped"):
        return None
    if fact.kind == "skipped":
        return evidence(
            case,
            fact,
            location=_whole(case, fact.location, (ast.While, ast.For), ("while_loop",)),
            message=f"{what(case, fact)}: it is used only in a loop that never ran",
            label="the condition was never true",
            notes=("in a graph, a loop that never runs returns zeros; in eager code this would be None",),
            fixes=(
                Fix(
                    summary="check the condition and its initial values: the bound, the tolerance, the length",
                    caveat="unless the loop should do nothing for these inputs",
                ),
            ),
        )
    if fact.kind == "untaken":
        location = _whole(case, fact.location, (ast.If,), ("cond", "switch_case", "case"))
        return evidence(
            case,
            fact,
            location=location,
            message=f"{what(case, fact)}: it is used only in a branch that was never taken",
            label="the condition always chose the other branch",
            notes=("in a graph, a branch that is not taken returns zeros; in eager code this would be None",),
            fixes=(
                Fix(
                    summary="check the condition and the range of the values it compares",
                    caveat="a branch for rare cases may simply not be taken in a short run",
                ),
            ),
        )
    target = target_of(case, fact)
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: it is used only for an output of a tf.function that {target} does not use",
        label=f"this output is returned, but {target} is computed without it",
        notes=("TensorFlow fills in zeros for unused outputs of a traced function; in eager code this would be None",),
        fixes=(
            Fix(
                summary=f"use this output in {target}, or do not ask for this gradient",
                caveat="unless another step trains this part",
            ),
        ),
    )


def _whole(
    case: Case, location: Location | None, statements: tuple[type[ast.stmt], ...], calls: tuple[str, ...]
) -> Location | None:
    """The whole call of `tf.cond` and its like, or the `if`, that a place inside of it belongs to."""
    tree = case.sources.tree(location.file) if location is not None else None
    if tree is None or location is None:
        return location
    best: ast.expr | ast.stmt | None = None
    for node in ast.walk(tree):
        if not isinstance(node, (ast.expr, ast.stmt)) or not reading.on_line(node, location.line):
            continue
        name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        if isinstance(node, statements) or name in calls:
            best = node
    return case.sources.place(location.file, best) if best is not None else location
