"""Which statement runs before which, and what a name stands for there, as far as one scope's text says so for certain.

A scope is a module, a function or a class body. Where several bindings of a name may reach a statement, or one that
cannot be read, the answer is None: nothing is guessed.
"""

from __future__ import annotations

import ast
import bisect
import functools
from collections.abc import Iterable, Iterator

from tensorwhy.source.reading import last_name

ScopeNode = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINITIONS = (ast.Lambda, *_SCOPES)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_WITHS = (ast.With, ast.AsyncWith)
_EVALUATED = (ast.expr, ast.comprehension, ast.keyword, ast.withitem)
_FIELDS = ("body", "handlers", "cases", "orelse", "finalbody")
"""In the order of the text. Handlers and cases have bodies of their own."""


class Step:
    """A statement in its place: `order` counts in the order of the text, `blocks` are those around it, outermost first.

    A block is named by its statement and the field of that; the body of a `with` is no block: it runs where it stands.
    `guarded`: a failure of it is caught, or asked for, in a `try` with handlers or below `assertRaises`.
    """

    __slots__ = ("around", "blocks", "guarded", "order", "statement")

    def __init__(
        self,
        statement: ast.stmt,
        order: int,
        blocks: tuple[tuple[ast.AST, str], ...],
        around: tuple[Step, ...],
        guarded: bool,
    ) -> None:
        self.statement = statement
        self.order = order
        self.blocks = blocks
        self.around = around
        self.guarded = guarded

    def always_before(self, other: Step) -> bool:
        """Return whether it has run whenever the other one runs (in the same turn of a loop around both)."""
        return self.order < other.order and self.blocks == other.blocks[: len(self.blocks)]

    def inside(self, statement: ast.stmt) -> bool:
        """Return whether it stands in a compound statement."""
        return any(step.statement is statement for step in self.around)

    @property
    def loops(self) -> tuple[ast.AST, ...]:
        """The loops whose bodies it stands in, outermost first."""
        return tuple(owner for owner, field in self.blocks if isinstance(owner, _LOOPS) and field == "body")


def _may_stop_short(statement: ast.With | ast.AsyncWith) -> bool:
    """Return whether what follows a `with` runs even when its body failed."""
    return any(_asks_to_fail(item.context_expr) for item in statement.items)


def _asks_to_fail(node: ast.expr) -> bool:
    last = last_name(node.func if isinstance(node, ast.Call) else node)
    return "raises" in last.lower() or last == "suppress"


class Binding:
    """One place that gives a name something. `value` is the expression, None where it is no whole expression.

    `made` is the statement or other node that binds: an import, a function, an item of a `with`, a case of a `match`.
    `scope` is that of the statement, which may be one outside of where the name is read.
    """

    __slots__ = ("made", "scope", "step", "value")

    def __init__(self, scope: Scope, step: Step, made: ast.AST, value: ast.expr | None = None) -> None:
        self.scope = scope
        self.step = step
        self.made = made
        self.value = value

    def holds(self, at: Step) -> bool:
        """Return whether the name has it at a statement for certain, if its own has run."""
        if isinstance(self.made, (ast.For, ast.AsyncFor, ast.ExceptHandler, ast.match_case)):
            return (self.made, "body") in at.blocks
        return not isinstance(self.made, ast.NamedExpr)

    @property
    def depth(self) -> int:
        """The loops, outermost first, that bind the name anew in each turn."""
        return len(self.step.loops) + isinstance(self.made, (ast.For, ast.AsyncFor))

    @property
    def at_once(self) -> bool:
        """Return whether other parts of its own statement may see it."""
        statement = self.step.statement
        return isinstance(self.made, ast.NamedExpr) or (isinstance(statement, _WITHS) and len(statement.items) > 1)


class Scope:
    """One scope with its statements. `outer` is the one around it."""

    def __init__(self, node: ScopeNode, outer: Scope | None) -> None:
        self.node = node
        self.outer = outer
        self.steps: list[Step] = []
        self.inner: list[Scope] = []
        if not isinstance(node, ast.Lambda):
            self._add(node.body, (), (), False)

    def _add(
        self, body: list[ast.stmt], blocks: tuple[tuple[ast.AST, str], ...], around: tuple[Step, ...], guarded: bool
    ) -> None:
        for statement in body:
            step = Step(statement, len(self.steps), blocks, around, guarded)
            self.steps.append(step)
            if isinstance(statement, _SCOPES):
                self.inner.append(Scope(statement, self))
            elif isinstance(statement, _WITHS) and not _may_stop_short(statement):
                self._add(statement.body, blocks, (*around, step), guarded)
            elif hasattr(statement, "body") or hasattr(statement, "cases"):
                within = (*around, step)
                caught = isinstance(statement, _WITHS) or bool(getattr(statement, "handlers", ()))
                for field in _FIELDS:
                    held = getattr(statement, field, [])
                    if field in ("handlers", "cases"):
                        for each in held:
                            self._add(each.body, (*blocks, (each, "body")), within, guarded)
                    else:
                        expected = guarded or (caught and field == "body")
                        self._add(held, (*blocks, (statement, field)), within, expected)

    @functools.cached_property
    def expressions(self) -> dict[Step, list[ast.AST]]:
        """Of each statement all nodes that it evaluates itself: not its body, nor the bodies of functions in it."""
        return {step: list(evaluated(step.statement)) for step in self.steps}

    @functools.cached_property
    def calls(self) -> list[tuple[Step, ast.Call]]:
        """The calls of its statements, in the order of the text."""
        found = [
            (step, node) for step, nodes in self.expressions.items() for node in nodes if isinstance(node, ast.Call)
        ]
        return sorted(found, key=lambda pair: (pair[1].lineno, pair[1].col_offset))

    @functools.cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of a function's parameters, in their order."""
        if isinstance(self.node, (ast.Module, ast.ClassDef)):
            return ()
        given = self.node.args
        named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        return tuple(each.arg for each in (*named, given.vararg, given.kwarg) if each is not None)

    @functools.cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        """By name, in the order of the text."""
        found: dict[str, list[Binding]] = {}
        for step, nodes in self.expressions.items():
            for name, made, value in _bound(step.statement, nodes):
                found.setdefault(name, []).append(Binding(self, step, made, value))
        return found

    @functools.cached_property
    def mentions(self) -> dict[str, list[ast.Name]]:
        """Where a name is read or bound in it, functions inside of it included that have no such name of their own."""
        found: dict[str, list[ast.Name]] = {}
        for step, nodes in self.expressions.items():
            beside = [each for node in nodes if isinstance(node, ast.Lambda) for each in ast.walk(node.body)]
            for handler in getattr(step.statement, "handlers", ()):
                beside += ast.walk(handler.type) if handler.type is not None else ()
            for case in step.statement.cases if isinstance(step.statement, ast.Match) else ():
                beside += [*ast.walk(case.pattern), *(ast.walk(case.guard) if case.guard is not None else ())]
            for each in (*nodes, *beside):
                if isinstance(each, ast.Name):
                    found.setdefault(each.id, []).append(each)
        for inner in self.inner:
            for name, every in inner.mentions.items():
                if isinstance(inner.node, ast.ClassDef) or not inner.binds(name) or name in inner.shared:
                    found.setdefault(name, []).extend(every)
        return found

    @functools.cached_property
    def shared(self) -> frozenset[str]:
        """Names that functions inside of it may bind, too (`global`, `nonlocal`), or that it takes from outside so."""
        said = (step.statement for step in self.steps)
        own = (name for each in said if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names)
        return frozenset(own).union(*(inner.shared for inner in self.inner))

    def binds(self, name: str) -> bool:
        """Return whether a name is this scope's own."""
        return name in self.bindings or name in self.parameters

    def knows(self, name: str) -> bool:
        """Return whether a name is bound in this scope or one around it: a builtin of that name is hidden then."""
        scope: Scope | None = self
        while scope is not None and not scope.binds(name):
            scope = scope.outer
        return scope is not None

    def binding(self, name: str, at: Step) -> Binding | None:
        """The one binding that a statement of this scope reads, or the only one of the nearest scope outside."""
        own, later = self._comprehended.get(at, (frozenset(), False))
        if name in self.shared or name in own:
            return None
        if name in self.bindings:
            found = self._reaching(name, at)
            return None if later and found is not self.bindings[name][-1] else found
        return None if name in self.parameters else self._from_outside(name)

    @functools.cached_property
    def _comprehended(self) -> dict[Step, tuple[frozenset[str], bool]]:
        """Of statements with comprehensions: what those bind for themselves, and whether one may run later."""
        found = {}
        for step, nodes in self.expressions.items():
            targets = [node.target for node in nodes if isinstance(node, ast.comprehension)]
            if targets:
                names = frozenset(each.id for node in targets for each in ast.walk(node) if isinstance(each, ast.Name))
                found[step] = names, any(isinstance(node, ast.GeneratorExp) for node in nodes)
        return found

    def _from_outside(self, name: str) -> Binding | None:
        scope = self.outer
        while scope is not None:
            if not isinstance(scope.node, ast.ClassDef) and scope.binds(name):
                found = scope.bindings.get(name, [])
                once = len(found) == 1 and name not in scope.parameters and name not in scope.shared
                return found[0] if once and not scope.starred(found[0].step) else None
            scope = scope.outer
        return None

    def starred(self, after: Step, before: Step | None = None) -> bool:
        """Return whether a star import, which may bind any name, stands between two statements."""
        return any(
            after.order < each.step.order and (before is None or each.step.order < before.order)
            for each in self.bindings.get("*", ())
        )

    def _reaching(self, name: str, at: Step) -> Binding | None:
        every = self.bindings[name]
        here = bisect.bisect_left(every, at.order, key=lambda each: each.step.order)
        last = every[here - 1] if here else None
        if last is None or not last.step.always_before(at) or not last.holds(at) or self.starred(last.step, at):
            return None
        # What follows gets here from the end of a loop, unless the loop binds the name anew before.
        around = (*at.loops, at.statement) if isinstance(at.statement, ast.While) else at.loops
        loops = around[last.depth :]
        for each in every[here : here + 1]:
            again = loops and (loops[0] in each.step.loops or each.step is at)
            if again or (each.step is at and each.at_once):
                return None
        return last


def evaluated(statement: ast.AST) -> Iterator[ast.AST]:
    """The nodes that a statement evaluates when it runs, itself first: no statements in it, and no function's body."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, _DEFINITIONS):
            stack += _given_to(node)
            continue
        for field in node._fields:  # what `ast.iter_child_nodes` does, which is half of the time of a whole check
            value = getattr(node, field, None)
            if value.__class__ is list:
                stack += [each for each in value if isinstance(each, _EVALUATED)]
            elif isinstance(value, _EVALUATED):
                stack.append(value)


def _given_to(node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.AST]:
    """What the definition of a function or class evaluates."""
    found: list[ast.AST] = [] if isinstance(node, ast.Lambda) else [*node.decorator_list]
    if isinstance(node, ast.ClassDef):
        return [*found, *node.bases, *node.keywords]
    return [*found, *node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]


def _bound(statement: ast.stmt, nodes: list[ast.AST]) -> Iterator[tuple[str, ast.AST, ast.expr | None]]:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from _paired(target, statement.value, statement)
    elif isinstance(statement, ast.AnnAssign):
        if statement.value is not None:
            yield from _paired(statement.target, statement.value, statement)
    elif isinstance(statement, (ast.AugAssign, ast.For, ast.AsyncFor)):
        yield from _paired(statement.target, None, statement)
    elif isinstance(statement, _WITHS):
        for item in statement.items:
            if isinstance(item.optional_vars, ast.Name):
                yield item.optional_vars.id, item, None
            elif item.optional_vars is not None:
                yield from _paired(item.optional_vars, None, item)
    elif isinstance(statement, _SCOPES):
        yield statement.name, statement, None
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            yield (alias.asname or alias.name.partition(".")[0]), statement, None
    elif isinstance(statement, ast.Delete):
        for target in statement.targets:
            yield from _paired(target, None, statement)
    elif isinstance(statement, ast.Try):
        for handler in statement.handlers:
            if handler.name:
                yield handler.name, handler, None
    elif isinstance(statement, ast.Match):
        for case in statement.cases:
            for node in ast.walk(case.pattern):
                name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
                if isinstance(name, str):
                    yield name, case, None
            if case.guard is not None:
                yield from _walrus(ast.walk(case.guard))
    yield from _walrus(nodes)


def _walrus(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.AST, ast.expr | None]]:
    for node in nodes:
        if isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name):
            yield node.target.id, node, None


def _paired(target: ast.expr, value: ast.expr | None, made: ast.AST) -> Iterator[tuple[str, ast.AST, ast.expr | None]]:
    """Each name of a target with what it is given, where both are written out."""
    if isinstance(target, ast.Name):
        yield target.id, made, value
    elif isinstance(target, ast.Starred):
        yield from _paired(target.value, None, made)
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        whole = len(parts) == len(target.elts) and not any(isinstance(e, ast.Starred) for e in (*parts, *target.elts))
        for at, each in enumerate(target.elts):
            yield from _paired(each, parts[at] if whole else None, made)
