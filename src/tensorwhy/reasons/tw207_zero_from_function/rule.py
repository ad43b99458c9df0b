"""TW207 zero-from-function: a traced function fills in zeros for what was not used: a None in disguise."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import evidence, name_of, target_of, what
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.location import Location, Marked
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
    target, variable = target_of(case, fact), name_of(case, fact.sources[0])
    output, name, taken = _output(case, fact)
    named = f"`{name}`" if name else "this output"
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: it is used only for {output or 'an output of a tf.function'}, which {target} "
        "does not use",
        label=f"this output is returned, but {target} is computed without it",
        related=[Marked.at(taken, f"{output} is {named}, which {target} does not use", "taken")]
        if taken and name
        else (),
        notes=("TensorFlow fills in zeros for unused outputs of a traced function; in eager code this would be None",),
        fixes=(
            Fix(summary=f"add a term with {named} to {target}"),
            Fix(
                summary=f"or, if another step trains `{variable}`, remove it from the list here, and from the update",
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


_ORDINALS = ("first", "second", "third", "fourth")


def _output(case: Case, fact: ZeroGradient) -> tuple[str, str, Location | None]:
    """Which output of which function mentions the variable, and the name and line that the only call gives it."""
    location, made = fact.location, fact.sources[0].made
    names = {name_of(case, fact.sources[0]), *(case.sources.names(made) if made is not None else ())}
    function = case.sources.function(location, lambdas=False) if location is not None else None
    if location is None or not isinstance(function, ast.FunctionDef):
        return "", "", None
    returned = [each.value for each in ast.walk(function) if isinstance(each, ast.Return)]
    elements = returned[0].elts if len(returned) == 1 and isinstance(returned[0], ast.Tuple) else []
    using = [
        n
        for n, each in enumerate(elements)
        if names & {ast.unparse(node) for node in ast.walk(each) if isinstance(node, (ast.Name, ast.Attribute))}
    ]
    at = using[0] if len(using) == 1 else -1
    if not 0 <= at < len(_ORDINALS):
        return "", "", None
    output = f"the {_ORDINALS[at]} output of `{function.name}`"
    calls = [
        node
        for node in case.sources.nodes(location.file)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == function.name
        and isinstance(node.targets[0], ast.Tuple)
        and len(node.targets[0].elts) == len(elements)
    ]
    if len(calls) != 1:
        return output, "", None
    name = ast.unparse(calls[0].targets[0].elts[at])  # type: ignore[attr-defined]
    return output, name, case.sources.place(location.file, calls[0].targets[0])
