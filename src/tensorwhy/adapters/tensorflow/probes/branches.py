"""Branches that do not give the same: AutoGraph's `if` on a tensor, `tf.cond`, `tf.case` and `tf.switch_case`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import loop_lines, signatures
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopStructureChange
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_AUTOGRAPH = "autograph/operators/control_flow.py"
_RETURN = "retval_"
_CALLS = ("cond", "case", "switch_case")


def probe(live: LiveFailure) -> Iterable[Fact]:
    """What differs between the branches of a traced conditional."""
    way = live.joined()
    fact = _autograph(live, way) or _call(live, way)
    return (fact,) if fact is not None else ()


def _autograph(live: LiveFailure, way: Stack) -> Fact | None:
    for check in ("verify_single_cond_var", "verify_tf_cond_branch_vars", "verify_tf_cond_vars"):
        found = way.first(check, _AUTOGRAPH)
        if found is not None:
            break
    else:
        return None
    index, step = found
    statement = next(
        (
            caller.location
            for position, _ in way.find("if_stmt", _AUTOGRAPH)
            if position < index and (caller := way.caller(position)) is not None
        ),
        None,
    )
    name = step.local("name")
    if statement is None or not isinstance(name, str):
        return None
    if step.name == "verify_tf_cond_branch_vars":
        return _missing(live, step, name, statement)
    return _different(live, step, name, statement)


def _missing(live: LiveFailure, step: Frame, name: str, statement: Location) -> LoopStructureChange:
    """A branch that leaves the variable without a value; the other one gives it one."""
    sources = Sources()
    branch = str(step.local("branch_name") or "")
    branch = "main" if branch in ("main", "body", "if") else branch
    other = "" if branch == "else" else "else"
    returns = type(step.local("var_")).__name__ == "UndefinedReturnValue" or name == _RETURN
    lines = loop_lines.of_statement(statement, name, None, sources, live.user, branch=other)
    return LoopStructureChange(
        construct="if",
        statement=statement,
        problem="no-return" if returns else "undefined",
        variable="" if returns else name,
        changed=_return_in(statement, other, sources) if returns else lines.changed,
        branch=branch,
    )


def _different(live: LiveFailure, step: Frame, name: str, statement: Location) -> LoopStructureChange:
    sources = Sources()
    first, other = step.local("body_var"), step.local("orelse_var")
    returns = name == _RETURN
    one = loop_lines.of_statement(statement, name, first, sources, live.user)
    two = loop_lines.of_statement(statement, name, other, sources, live.user, branch="else")
    before = _return_in(statement, "", sources) if returns else one.changed
    changed = _return_in(statement, "else", sources) if returns else two.changed
    if changed is None and not returns:
        changed = one.before  # no `else` that binds it: the value from before the `if` stays
    if first is None or other is None:
        return LoopStructureChange(
            construct="if",
            statement=statement,
            problem="none",
            variable="" if returns else name,
            before=changed if other is None else before,
            changed=before if other is None else changed,
            branch="main" if first is None else "else",
            got=signatures.describe(first if other is None else other),
        )
    dtypes = signatures.dtype_name(first), signatures.dtype_name(other)
    typed = step.name == "verify_single_cond_var" and dtypes[0] != dtypes[1]
    return LoopStructureChange(
        construct="if",
        statement=statement,
        problem="dtype" if typed else "structure",
        variable="" if returns else name,
        before=before,
        changed=changed,
        expected=dtypes[0] if typed else signatures.describe(first),
        got=dtypes[1] if typed else signatures.describe(other),
        literal=one.literal if changed == one.before else "",
    )


def _return_in(statement: Location, branch: str, sources: Sources) -> Location | None:
    """The `return` in a branch of the `if` at this line; without an `else`, the one that follows it."""
    for node in reading.nodes_at(statement, sources):
        if isinstance(node, ast.If) and node.lineno == statement.line:
            block = node.orelse if branch == "else" else node.body
            found = reading.leaving_returns(ast.Module(body=list(block), type_ignores=[]))
            if not found and branch == "else" and not node.orelse:
                function = sources.function(statement)
                later = reading.leaving_returns(function) if function is not None else ()
                found = tuple(each for each in later if each.lineno > (node.end_lineno or node.lineno))
            return reading.place(found[0], statement, sources) if found else None
    return None


def _call(live: LiveFailure, way: Stack) -> Fact | None:
    """A call whose branch functions were traced, and return different things."""
    built = way.first(("build_cond", "build_case"), "ops/cond_v2.py")
    if built is None or way.below(built[0]):
        return None
    index, step = built
    if any(position < index for position, _ in way.find("if_stmt", _AUTOGRAPH)):
        return None
    graphs = step.local("branch_graphs") or [step.local("true_graph"), step.local("false_graph")]
    caller = way.caller(index)
    if caller is None or caller.location is None or any(graph is None for graph in graphs):
        return None
    sources = Sources()
    for name in _CALLS:
        found = reading.named_call(caller.location, sources, name)
        if found is not None:
            break
    else:
        return None
    results = [graph.structured_outputs for graph in graphs]
    for position, result in enumerate(results[1:], start=1):
        fact = _compare(name, found[1], results[0], result, position, live)
        if fact is not None:
            return fact
    return None


def _later(construct: str, number: int) -> str:
    return {"cond": "else", "case": "later", "switch_case": f"number {number}"}[construct]


def _compare(
    construct: str, statement: Location, first: Any, other: Any, position: int, live: LiveFailure
) -> LoopStructureChange | None:
    places = _made(first, statement, live), _made(other, statement, live)
    branch = _later(construct, position)
    if (first is None) != (other is None):
        return LoopStructureChange(
            construct=construct,
            statement=statement,
            problem="none",
            before=places[0],
            changed=places[1],
            branch="first" if first is None else branch,
            got=signatures.describe(other if first is None else first),
        )
    from tensorflow import nest

    flat = nest.flatten(first), nest.flatten(other)
    if len(flat[0]) != len(flat[1]) or isinstance(first, (list, tuple, dict)) != isinstance(other, (list, tuple, dict)):
        return LoopStructureChange(
            construct=construct,
            statement=statement,
            problem="structure",
            before=places[0],
            changed=places[1],
            expected=signatures.describe(first),
            got=signatures.describe(other),
            branch=branch,
        )
    for one, two in zip(*flat, strict=True):
        if signatures.dtype_name(one) != signatures.dtype_name(two):
            return LoopStructureChange(
                construct=construct,
                statement=statement,
                problem="dtype",
                before=_made(one, statement, live),
                changed=_made(two, statement, live),
                expected=signatures.dtype_name(one),
                got=signatures.dtype_name(two),
                branch=branch,
            )
    return None


def _made(value: Any, statement: Location, live: LiveFailure) -> Location | None:
    """The user's line that made a branch's result, unless it is only the call itself."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    lines = loop_lines.made_at(value, live.user)
    if not lines or (lines[-1].file == statement.file and lines[-1].line == statement.line):
        return None
    return reading.exact(lines[-1], Sources())
