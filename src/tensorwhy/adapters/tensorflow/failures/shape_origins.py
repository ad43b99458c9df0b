"""Follows a tensor without a static shape back to where the shape was lost.

In a graph that is the first operation whose inputs still had one. What a dataset feeds is followed through the
dataset: its transformations remember the functions that they map, whose graphs remember their lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import tensorflow as tf

from tensorwhy.adapters import autograph
from tensorwhy.adapters.keras_common import creations, nodes, packages
from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.tensorflow.failures.unknown_shapes import Part, is_shaped, lost, shape_of, within
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.model.facts.loops import Shape
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

Means = Literal["python", "generator", "decoded", "declared", "layer", "branches", "operation"]
_PYTHON = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
_DECODERS = ("decode_image",)
_FED = ("Placeholder", "IteratorGetNext", "OptionalGetValue", "PlaceholderWithDefault")
_FIRST_ONLY = ("Reshape", "ExpandDims", "Tile", "BroadcastTo", "Slice", "StridedSlice", "Transpose", "Pad", "GatherV2")
_REARRANGING = ("Reshape", "RaggedTensorToTensor")
_DECIDING = ("If", "StatelessIf", "Case", "StatelessCase")
_FARTHEST = 10_000
_DEEPEST = 64


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a shape was lost. `functions` are the library's that ran there, the one that the user called first."""

    means: Means
    made: Location
    functions: tuple[str, ...] = ()
    given: Shape | None = None
    got: Shape | None = None
    branches: tuple[Shape, ...] = ()


def find(tensor: Any, part: Part, calls: tuple[Frame, ...], user: UserCode) -> Origin | None:
    """The origin in the tensor's own graph, else in the dataset that feeds it."""
    if packages.is_keras_tensor(tensor):
        return _of_keras(tensor, part)
    found = _in_graph(tensor, part)
    if not _is_fed(found):
        return _operation(found, part, user)
    for each in datasets(calls):
        component = next(_unknown(each, part), None)
        if component is not None:
            return in_dataset(each, component, part, user)
    return _in_signature(found, part, calls, user)


def _in_signature(argument: Any, part: Part, calls: tuple[Frame, ...], user: UserCode) -> Origin | None:
    """The signature of a `tf.function` that is being traced, which declares this argument without a shape."""
    position = next((i for i, each in enumerate(getattr(argument.graph, "inputs", ())) if each is argument), -1)
    for call in calls:
        function = call.local("self")
        signature = getattr(function, "input_signature", None) if _is_traced(function) else None
        code = getattr(autograph.unwrapped(getattr(function, "_python_function", None)), "__code__", None)
        declared = tf.nest.flatten(signature) if signature else []
        if code is None or not user.owns(code.co_filename) or not 0 <= position < len(declared):
            continue
        if argument.graph.name != code.co_name:  # an argument of a loop or branch in it
            continue
        if isinstance(declared[position], tf.TensorSpec) and lost(declared[position], part):
            made = Location(file=code.co_filename, line=code.co_firstlineno, function=code.co_name)
            several = ("TensorSpec",) if len(declared) == 1 else ()
            return Origin(
                means="declared", made=made, functions=(*several, "function"), got=shape_of(declared[position])
            )
    return None


def _is_traced(value: Any) -> bool:
    return type(value).__name__ == "Function" and type(value).__module__.startswith("tensorflow.")


def datasets(calls: tuple[Frame, ...]) -> Iterator[Any]:
    """The datasets that the frames hold, or that an iterator in them goes along, innermost frame first."""
    for call in calls:
        for value in list(call.frame.f_locals.values()):
            for each in within(value):
                found = getattr(each, "_dataset", None) if isinstance(each, tf.data.Iterator) else each
                if isinstance(found, tf.data.Dataset):
                    yield found


def _of_keras(tensor: Any, part: Part) -> Origin | None:
    """The call of a layer whose inputs have what its output lacks; or the input that was declared without."""
    for _ in range(_FARTHEST):
        made = nodes.producer(tensor)
        if made is None:
            return None
        needed = nodes.inputs(made[1])
        before = next((each for each in needed if lost(each, part)), None)
        if before is not None:
            tensor = before
            continue
        place = creations.made(made[1]) or creations.made(made[0])
        if place is None:
            return None
        return Origin(
            means="layer" if needed else "declared",
            made=place,
            functions=(str(getattr(made[0], "name", "")) if needed else "Input",),
            given=shape_of(needed[0]) if needed else None,
            got=shape_of(tensor),
        )
    return None


def _in_graph(tensor: Any, part: Part) -> Any:
    """The tensor farthest back on the way that still has no shape."""
    seen: set[int] = set()
    for _ in range(_FARTHEST):
        before = next((each for each in _data(tensor, part) if id(each) not in seen and lost(each, part)), None)
        if before is None:
            return tensor
        seen.add(id(before))
        tensor = before
    return tensor


def _data(tensor: Any, part: Part) -> list[Any]:
    """The inputs whose shape may become that of the result: not indices, sizes and conditions."""
    op = tensor.op
    given = [each for each in op.inputs if is_shaped(each)]
    shape = shape_of(tensor)
    if (op.type == "Reshape" and shape is None) or (op.type in _DECIDING and part == "any"):
        return []
    if op.type == "SparseToDense":  # its first tensor are indices, and its values a list
        return []
    if op.type in _REARRANGING and part != "rank" and given and len(shape_of(given[0]) or ()) != len(shape or ()):
        return []
    alike = [each for each in given if each.dtype == tensor.dtype]
    return given[:1] if op.type in _FIRST_ONLY or not alike else alike


def _is_fed(tensor: Any) -> bool:
    return tensor.op.type in _FED


def _operation(tensor: Any, part: Part, user: UserCode) -> Origin | None:
    stack = symbolic.traceback_of(tensor)
    calls = symbolic.user_calls(stack, user)
    if not calls:
        return None
    functions = _called(stack, user)
    means: Means = "operation"
    if tensor.op.type in _PYTHON:
        means = "python"
    elif any(name in _DECODERS for name in functions):
        means = "decoded"
    branches = _branches(tensor, part)
    means = "branches" if branches else means
    data = _data(tensor, part)
    return Origin(
        means=means,
        made=calls[-1],
        functions=functions,
        given=shape_of(data[0]) if data and means == "operation" else None,
        got=shape_of(tensor),
        branches=branches,
    )


def _branches(tensor: Any, part: Part) -> tuple[Shape, ...]:
    """What the branches of a condition give, where each knows its own shape, and one differs from the others."""
    attributes = tensor.op.node_def.attr if tensor.op.type in _DECIDING else {}
    named = [attributes[key].func for key in ("then_branch", "else_branch") if key in attributes]
    named = named or (list(attributes["branches"].list.func) if "branches" in attributes else [])
    graphs = [symbolic.called_graph(tensor.op.graph, each.name) for each in named]
    outputs = [each.outputs[tensor.value_index] for each in graphs if each is not None]
    shapes = tuple(shape for each in outputs if (shape := shape_of(each)) is not None and not lost(each, part))
    differing = {len(shape) if part == "rank" else shape[-1:] for shape in shapes}
    return shapes if len(shapes) == len(named) and len(differing) > 1 else ()


def _called(stack: list[tuple[str, int, str]], user: UserCode) -> tuple[str, ...]:
    """The library's functions that the user's innermost line called, outermost first."""
    inner: list[str] = []
    for file, _, name in reversed(stack):
        if user.owns(file):
            break
        inner.append(name)
    return tuple(reversed(inner))


def _unknown(dataset: Any, part: Part) -> Iterator[int]:
    """The positions of the elements' components without a shape."""
    for position, spec in enumerate(tf.nest.flatten(dataset.element_spec)):
        if isinstance(spec, tf.TensorSpec) and lost(spec, part):
            yield position


def in_dataset(dataset: Any, component: int, part: Part, user: UserCode) -> Origin | None:
    """The transformation that first gives this component without a shape."""
    for _ in range(_DEEPEST):
        wrapper = getattr(dataset, "_map_func", None)
        before = getattr(dataset, "_input_dataset", None)
        graph = getattr(getattr(wrapper, "_function", None), "graph", None)
        if wrapper is None and before is not None and len(specs(before)) == len(specs(dataset)):
            dataset = before
            if component not in _unknown(dataset, part):
                return None
            continue
        if graph is None:
            before, component = _zipped(dataset, component)
            if before is None:
                return None
            dataset = before
            continue
        outputs = list(graph.outputs)
        if len(outputs) == 1 and outputs[0].dtype == tf.variant:
            return _generator(graph, user)
        if component >= len(outputs) or len(outputs) != len(specs(dataset)):
            return None
        found = _in_graph(outputs[component], part)
        if not _is_fed(found):
            origin = _operation(found, part, user)
            return origin
        component = next((i for i, each in enumerate(graph.inputs) if each is found), -1)
        if before is None or component not in _unknown(before, part):
            return None
        dataset = before
    return None


def _zipped(dataset: Any, component: int) -> tuple[Any, int]:
    """Of datasets that were zipped, the one that gives this component, and which of its own that is."""
    parts = [each for each in within(getattr(dataset, "_datasets", ())) if isinstance(each, tf.data.Dataset)]
    if sum(len(specs(each)) for each in parts) != len(specs(dataset)):
        return None, component
    for each in parts:
        if component < len(specs(each)):
            return each, component
        component -= len(specs(each))
    return None, component


def specs(dataset: Any) -> list[Any]:
    return list(tf.nest.flatten(dataset.element_spec))


def _generator(graph: Any, user: UserCode) -> Origin | None:
    """`from_generator` maps a function of its own over one number, to a dataset that calls Python."""
    for operation in graph.get_operations():
        stack = symbolic.stack_of(operation)
        calls = symbolic.user_calls(stack, user)
        if calls and any(name == "from_generator" for _, _, name in stack):
            return Origin(means="generator", made=calls[-1], functions=("from_generator",))
    return None


def call_of(place: Location, functions: tuple[str, ...], sources: Sources) -> ast.Call | None:
    """The call on the line that led to one of these functions: by its own name, or the only one of the statement."""
    statement: ast.AST | None = _decorator(place, sources) or sources.statement(place)
    calls = [each for each in ast.walk(statement) if isinstance(each, ast.Call)] if statement is not None else []
    own = [each for each in calls if reading.on_line(each, place.line)]
    for same in (str.__eq__, str.startswith):  # `resize` goes by `resize_images_v2`, `cond` by `cond_for_tf_v2`
        for function in functions:
            for each in own:
                if reading.callee(each) and same(function, reading.callee(each)):
                    return each
    return own[0] if len(own) == 1 and not hasattr(statement, "body") else None


def _decorator(place: Location, sources: Sources) -> ast.expr | None:
    tree = sources.tree(place.file)
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)) if tree is not None else ()
    for each in (decorator for function in functions for decorator in function.decorator_list):
        if reading.on_line(each, place.line):
            return each
    return None
