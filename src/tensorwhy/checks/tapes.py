"""The tapes that a scope opens in a `with`, and what it asks them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import NamedTuple

from tensorwhy.checks.modules import Module
from tensorwhy.checks.scopes import Scope, Step
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom

_ASKING = ("gradient", "jacobian", "batch_jacobian")


class Tape(NamedTuple):
    """A tape that a `with` of a scope opens and names, and that the scope does not hand on.

    `persistent` and `watches` (variables by itself) are None where the text does not tell. `methods` are those that
    are called by the tape's name, `watched` what it is told to watch.
    """

    name: str
    call: ast.Call
    opened: Step
    persistent: bool | None
    watches: bool | None
    methods: frozenset[str]
    watched: tuple[ast.expr, ...]


class Asked(NamedTuple):
    """A gradient that a tape is asked for. `sources` are those that are written out, None where they are not."""

    tape: Tape
    scope: Scope
    step: Step
    call: ast.Call
    target: ast.expr
    sources: tuple[ast.expr, ...] | None

    @property
    def inside(self) -> bool:
        """Whether the tape still records where it is asked."""
        return self.step.inside(self.tape.opened.statement)


@functools.lru_cache(maxsize=1)  # files are read one after the other, and several probes look at the tapes of each
def asked(module: Module) -> tuple[Asked, ...]:
    """Every question to a tape that the same scope opened, in the order of the text."""
    return tuple(_asked(module))


def _asked(module: Module) -> Iterator[Asked]:
    for scope in module.scopes:
        tapes = {id(tape.call): tape for tape in _opened(module, scope)}
        for step, call in scope.calls if tapes else ():
            method = call.func
            if (
                not isinstance(method, ast.Attribute)
                or method.attr not in _ASKING
                or not isinstance(method.value, ast.Name)
            ):
                continue
            found = scope.binding(method.value.id, step)
            item = found.made if found is not None else None
            tape = tapes.get(id(item.context_expr)) if isinstance(item, ast.withitem) else None
            target = argument(call, 0, "target")
            if tape is not None and target is not None:
                yield Asked(tape, scope, step, call, target, _written(argument(call, 1, "sources", "source")))


def _opened(module: Module, scope: Scope) -> Iterator[Tape]:
    for step in scope.steps:
        for item in step.statement.items if isinstance(step.statement, ast.With) else ():
            call, name = item.context_expr, item.optional_vars
            if not isinstance(call, ast.Call) or not isinstance(name, ast.Name):
                continue
            if module.called(call, scope) != "tensorflow.GradientTape":
                continue
            methods = _methods(scope, name.id)
            if methods is None:
                continue
            persistent, watches = flag(call, 0, "persistent", False), flag(call, 1, "watch_accessed_variables", True)
            watched = tuple(
                given for call in methods.get("watch", ()) if (given := argument(call, 0, "tensor")) is not None
            )
            yield Tape(name.id, call, step, persistent, watches, frozenset(methods), watched)


def _methods(scope: Scope, name: str) -> dict[str, list[ast.Call]] | None:
    """By method, the calls of what has this name in a scope; None where something else is done with it."""
    calls: dict[str, list[ast.Call]] = {}
    owners = set()
    for _, call in scope.calls:
        method = call.func
        if isinstance(method, ast.Attribute) and isinstance(method.value, ast.Name) and method.value.id == name:
            owners.add(method.value)
            calls.setdefault(method.attr, []).append(call)
    read = (node for node in scope.mentions[name] if isinstance(node.ctx, ast.Load))
    return calls if all(node in owners for node in read) else None


def argument(call: ast.Call, position: int, *names: str) -> ast.expr | None:
    """What a call is given for a parameter; None where it is not written out."""
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    first = call.args[: position + 1]
    return first[position] if len(first) > position and not any(isinstance(e, ast.Starred) for e in first) else None


def flag(call: ast.Call, position: int, name: str, default: bool) -> bool | None:
    """The truth value that a call gives for a parameter; None where the text does not tell."""
    given = argument(call, position, name)
    if given is None:
        spread = any(isinstance(each, ast.Starred) for each in call.args) or any(k.arg is None for k in call.keywords)
        return None if spread else default
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, bool) else None


def _written(sources: ast.expr | None) -> tuple[ast.expr, ...] | None:
    if isinstance(sources, (ast.List, ast.Tuple)):
        return None if any(isinstance(each, ast.Starred) for each in sources.elts) else tuple(sources.elts)
    return None if sources is None or isinstance(sources, (ast.Dict, ast.ListComp)) else (sources,)


def question(module: Module, one: Asked, *sources: Source) -> GradientQuestion:
    """The question as one that was answered with None for these sources."""
    return GradientQuestion(
        event=0,
        tape=1,
        targets=(1,),
        sources=sources,
        asked=len(one.sources) if one.sources is not None else max(1, len(sources)),
        location=module.place(one.call),
    )


def none(module: Module, one: Asked) -> Symptom:
    """What the program would see."""
    return Symptom(kind="none-gradient", location=module.place(one.call))
