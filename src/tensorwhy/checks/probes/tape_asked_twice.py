"""A tape that is not persistent, and is asked again after an answer that used it up."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.tapes.questions import Asked, Tape, asked
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.recorder import ConsumedRecorder
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom

READS = ("GradientTape",)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def find(module: Module) -> Iterator[CaseGroup]:
    """A second question, or one in a loop that the tape was opened outside of."""
    questions = [each for each in asked(module) if _answers_once(each.tape) and not each.step.guarded]
    of_tape: dict[ast.Call, list[Asked]] = {}
    for one in questions:
        of_tape.setdefault(one.tape.call, []).append(one)
    told = set()
    for one in questions:
        first = next((other for other in of_tape[one.tape.call] if _before(other, one)), None)
        if first is None and _in_loop(one):
            first = one
        if first is None or id(one.tape.call) in told:
            continue
        told.add(id(one.tape.call))
        place = module.place(one.call)
        fact = ConsumedRecorder(
            name=one.tape.name,
            location=place,
            opened=module.place(one.tape.head),
            first=module.place(first.call),
            hidden=_around(module, one.tape),
        )
        yield CaseGroup(symptom=Symptom(kind="exception", location=place), facts=(fact,))


def _answers_once(tape: Tape) -> bool:
    return tape.persistent is False and "reset" not in tape.methods


def _around(module: Module, tape: Tape) -> Location | None:
    """A `with` around the tape's own that gave another one the same name."""
    for step in tape.opened.around:
        for item in step.statement.items if isinstance(step.statement, ast.With) else ():
            if isinstance(item.optional_vars, ast.Name) and item.optional_vars.id == tape.name:
                return module.place(step.statement)
    return None


def _before(other: Asked, one: Asked) -> bool:
    """Return whether a question has been asked whenever the other one is."""
    if not _always_asked(other):
        return False
    if other.step is one.step:
        return (other.call.lineno, other.call.col_offset) < (one.call.lineno, one.call.col_offset)
    return other.step.always_before(one.step)


def _in_loop(one: Asked) -> bool:
    """Return whether it is asked in each turn of a loop that goes on with the same tape, whatever it finds."""
    opened = len(one.tape.opened.blocks)
    within = one.step.blocks[opened:]
    inner = [owner for owner, field in within if isinstance(owner, _LOOPS) and field == "body"]
    return (
        len(inner) == len(within)
        and any(map(_several_turns, inner))
        and _always_asked(one)
        and not any(
            isinstance(node, (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield))
            for loop in inner
            for node in ast.walk(loop)
        )
    )


def _several_turns(owner: ast.AST) -> bool:
    """Return whether the text does not tell, or suggest, that a block is a loop of one turn."""
    match owner:
        case ast.While(test=ast.Constant() | ast.Compare() | ast.BoolOp()):
            return True
        case ast.For(iter=over) | ast.AsyncFor(iter=over):
            return _several(over)
    return False


def _several(over: ast.expr) -> bool:
    match over:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return len(elements) > 1 or any(isinstance(each, ast.Starred) for each in elements)
        case ast.Call(func=ast.Name(id="zip" | "enumerate"), args=arguments):
            return all(map(_several, arguments))
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]):
            return count > 1
    return True


def _always_asked(one: Asked) -> bool:
    """Return whether it is asked whenever its statement runs."""
    return not any(
        node is one.call
        for whole in one.scope.expressions[one.step]
        for part in _that_may_be_skipped(whole)
        for node in ast.walk(part)
    )


def _that_may_be_skipped(node: ast.AST) -> tuple[ast.AST, ...]:
    """The parts of an expression that may not be evaluated although it is."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return body, orelse
        case ast.BoolOp(values=values):
            return tuple(values[1:])
        case ast.ListComp(elt=made, generators=generators) | ast.SetComp(elt=made, generators=generators):
            return made, *_turns(generators)
        case ast.GeneratorExp(elt=made, generators=generators):
            return made, *_turns(generators)
        case ast.DictComp(key=key, value=value, generators=generators):
            return key, value, *_turns(generators)
    return ()


def _turns(generators: list[ast.comprehension]) -> tuple[ast.AST, ...]:
    first, *others = generators
    return (*first.ifs, *others)
