"""The calls that ask for gradients: what they are given, and how a program comes by it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from typing import TypeVar
from weakref import WeakKeyDictionary

from tensorwhy.model.facts.gradient import GradientBreak, Unused
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.source.files import Sources, walked
from tensorwhy.source.reading import argument, stands_at

_Answer = TypeVar("_Answer")
_CALLS = (
    *("gradient", "jacobian", "batch_jacobian", "explain_gradient"),
    *("gradients", "hessians", "compute_gradients", "get_gradients", "jvp"),
)
_TARGETS = ("target", "loss", "ys")
_SOURCES = ("sources", "source", "var_list", "xs")


def once(ask: Callable[[Sources, GradientQuestion], _Answer]) -> Callable[[Sources, GradientQuestion], _Answer]:
    """Ask once for each question: it may have thousands of sources, and each is a case of its own."""
    known: WeakKeyDictionary[Sources, dict[int, tuple[GradientQuestion, _Answer]]] = WeakKeyDictionary()

    @functools.wraps(ask)
    def answered(sources: Sources, question: GradientQuestion) -> _Answer:
        answers = known.setdefault(sources, {})
        if id(question) not in answers:
            answers[id(question)] = question, ask(sources, question)
        return answers[id(question)][1]

    return answered


def call_at(sources: Sources, location: Location | None) -> ast.Call | None:
    """The call whose text stands at a location; the outermost call of that line when columns are unknown."""
    if location is None:
        return None
    best: ast.Call | None = None
    for node in sources.calls(location.file, location.line):
        if stands_at(node, location, sources):
            return node
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if attribute in (*_CALLS, "minimize") or best is None:
            best = node
    return best


def calls_at(sources: Sources, location: Location) -> list[ast.Call]:
    """The call that stands at a location; all of its line where columns are unknown and none asks for gradients.

    Python 3.10 knows no columns: which of them led on from there is not known then.
    """
    call = call_at(sources, location)
    if call is None or location.end_column is not None or is_gradient_call(call):
        return [] if call is None else [call]
    return [*sources.calls(location.file, location.line)]


def is_gradient_call(call: ast.Call) -> bool:
    """Return whether a call, by its name, asks for gradients."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return name in _CALLS


def written_sources(call: ast.Call) -> ast.expr | None:
    """What is written as the sources of a call that asks for gradients."""
    return argument(call, 1, *_SOURCES)


def written_target(call: ast.Call) -> ast.expr | None:
    """What is written as the target of a call that asks for gradients."""
    return argument(call, 0, *_TARGETS) if is_gradient_call(call) else None


def _in_order(found: ast.Dict) -> ast.List | None:
    """The values of a dictionary as TensorFlow takes them: in the order of their keys."""
    pairs = [(key.value, value) for key, value in zip(found.keys, found.values) if isinstance(key, ast.Constant)]
    if len(pairs) != len(found.keys) or not all(isinstance(key, str) for key, _ in pairs):
        return None
    return ast.List(elts=[value for _, value in sorted(pairs, key=lambda pair: str(pair[0]))])


def forward(sources: Sources, question: GradientQuestion) -> bool:
    """True if the question was asked of an accumulator of forward mode, which is told its sources when it is made."""
    call = call_at(sources, question.location)
    return call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "jvp"


def _primals(sources: Sources, call: ast.Call | None, location: Location | None) -> ast.expr | None:
    """The first argument of the accumulator that a `with` of the same function has under this name."""
    tree = sources.function(location) or sources.tree(location.file) if location is not None else None
    if call is None or tree is None or not isinstance(call.func, ast.Attribute):
        return None
    name = ast.unparse(call.func.value)
    items = [item for node in walked(tree) if isinstance(node, ast.With) for item in node.items]
    for item in items:
        made = item.context_expr
        if isinstance(made, ast.Call) and item.optional_vars is not None and ast.unparse(item.optional_vars) == name:
            return argument(made, 0, "primals")
    return None


def source_written(sources: Sources, question: GradientQuestion, source: Source) -> ast.expr | None:
    """The expression that names this one source where it is asked for; None where one names many."""
    if question.in_callback:
        return None
    call = call_at(sources, question.location)
    found = written_sources(call) if call is not None and is_gradient_call(call) else None
    if forward(sources, question):
        found = _primals(sources, call, question.location)
    if isinstance(found, ast.Dict):
        found = _in_order(found)
    if isinstance(found, (ast.List, ast.Tuple)) and not any(isinstance(e, ast.Starred) for e in found.elts):
        found = found.elts[source.position] if source.position < len(found.elts) == question.asked else None
    elif question.asked > 1:
        found = None
    return found


def asked_sources(sources: Sources, question: GradientQuestion) -> ast.expr | None:
    """The expression that named the sources; what was assigned to it just before, where it is a name."""
    call = call_at(sources, question.location)
    found = written_sources(call) if call is not None and is_gradient_call(call) else None
    if not isinstance(found, ast.Name) or question.location is None:
        return found
    scope = sources.function(question.location) or sources.tree(question.location.file)
    for node in walked(scope) if scope is not None else ():
        bound = node.targets if isinstance(node, ast.Assign) and node.lineno <= question.location.line else ()
        if isinstance(node, ast.Assign) and any(isinstance(each, ast.Name) and each.id == found.id for each in bound):
            return node.value
    return found


@once
def rebindings(sources: Sources, question: GradientQuestion) -> list[Location]:
    """Where the name that the source is asked by was bound before that, in order, by plain assignments of one block."""
    call = call_at(sources, question.location)
    found = written_sources(call) if call is not None and is_gradient_call(call) else None
    tree = sources.tree(question.location.file) if question.location is not None else None
    if found is None or tree is None or question.location is None:
        return []
    scope = sources.function(question.location)
    roots = {each.id for each in ast.walk(found) if isinstance(each, ast.Name)}
    for node in walked(scope or tree):
        if isinstance(node, ast.Assign) and _mentions(found, {t.id for t in node.targets if isinstance(t, ast.Name)}):
            roots |= {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
    for block in (tree.body, *([scope.body] if scope is not None and not isinstance(scope, ast.Lambda) else [])):
        for root in sorted(roots):
            bound = [
                node
                for node in block
                if isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and not _mentions(node.value, {root})
                and any(isinstance(target, ast.Name) and target.id == root for target in node.targets)
            ]
            file = question.location.file
            asked = _reached(question, file, block is tree.body)
            before = [node for node in bound if asked is None or node.lineno <= asked]
            if len(before) > 1:
                return [sources.place(file, node) for node in before]
    return []


def _reached(question: GradientQuestion, file: str, module: bool) -> int | None:
    """The line of a block that a question was reached from: of the module, or of the function that asks."""
    places = [each for each in (question.location, *question.callers) if each is not None and each.file == file]
    lines = [each.line for each in places if not module or each.function == "<module>"]
    return lines[0] if lines else None


def shadowed(sources: Sources, fact: GradientBreak) -> list[Location]:
    """Where the name that a source is asked by was bound, when the target was computed with what had that name once.

    That is so when the statements that used the other variables, or what their names stand for, mention the name; not
    where they stand after the last binding, and so read the object that it was given to.
    """
    bound = rebindings(sources, fact.question)
    tree = sources.tree(bound[0].file) if len(bound) > 1 else None
    if tree is None or fact.question.location is None:
        return []
    asked = fact.question.location.line
    meant = {name for place in bound[:1] for name in sources.names(place)}
    used = (sources.statement(place) for place in (fact.unasked if isinstance(fact, Unused) else ()))
    last, scope = bound[-1].line, sources.function(bound[-1]) or tree
    within = {id(each) for each in walked(scope) if getattr(each, "lineno", 0) > last}

    def told(node: ast.AST) -> set[str]:
        return _names(node) - (meant if id(node) in within else set())

    reached = {name for statement in used if statement is not None for name in told(statement)}
    again = {id(sources.statement(place)) for place in bound}
    stands_for = [each for each in _bindings(tree, asked) if id(each[1]) not in again]
    while True:
        further = {name for key, node in stands_for if key in reached for name in told(node)} - reached
        if not further:
            return bound if meant & reached else []
        reached |= further


def _bindings(tree: ast.Module, line: int) -> Iterator[tuple[str, ast.AST]]:
    """Each name of a file with the statement that binds it: of several assignments the last one before a line."""
    assigned: dict[str, ast.Assign] = {}
    for node in walked(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, ast.Assign):
            for name in {name for target in node.targets for name in _names(target)}:
                if name not in assigned or assigned[name].lineno < node.lineno <= line:
                    assigned[name] = node
    yield from assigned.items()


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))
