"""TW207 zero-from-function: a traced function fills in zeros for what was not used: a None in disguise."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.source import reading

META = about(
    __name__,
    summary="A traced function, or a branch in it, returns zeros for inputs it does not use: a None in disguise.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when the target uses only other outputs of a call, or another branch than the source is in."""
    fact = signal.of_kind(case, "zero", ("unused-output", "untaken", "skipped"))
    if fact is None:
        return None
    if fact.why == "skipped":
        return signal.evidence(
            case,
            fact,
            "it is used only in a loop that never ran",
            "the condition was never true",
            (
                Fix(
                    summary="check the condition and its initial values: the bound, the tolerance, the length",
                    caveat="unless the loop should do nothing for these inputs",
                ),
            ),
            location=_whole(case, fact.location, (ast.While, ast.For), ("while_loop",)),
            notes=("in a graph, a loop that never runs returns zeros; in eager code this would be None",),
        )
    if fact.why == "untaken":
        found = signal.evidence(
            case,
            fact,
            "it is used only in a branch that was never taken",
            "the condition always chose the other branch",
            (
                Fix(
                    summary="check the condition and the range of the values it compares",
                    caveat="a branch for rare cases may simply not be taken in a short run",
                ),
            ),
            location=_whole(case, fact.location, (ast.If,), ("cond", "switch_case", "case")),
            notes=("in a graph, a branch that is not taken returns zeros; in eager code this would be None",),
        )
        return msgspec.structs.replace(found, certainty="likely")
    target, variable = signal.target(case, fact), _name_of(case, fact)
    output, name, taken = _output(case, fact)
    named = f"`{name}`" if name else "this output"
    return signal.evidence(
        case,
        fact,
        f"it is used only for {output or 'an output of a tf.function'}, which {target} does not use",
        f"this output is returned, but {target} is computed without it",
        (
            Fix(summary=f"add a term with {named} to {target}"),
            Fix(
                summary=f"or, if another step trains `{variable}`, remove it from the list here, and from the update",
            ),
        ),
        related=(Marked.at(taken, f"{output} is {named}, which {target} does not use", "taken"),)
        if taken and name
        else (),
        notes=("TensorFlow fills in zeros for unused outputs of a traced function; in eager code this would be None",),
    )


def _name_of(case: Case, fact: SignalBreak) -> str:
    return variable_name(case.sources, fact.sources[0].name, fact.sources[0].made) or "a variable"


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


def _output(case: Case, fact: SignalBreak) -> tuple[str, str, Location | None]:
    """Which output of which function mentions the variable, and the name and line that the only call gives it."""
    location, made = fact.location, fact.sources[0].made
    names = {_name_of(case, fact), *(case.sources.names(made) if made is not None else ())}
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
