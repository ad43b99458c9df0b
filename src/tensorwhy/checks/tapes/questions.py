"""The tapes that a scope opens in a `with`, and what it asks them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import NamedTuple

from tensorwhy.checks.text.modules import Module
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom
from tensorwhy.source.reading import argument, flag
from tensorwhy.source.scopes import Scope, Step

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

    @property
    def head(self) -> ast.expr | ast.stmt:
        """What opens it: the `with`, or of one that opens several its own call."""
        block = self.opened.statement
        return self.call if isinstance(block, ast.With) and len(block.items) > 1 else block


class Asked(NamedTuple):
    """A gradient that a tape is asked for. `sources` are those that are written out, None where they are not.

    `filled`: it asks for zeros where there is none.
    """

    tape: Tape
    scope: Scope
    step: Step
    call: ast.Call
    target: ast.expr
    sources: tuple[ast.expr, ...] | None
    filled: bool

    @property
    def inside(self) -> bool:
        """Return whether the tape still records where it is asked."""
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
            filled = _filled(call, method.attr)
            if tape is not None and target is not None and filled is not None:
                sources = _written(argument(call, 1, "sources", "source"))
                yield Asked(tape, scope, step, call, target, sources, filled)


def _filled(call: ast.Call, method: str) -> bool | None:
    """Return whether a question asks for zeros instead of None; None where the text does not tell."""
    given = argument(call, 3 if method == "gradient" else 2, "unconnected_gradients")
    if given is None:
        return None if any(each.arg is None for each in call.keywords) else False
    said = given.value if isinstance(given, ast.Constant) else getattr(given, "attr", "")
    return {"zero": True, "none": False}.get(str(said).lower())


def _opened(module: Module, scope: Scope) -> Iterator[Tape]:
    found = []
    for step in scope.steps:
        for item in step.statement.items if isinstance(step.statement, ast.With) else ():
            call, target = item.context_expr, item.optional_vars
            if not isinstance(call, ast.Call) or not isinstance(target, ast.Name):
                continue
            if module.called(call, scope) == "tensorflow.GradientTape":
                found.append((step, item, call, target.id))
    uses = _uses(scope, {name for _, _, _, name in found})
    for step, item, call, name in found:
        calls = [*uses.get((name, item), ()), *uses.get((name, None), ())]
        if None in calls:
            continue
        told = [(each.func.attr, each) for each in calls if each is not None and isinstance(each.func, ast.Attribute)]
        persistent, watches = flag(call, 0, "persistent", False), flag(call, 1, "watch_accessed_variables", True)
        watched = (argument(each, 0, "tensor") for method, each in told if method == "watch")
        yield Tape(
            name=name,
            call=call,
            opened=step,
            persistent=persistent,
            watches=watches,
            methods=frozenset(method for method, _ in told),
            watched=tuple(each for each in watched if each is not None),
        )


def _uses(scope: Scope, names: set[str]) -> dict[tuple[str, ast.AST | None], list[ast.Call | None]]:
    """What is done with each binding of these names: the methods that are called, and None for all else.

    Where it is not known which binding is used, it stands under None.
    """
    owners = {call.func.value: call for _, call in scope.calls if isinstance(call.func, ast.Attribute)}
    found: dict[tuple[str, ast.AST | None], list[ast.Call | None]] = {}
    own = set()
    for step, nodes in scope.expressions.items() if names else ():
        for node in nodes:
            if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
                binding = scope.binding(node.id, step)
                found.setdefault((node.id, binding.made if binding else None), []).append(owners.get(node))
                own.add(node)
    for name in names:
        elsewhere = any(each not in own and isinstance(each.ctx, ast.Load) for each in scope.mentions[name])
        found.setdefault((name, None), []).extend([None] * elsewhere)
    return found


def _written(sources: ast.expr | None) -> tuple[ast.expr, ...] | None:
    if isinstance(sources, (ast.List, ast.Tuple)):
        return None if any(isinstance(each, ast.Starred) for each in sources.elts) else tuple(sources.elts)
    return None if sources is None or isinstance(sources, (ast.Dict, ast.ListComp)) else (sources,)


def question(module: Module, one: Asked, *sources: Source) -> GradientQuestion:
    """The question as one that was answered with None for these sources."""
    return GradientQuestion(
        recorder_noun="tape",
        event=0,
        recorder=1,
        targets=(1,),
        sources=sources,
        asked=len(one.sources) if one.sources is not None else max(1, len(sources)),
        location=module.place(one.call),
        filled=one.filled,
    )


def none(module: Module, one: Asked) -> Symptom:
    """What the program would see."""
    return Symptom(kind="none-gradient", location=module.place(one.call))
