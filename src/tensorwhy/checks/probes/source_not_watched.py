"""A source that no tape can know of: a plain tensor, an array, or something that is no floating point number."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

import msgspec

from tensorwhy.checks.frameworks.operations import dtype_of, plain_tensor
from tensorwhy.checks.tapes.questions import Asked, asked, none, question
from tensorwhy.checks.tapes.watched_late import watched_late
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak, Made, NotPassed, NotWatched, Unused
from tensorwhy.model.location import Location
from tensorwhy.model.question import Source
from tensorwhy.source.scopes import Binding, Scope

READS = ("GradientTape",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Sources that are names whose one binding says what they are, and all of a tape that watches nothing."""
    for one in asked(module):
        blind = one.tape.watches is False and "watch" not in one.tape.methods
        for position, each in enumerate(one.sources or ((one.call,) if blind else ())):
            binding = one.scope.binding(each.id, one.step) if isinstance(each, ast.Name) else None
            facts: tuple[GradientBreak, ...] = ()
            if binding is not None and binding.value is not None and isinstance(each, ast.Name):
                facts = tuple(_breaks(module, one, each.id, binding, binding.value, position))
            if blind and not facts:
                source = Source(tensor=1, variable=True, trainable=True, position=position)
                facts = (_not_watched(module, one, source, None),)
            if facts:
                yield CaseGroup(symptom=none(module, one), facts=facts, asked=True)


def _breaks(
    module: Module, one: Asked, name: str, binding: Binding, value: ast.expr, position: int
) -> Iterator[GradientBreak]:
    home = binding.scope
    variable = module.called(value, home) == "tensorflow.Variable"
    outside = not binding.step.inside(one.tape.opened.statement)
    plain = plain_tensor(module, home, value, outside) if not variable else ""
    dtype = dtype_of(module, home, value)
    array = plain == "ndarray"
    fixed = variable and _is_false(value, "trainable")
    source = Source(
        tensor=-1 if array else 1,
        variable=variable,
        trainable=False if fixed else None,
        dtype=plain if array else dtype,
        position=position,
    )
    if (plain or variable) and _unused(module, one, home, name, binding):
        made = module.place(value)
        asked_for = question(module, one, source)
        yield Unused(kind="unused", question=asked_for, sources=(source,), made=Made(source=made), exact=False)
        return
    unwatched = (plain or fixed) and not _watched(one, name, value)
    late = watched_late(module, one, name) if plain == "tensor" and not unwatched and home is one.scope else None
    undefined = dtype and (plain == "tensor" or variable)
    if not unwatched and not undefined and late is None:
        return
    made = module.place(value)
    if unwatched:
        yield _not_watched(module, one, source, made)
    if late is not None:
        at = module.place(late)
        yield msgspec.structs.replace(_not_watched(module, one, source, made), watched="late", watched_at=at)
    if undefined:
        yield NotPassed(
            kind="dtype",
            question=question(module, one, source),
            sources=(source,),
            location=made,
            made=Made(source=made, recorder=module.place(one.tape.head)),
            dtypes=(dtype, ""),
            exact=False,
        )


def _unused(module: Module, one: Asked, home: Scope, name: str, binding: Binding) -> bool:
    """Return whether nothing ever reads a source but questions, and calls that have their tapes watch it."""
    target = getattr(binding.step.statement, "targets", [getattr(binding.step.statement, "target", None)])
    if len(target) != 1 or not isinstance(target[0], ast.Name) or binding.step.around:
        return False  # it has another name, too, or a `with` may have kept it
    if (
        isinstance(home.node, ast.ClassDef)
        or name in home.shared
        or module.holds("locals(", "globals(", "eval(", "exec(")
    ):
        return False
    return name not in _read(module, home)


@functools.lru_cache(maxsize=1)
def _told(module: Module) -> frozenset[ast.AST]:
    """What stands where sources are written out."""
    told = (given for each in asked(module) for given in (*(each.sources or ()), *each.tape.watched))
    return frozenset(each for given in told for each in ast.walk(given))


@functools.lru_cache(maxsize=2)  # sources are names of one function, or of the module
def _read(module: Module, home: Scope) -> frozenset[str]:
    """The names that something else than these reads in a scope."""
    known = _told(module)
    every = home.mentions.items()
    return frozenset(
        name for name, nodes in every if any(isinstance(each.ctx, ast.Load) and each not in known for each in nodes)
    )


def _not_watched(module: Module, one: Asked, source: Source, made: Location | None) -> GradientBreak:
    return NotWatched(
        kind="not-watched",
        question=question(module, one, source),
        sources=(source,),
        location=made,
        watched="never",
        made=Made(source=made, recorder=module.place(one.tape.head)),
        exact=False,
    )


def _is_false(value: ast.expr, name: str) -> bool:
    given = [each.value for each in value.keywords if each.arg == name] if isinstance(value, ast.Call) else []
    return any(isinstance(each, ast.Constant) and each.value is False for each in given)


def _watched(one: Asked, name: str, value: ast.expr) -> bool:
    """True if the tape may have been told of the source: by this name, or of something that may be the same tensor."""
    from_here = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} | {name}
    return any(
        not isinstance(node, (ast.Name, ast.List, ast.Tuple, ast.expr_context))
        or (isinstance(node, ast.Name) and (node.id in from_here or _renamed(one, node)))
        for given in one.tape.watched
        for node in ast.walk(given)
    )


def _renamed(one: Asked, node: ast.Name) -> bool:
    binding = one.scope.binding(node.id, one.step)
    return binding is None or binding.value is None or not isinstance(binding.value, ast.Call)
