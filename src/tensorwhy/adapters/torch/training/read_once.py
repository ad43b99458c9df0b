"""Iterators of parameters, which can be read only once: those that are kept, and loops over what was read before."""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.model.location import Location
from tensorwhy.recording.journal import Journal
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import last_name
from tensorwhy.source.scopes import Scope, Step

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LEAVES = (ast.Return, ast.Continue, ast.Break, ast.Raise)
_READERS = frozenset({"zip", "enumerate", "list", "tuple", "iter", "filter", "map", "sorted"})


class ParameterIterator:
    """Parameters that were asked for at a place, as what can be read only once, and is kept."""

    def __init__(self, place: int, given: Any, module: Any) -> None:
        self.place = place
        self._given, self._module = weakref.ref(given), weakref.ref(module)
        self._version = -1
        self.changed = False
        """They were changed after a call of `backward`, and before it was seen to be read."""
        self.idle = 0
        """So many calls of `backward` found it read to its end, and the parameters as they were after that."""

    @property
    def is_alive(self) -> bool:
        return self._given() is not None

    def look(self, used: set[int]) -> None:
        """A `backward` has returned; some parameters are those of optimizers."""
        given, module = self._given(), self._module()
        held = [each for _, each in module.named_parameters()] if module is not None else []
        if given is None or any(id(each) in used for each in held):
            self._version = -1
            return
        now, open_ = sum(each._version for each in held), given.gi_frame is not None
        self.changed |= not open_ and self._version >= 0 and not self.idle and now != self._version
        self.idle = self.idle + 1 if not open_ and now == self._version else 0
        self._version = now


class Exhausted(NamedTuple):
    """An iterator that the constructor of an optimizer has read: its argument, or that of one of its groups."""

    place: int
    group: int = -1


def exhausted(given: Any, place: int) -> Iterator[Exhausted]:
    """Yield what an optimizer was given that can be read only once."""
    if hasattr(given, "__next__"):
        yield Exhausted(place)
    for group, each in enumerate(given if isinstance(given, (list, tuple)) else ()):
        if isinstance(each, dict) and hasattr(each.get("params"), "__next__"):
            yield Exhausted(place, group)


def loops(
    journal: Journal, every: list[Exhausted], sources: Sources
) -> Iterator[tuple[str, Location, Location | None, Location]]:
    """Loops over an iterator that an optimizer has read to its end, where the program came past them.

    Yields its name, where it is handed to the optimizer, where it gets the name, and the loop.
    """
    if not every:
        return
    text, told = _Text(journal, sources), set[Location]()
    for each in every:
        for at, name in text.called(each):
            for made, loop in text.over(at, name):
                if loop not in told:
                    told.add(loop)
                    yield name, at, made, loop


class _Text:
    """What the text of a program says of a name, and which lines were recorded."""

    def __init__(self, journal: Journal, sources: Sources) -> None:
        self._journal = journal
        self._sources = sources
        places = {event.place for event in journal.events()}
        self._lines = {(frame.location.file, frame.location.line) for at in places for frame in journal.chain(at)}

    def called(self, each: Exhausted) -> Iterator[tuple[Location, str]]:
        """What an iterator is called where the optimizer is created, and where a function was given it for that."""
        at, position, function = None, 0, None
        for frame in self._journal.chain(each.place):
            name = function.name if isinstance(function, _DEFINITIONS) else ""
            at, call = frame.location, call_at(self._sources, frame.location)
            if call is None or (function is not None and (not name or last_name(call.func) != name)):
                return
            position -= function is not None and isinstance(call.func, ast.Attribute)  # `self`
            given = call.args[position] if 0 <= position < len(call.args) else None
            if function is None:
                given = _argument(call, each.group)
            if not isinstance(given, (ast.Name, ast.Attribute)):
                return
            yield at, ast.unparse(given)
            function = self._sources.function(at)
            parameters = [one.arg for one in function.args.args] if function is not None else []
            if ast.unparse(given) not in parameters:
                return
            position = parameters.index(ast.unparse(given))

    def over(self, at: Location, name: str) -> Iterator[tuple[Location | None, Location]]:
        """The loops over a name that a line knows: where it is given its value, and the loop."""
        tree = self._sources.tree(at.file)
        scopes = [*_all(Scope(tree, None))] if tree is not None else []
        node = self._sources.function(at)
        home = next((each for each in scopes if each.node is (node or tree)), None)
        if name.startswith("self."):
            while home is not None and not isinstance(home.node, ast.ClassDef):
                home = home.outer
        if home is None:
            return
        known = [
            (scope, step, each)
            for scope in _all(home)
            for step, nodes in scope.expressions.items()
            for each in nodes
            if isinstance(each, (ast.Name, ast.Attribute)) and ast.unparse(each) == name
        ]
        if "." not in name:
            own = {id(each) for each in home.mentions.get(name, ())}
            known = [each for each in known if id(each[2]) in own]
        bound = [(step, each) for _, step, each in known if isinstance(each.ctx, ast.Store)]
        if len(bound) > 1 or any(not isinstance(step.statement, (ast.Assign, ast.AnnAssign)) for step, _ in bound):
            return
        made = self._sources.place(at.file, bound[0][0].statement) if bound else None
        for scope, step, each in known:
            later = scope is not home or step.statement.lineno > at.line
            loop = _loop(scope.expressions[step], each) if later else None
            if loop is not None and self._runs(at.file, scopes, scope, step):
                yield made, self._sources.place(at.file, loop)

    def _runs(self, file: str, scopes: list[Scope], scope: Scope, step: Step, callers: int = 2) -> bool:
        """Whether the program came past a statement: past others of its block, or past a call of its function."""
        inside = len(step.blocks)
        for other in scope.steps:
            seen = other is not step and not other.inside(step.statement) and self._was_at(file, other)
            if seen and other.blocks[:inside] == step.blocks:
                between = scope.steps[other.order + 1 : step.order]
                if not any(
                    isinstance(each.statement, _LEAVES) and each.blocks[:inside] == step.blocks for each in between
                ):
                    return True
        function = getattr(scope.node, "name", "")
        return bool(callers and function) and any(
            self._was_at(file, at) or self._runs(file, scopes, outer, at, callers - 1)
            for outer in scopes
            for at, call in outer.calls
            if last_name(call.func) == function
        )

    def _was_at(self, file: str, step: Step) -> bool:
        first, body = step.statement.lineno, getattr(step.statement, "body", None)
        end = body[0].lineno - 1 if isinstance(body, list) else step.statement.end_lineno or first
        return any((file, line) in self._lines for line in range(first, max(end, first) + 1))


def _argument(call: ast.Call, group: int) -> ast.expr | None:
    """What stands for the parameters in the call of an optimizer, or for those of a group."""
    given = call.args[0] if call.args else next((each.value for each in call.keywords if each.arg == "params"), None)
    if group >= 0:
        of = given.elts[group] if isinstance(given, (ast.List, ast.Tuple)) and group < len(given.elts) else None
        pairs = zip(of.keys, of.values) if isinstance(of, ast.Dict) else ()
        given = next((value for key, value in pairs if getattr(key, "value", None) == "params"), None)
    return given


def _all(scope: Scope) -> Iterator[Scope]:
    yield scope
    for each in scope.inner:
        yield from _all(each)


def _loop(nodes: list[ast.AST], name: ast.Name | ast.Attribute) -> ast.expr | None:
    """What a loop or a comprehension goes over, if it is this name, or is made of it."""
    for node in nodes:
        over = node.iter if isinstance(node, (ast.For, ast.comprehension)) else None
        inner = over
        while isinstance(inner, ast.Call) and last_name(inner.func) in _READERS:
            if name in inner.args:
                return over
            inner = next((each for each in inner.args if isinstance(each, ast.Call)), None)
        if over is name:
            return over
    return None
