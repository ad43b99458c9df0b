"""Uses one and the same model in the computation and in the sources."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source import reading
from tensorwhy.source.answers.calls import asked_sources
from tensorwhy.source.concrete import nodes as cst

_WEIGHTS = ("trainable_variables", "trainable_weights", "variables", "weights")


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The model that the sources belong to, called in the place of its copy; or the copy's own weights as sources."""
    fact = case.fact
    if not isinstance(fact, Unused):
        return
    asked = asked_sources(case.sources, fact.question)
    owner = asked.value if isinstance(asked, ast.Attribute) and asked.attr in _WEIGHTS else None
    name = ast.unparse(owner) if owner is not None else ""
    if name and fact.location is not None and _is_turned(name.partition(".")[0], fact.location, case):
        name = ""
    edits, way = (
        _called_on(name, fact, case) if name else (),
        f": call `{name}` on line {fact.location.line if fact.location else 0}",
    )
    if name and not edits:
        edits, way = _handed(name, fact, case), f": `{name}` in the place of its copy"
    yield Fix(
        summary="compute the loss with the model whose gradients you ask for" + (way if edits else ""),
        edits=edits,
        caveat="unless the copy is the one to train; then ask for the gradient of its weights",
    )


def _called_on(name: str, fact: Unused, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.location.file, case.sources) if fact.location is not None else None
    asked = fact.question.location
    if tree is None or fact.location is None or asked is None or not _known(name, asked, fact.location, case):
        return ()
    calls = [
        call
        for statement in tree.statements_at(fact.location)
        for call in tree.inside(statement, cst.Call)
        if isinstance(call.func, (cst.Name, cst.Attribute)) and not tree.canonical(call.func) and call.args
    ]
    if len(calls) != 1 or tree.text(calls[0].func) == name:
        return ()
    return (tree.replaced(calls[0].func, name),)


def _known(name: str, asked: Location, there: Location, case: Case) -> bool:
    """Return whether a name of the function that asks means the same at another place."""
    if (asked.file, asked.function) == (there.file, there.function):
        return True
    tree = syntax.tree(there.file, case.sources)
    bound = (
        [each for each in tree.inside(tree.module, cst.AssignTarget) if tree.scope(each) is tree.module] if tree else []
    )
    return asked.file == there.file and any(name.partition(".")[0] in syntax.names(each.target) for each in bound)


def _is_turned(name: str, there: Location, case: Case) -> bool:
    """Return whether only a loop around other lines gives this name to its object, one after the other."""
    scope = case.sources.function(there) or case.sources.tree(there.file)
    nodes = list(ast.walk(scope)) if scope is not None else []
    names = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    bound = {id(node) for node in names if node.id == name}
    loops = [
        node for node in nodes if isinstance(node, ast.For) and bound & {id(each) for each in ast.walk(node.target)}
    ]
    turned = {id(each) for node in loops for each in ast.walk(node.target)}
    return bool(bound) and bound <= turned and not any(reading.on_line(n, there.line) for n in loops)


def _handed(name: str, fact: Unused, case: Case) -> tuple[Edit, ...]:
    """The model in the place of its copy, wherever the function that asks calls the copy or hands it on."""
    asked, made = fact.question.location, fact.instead[0].created if fact.instead else None
    tree = syntax.tree(asked.file, case.sources) if asked is not None else None
    statements = tree.statements_at(asked) if tree is not None else []
    copies = tree.statements_at(made)[-1:] if tree is not None else []
    copy = syntax.target(copies[0]) if copies else None
    if tree is None or not statements or not isinstance(copy, (cst.Name, cst.Attribute)):
        return ()
    text, scope = tree.text(copy), tree.scope(statements[-1])
    if (isinstance(copy, cst.Name) and tree.scope(copies[0]) is not scope) or text == name:
        return ()
    reads = [each for each in tree.inside(scope, type(copy)) if tree.text(each) == text]
    used = [each for each in reads if _given_or_called(tree, each)]
    return tuple(tree.replaced(each, name) for each in used)


def _given_or_called(tree: Tree, node: cst.Node) -> bool:
    above = tree.parent(node)
    if isinstance(above, cst.Call):
        return above.func is node
    return isinstance(above, cst.Arg) and above.value is node
