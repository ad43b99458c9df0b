"""A function of the user was given a tensor array where it computes with a tensor: its caller is to `stack()` it."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.tensorflow.failures import array_objects
from tensorwhy.model.facts.loops import ArrayOutside
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def at_its_giver(fact: ArrayOutside, live: LiveFailure, sources: Sources) -> ArrayOutside:
    """The same fact with the call that handed the array over, when a name of the caller's holds it."""
    frames = live.user_frames()
    index = next((i for i, each in enumerate(frames) if _same_line(each.location, fact.call)), None)
    if fact.problem != "as-tensor" or index is None or not _is_parameter(fact, sources):
        return fact
    array = frames[index].frame.f_locals.get(fact.array)
    for giver in frames[index + 1 :]:
        name = _name_of(array, giver)
        if name and array_objects.is_array(array):
            call = _call(name, frames[index], giver, sources)
            if call is None:
                return fact
            made = array_objects.made_at(name, giver.location, sources)
            given = sources.place(giver.location.file, call)
            return msgspec.structs.replace(fact, origin=given, array=name, created=made)
    return fact


def _same_line(one: Location, other: Location) -> bool:
    return (one.file, one.line) == (other.file, other.line)


def _is_parameter(fact: ArrayOutside, sources: Sources) -> bool:
    """True if the name is a parameter that the function uses as a tensor only: no method of arrays is called on it."""
    function = sources.function(fact.call)
    if not isinstance(function, ast.FunctionDef):
        return False
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    of_arrays = any(
        isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and each.value.id == fact.array
        and (each.attr in array_objects.METHODS or each.attr == "size")
        for each in ast.walk(function)
    )
    bound = any(
        isinstance(e, ast.Name) and e.id == fact.array and isinstance(e.ctx, ast.Store) for e in ast.walk(function)
    )
    return fact.array in names and not of_arrays and not bound


def _name_of(array: object, giver: Frame) -> str:
    return next((name for name, value in giver.frame.f_locals.items() if value is array), "")


def _call(name: str, receiver: Frame, giver: Frame, sources: Sources) -> ast.Call | None:
    """The one call of the giver's statement that hands this name to the receiver."""
    if giver.location is None or receiver.location is None:
        return None
    statement = sources.statement(giver.location)
    receives = receiver.location.function.rpartition(".")[2]
    found = [
        each
        for each in (ast.walk(statement) if statement is not None else ())
        if isinstance(each, ast.Call)
        and reading.callee(each).rpartition(".")[2] == receives
        and any(
            isinstance(given, ast.Name) and given.id == name
            for given in (*each.args, *(k.value for k in each.keywords))
        )
    ]
    return found[0] if len(found) == 1 else None
