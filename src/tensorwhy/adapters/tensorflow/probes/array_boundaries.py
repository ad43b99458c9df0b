"""TensorArrays where a tensor is needed, and outside of the function or loop that they belong to."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from tensorflow.python.framework import errors_impl, ops

from tensorwhy.adapters.autograph import unwrapped
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack, UserFrame
from tensorwhy.adapters.tensorflow.failures import array_objects, leaks
from tensorwhy.adapters.tensorflow.graphs import misuse, operands, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import ArrayOutside
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_VALUES = ("value", "values", "x", "target", "input_tensor", "tensor", "outputs", "output", "type_spec", "spec", "inp")


def probe(live: LiveFailure) -> Iterable[Fact]:
    """A tensor array that crossed a boundary which only tensors can cross."""
    way = live.joined()
    fact = (
        _leaked(live, way)
        or _eager_inside(live, way)
        or _eager_carried(way)
        or _returned(live, way)
        or _as_tensor(live, way)
        or _computed_with(live)
    )
    return (fact,) if fact is not None else ()


def _leaked(live: LiveFailure, way: Stack) -> Fact | None:
    """A method of an array that holds something of a finished trace."""
    found = array_objects.called(way)
    refused = misuse.find(live)
    if found is None or refused is None or not _belongs(refused.tensor, found[2]):
        return None
    index, method = found[0], found[1]
    caller = way.caller(index)
    graph = symbolic.graph_of(refused.tensor)
    if caller is None or caller.location is None or not symbolic.is_function_graph(graph):
        return None
    sources = Sources()
    name = array_objects.name_at(caller.location, method, sources)
    whole = leaks.describe(refused.tensor, refused.graph, refused.used, live)
    inside = whole.tensor.graph.kind == "loop"
    stored = whole.escape or _stored_again(name, whole.tensor.calls, sources) or whole.tensor.created
    return ArrayOutside(
        problem="loop-local" if inside else "kept",
        call=array_objects.call_place(caller.location, method, sources),
        origin=reading.exact(stored, sources),
        created=array_objects.made_at(name, caller.location, sources),
        array=name,
        use=method,
        owner=whole.tensor.graph.name,
        lineage=whole.lineage,
    )


def _eager_inside(live: LiveFailure, way: Stack) -> Fact | None:
    """An array that was made eagerly gets a tensor of a graph as its index: it needs the number itself."""
    found = array_objects.called(way)
    if found is None or not type(found[2]).__name__.startswith("_Eager"):
        return None
    index, method = found[0], found[1]
    caller = way.caller(index)
    asked = any(type(each).__name__ == "OperatorNotAllowedInGraphError" for each in live.exceptions)
    if not asked or caller is None or caller.location is None:
        return None
    sources = Sources()
    name = array_objects.name_at(caller.location, method, sources)
    return ArrayOutside(
        problem="eager-inside",
        call=array_objects.call_place(caller.location, method, sources),
        created=array_objects.made_at(name, caller.location, sources),
        array=name,
        use=method,
        owner=caller.location.function.rpartition(".")[2],
    )


def _eager_carried(way: Stack) -> Fact | None:
    """An array that was made eagerly is a variable of a traced loop or branch, which carries arrays of graphs only."""
    found = way.first("build_ta_with_new_flow", array_objects.FILE)
    held = array_objects.implementation(found[1].local("old_ta")) if found is not None else None
    caller = way.caller(found[0]) if found is not None else None
    if caller is None or caller.location is None or not type(held).__name__.startswith("_Eager"):
        return None
    sources = Sources()
    known = [*caller.frame.f_locals.items(), *caller.frame.f_globals.items()]
    names = [
        name for name, value in known if array_objects.is_array(value) and array_objects.implementation(value) is held
    ]
    made = (array_objects.made_at(name, caller.location, sources) for name in names)
    return ArrayOutside(
        problem="eager-carried",
        call=reading.exact(caller.location, sources) or caller.location,
        created=next((place for place in made if place is not None), None),
        array=names[0] if names else "",
        owner=caller.location.function.rpartition(".")[2],
    )


def _belongs(tensor: Any, array: Any) -> bool:
    """Return whether the refused tensor is what the array is made of, and not only an index or value given to it."""
    held = getattr(array, "_tensor_array", None)
    if isinstance(held, list):
        return any(each is tensor for each in held)
    return any(getattr(array, each, None) is tensor for each in ("_flow", "_handle", "handle", "flow"))


def _stored_again(name: str, calls: tuple[Location, ...], sources: Sources) -> Location | None:
    """Where the traced function writes to the array: the write belongs to the trace, and the array outlives it."""
    attribute = name.rpartition(".")[2]
    for call in reversed(calls):
        written = _writes(sources.function(call), attribute)
        if written:
            return reading.place(written[0], call, sources)
    for call in reversed(calls):
        written = _writes(sources.tree(call.file), attribute)
        if len(written) == 1:
            return reading.place(written[0], call, sources)
    return None


def _writes(tree: ast.AST | None, attribute: str) -> list[ast.AST]:
    """Calls that write to an array of this name."""
    return [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("write", "unstack", "scatter")
        and ast.unparse(node.func.value).rpartition(".")[2] == attribute
    ]


def _returned(live: LiveFailure, way: Stack) -> Fact | None:
    """A traced function returned an array: what arrives outside is an opaque tensor without the array's methods."""
    last = way.frames[-1] if way.frames else None
    if last is None or last.name != "getattr__" or not isinstance(live.exceptions[-1], AttributeError):
        return None
    value, wanted = last.local("self"), last.local("name")
    if getattr(getattr(value, "dtype", None), "name", "") != "variant":
        return None
    if wanted not in array_objects.METHODS and wanted != "size":
        return None
    place = next(iter(live.roots()), None)
    if place is None:
        return None
    sources = Sources()
    name = array_objects.name_at(place.own.location, wanted, sources)
    return ArrayOutside(
        problem="returned",
        call=array_objects.call_place(place.own.location, wanted, sources),
        origin=_return_of(name, place, sources),
        array=name,
        use=wanted,
    )


def _computed_with(live: LiveFailure) -> Fact | None:
    """An operation refuses what a traced function returned: the opaque tensor in place of an array."""
    place = next(iter(live.roots()), None)
    if place is None or not isinstance(live.exceptions[0], (TypeError, ValueError, errors_impl.InvalidArgumentError)):
        return None
    sources = Sources()
    for node in operands.nodes(place, sources):
        for each in (each for each in ast.walk(node) if isinstance(each, ast.Name)):
            value = operands.value_of(each, place)
            opaque = isinstance(value, ops.EagerTensor) and value.dtype.name == "variant"
            callee = _callee_of(each.id, place, sources) if opaque else None
            if callee is not None and _gives_arrays(callee):
                return ArrayOutside(
                    problem="returned",
                    call=place.own.location,
                    origin=_return_of(each.id, place, sources),
                    array=each.id,
                    use=next(
                        (
                            reading.callee(call)
                            for call in ast.walk(node)
                            if isinstance(call, ast.Call) and each in (*call.args, *(k.value for k in call.keywords))
                        ),
                        "the operation",
                    ),
                )
    return None


def _callee_of(name: str, place: Any, sources: Sources) -> Any:
    value = reading.assigned_value(reading.last_assignment(name, place.own.location, sources), name)
    return operands.value_of(value.func, place) if isinstance(value, ast.Call) else None


def _gives_arrays(function: Any) -> bool:
    """Return whether a trace of the function has an array for its result."""
    known = getattr(function, "_list_all_concrete_functions", None)
    return callable(known) and any(_is_array(each.structured_outputs) for each in known())


def _return_of(name: str, place: Any, sources: Sources) -> Location | None:
    """The `return` of the traced function whose result got this name."""
    callee = _callee_of(name, place, sources)
    code = getattr(unwrapped(getattr(callee, "python_function", callee)), "__code__", None)
    if code is None:
        return None
    where = Location(file=code.co_filename, line=code.co_firstlineno + 1, function=code.co_name)
    function = sources.function(where) or sources.function(
        Location(file=where.file, line=code.co_firstlineno, function=code.co_name)
    )
    values = reading.returns(function) if function is not None else ()
    return reading.place(values[-1], where, sources) if values else None


def _as_tensor(live: LiveFailure, way: Stack) -> Fact | None:
    """An array given to something that converts its inputs to tensors, indexes them, or wants a layer's outputs."""
    if not isinstance(live.exceptions[0], (TypeError, ValueError, AttributeError)):
        return None
    index = len(way.frames)
    while index > 0 and way.frames[index - 1].location is None:
        index -= 1
        step = way.frames[index]
        if step.file.endswith(array_objects.FILE):
            return None
        held = next((value for each in _VALUES if _is_array(value := step.local(each))), None)
        if held is not None:
            caller = way.caller(index)
            if caller is None or caller.location is None:
                return None
            sources = Sources()
            keras = "/keras/" in step.file or "/tf_keras/" in step.file
            name = _named(caller, held)
            return ArrayOutside(
                problem="layer-output" if keras and step.local("value") is None else "as-tensor",
                call=reading.exact(caller.location, sources) or caller.location,
                created=array_objects.made_at(name, caller.location, sources),
                array=name,
            )
    return _indexed(live, way)


def _is_array(value: Any) -> bool:
    if isinstance(value, (list, tuple)) and 0 < len(value) < 50:
        return any(_is_array(each) for each in value)
    return value is not None and (type(value).__name__ == "TensorArraySpec" or array_objects.is_array(value))


def _named(caller: UserFrame, held: Any) -> str:
    for name, value in caller.frame.f_locals.items():
        if value is held or (
            array_objects.is_array(value) and array_objects.is_array(held) and not name.startswith("_")
        ):
            return name
    return ""


def _indexed(live: LiveFailure, way: Stack) -> Fact | None:
    """`array[0]`, `len(array)`, `for x in array`: raised by Python in the user's own line."""
    last = way.frames[-1] if way.frames else None
    if last is None or last.location is None or not isinstance(live.exceptions[-1], TypeError):
        return None
    place = next(iter(live.roots()), None)
    if place is None:
        return None
    sources = Sources()
    for node in operands.nodes(place, sources):
        for each in ast.walk(node):
            subject = (
                each.value
                if isinstance(each, ast.Subscript)
                else each.iter
                if isinstance(each, ast.For)
                else each.args[0]
                if isinstance(each, ast.Call) and each.args and reading.callee(each) in ("len", "iter", "list", "sum")
                else None
            )
            if subject is not None and array_objects.is_array(operands.value_of(subject, place)):
                name = ast.unparse(subject)
                return ArrayOutside(
                    problem="as-tensor",
                    call=reading.exact(place.own.location, sources) or place.own.location,
                    created=array_objects.made_at(name, place.own.location, sources),
                    array=name,
                )
    return None
