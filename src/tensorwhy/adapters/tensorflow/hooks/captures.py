"""What experiments need of a step, made of the calls that were kept: a share of a long step at a time.

Tensors in the arguments become references, and those in between are let go of. For thousands of calls that takes longer
than a step may be held up. So only what may have changed later, the values of variables, is read at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tensorflow.python.eager import core

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.recording import journal as j

_RESOURCE = 20  # a handle: holding it would keep the variable itself
_PLAIN = frozenset((str, int, float, bool, bytes, type(None)))
CALLBACKS = ("PyFunc", "PyFuncStateless", "EagerPyFunc")

Raw = tuple[str, str, Any, Any]
"""A call as it came: kind, name, arguments, result."""
Opens = Callable[[str], tuple[Any, dict[int, Any], tuple[int, ...]] | None]
"""By the name of a traced function: its copy, what it reads inside, and which outputs it draws at random."""


class Ref(NamedTuple):
    """Stands for a tensor in the arguments of a kept call."""

    tensor: int


class Call(NamedTuple):
    """One call of a kernel. `kind`: "fast" (arguments as the generated code gives them), "slow" (op, inputs,
    attributes, number of outputs) or "record" (what was recorded by hand: op, outputs, inputs, backward function).
    `constant`: it is not to be executed again, because it has effects or gives something else each time.
    """

    kind: str
    name: str
    args: Any
    outputs: tuple[int, ...]
    inputs: tuple[int, ...]
    constant: bool


class Capture(NamedTuple):
    """The calls that a target was computed from, in order, without the tensors in between.

    `values`: leaf values by id, among them what constant calls gave, the sources and the targets; a variable's value by
    `journal.variable(handle)`. `reads`: tensor -> handle of the variable that it was read from. `links`: tensor that
    was made of an array -> tensor whose `.numpy()` the array is; tensor that was read from a variable -> what was
    stored in it before. `shapes`: of every tensor on the way. `functions`: what `Keeper.opens` says of the traced
    functions that are called.
    """

    calls: tuple[Call, ...]
    values: dict[int, Any]
    reads: dict[int, int]
    links: dict[int, int]
    targets: tuple[int, ...]
    shapes: dict[int, tuple[int, ...]]
    functions: dict[str, Any] = {}


class Capturing:
    """Makes the `Capture` of a question, from the calls until then. `sources` as for `Keeper.take`."""

    def __init__(
        self,
        calls: Sequence[Raw],
        links: dict[int, int],
        targets: tuple[Any, ...],
        sources: dict[int, Any],
        eager_tensor: Any,
        opens: Opens,
    ) -> None:
        self._raw, self._links, self._targets, self._sources = calls, links, targets, sources
        self._eager_tensor, self._opens = eager_tensor, opens
        self._calls: list[Call] = []
        self._tensors: dict[int, Any] = {}
        self._reads: dict[int, int] = {}
        self._shapes: dict[int, tuple[int, ...]] = {}
        variables = {id(each): each for each in self._objects(args for _, _, args, _ in calls)}
        held = {handle._id: each for each in variables.values() if (handle := self._handle(each)) is not None}
        held |= {tensor: each for tensor, each in sources.items() if self._handle(each) is not None}
        self._variables = {handle: _value(variable) for handle, variable in held.items()}

    @property
    def at_once(self) -> bool:
        """Whether a traced function is called, whose graph may be gone later."""
        return any(map(is_function, {name for kind, name, *_ in self._raw if kind == "slow"}))

    def go_on(self, most: int) -> int:
        """Convert so many calls more; return how many these were."""
        found, begun = self._calls, len(self._calls)
        for raw in self._raw[begun : begun + most]:
            found.append(self._call(raw))
        return len(found) - begun

    def capture(self) -> Capture | None:
        """What was made; None while there are calls to convert."""
        if len(self._calls) < len(self._raw):
            return None
        found, values, variables = self._calls, self._tensors, self._variables
        makers: dict[int, list[int]] = {}
        for at, call in enumerate(found):
            for output in call.outputs:
                makers.setdefault(output, []).append(at)
        held = {**self._links, **_stored(found)}
        wanted: set[int] = set()
        seen: set[int] = set()
        functions: dict[str, Any] = {}
        read_inside: dict[int, Any] = {}
        drawn: dict[str, tuple[int, ...]] = {}

        def opened(call: Call) -> bool:
            if call.kind == "slow" and is_function(call.name) and call.name not in functions:
                known = self._opens(call.name)
                functions[call.name] = known and known[0]
                drawn[call.name] = known[2] if known else ()
                read_inside.update(known[1] if known else {})
            if call.kind == "slow" and functions.get(call.name) is not None:
                seen.update(call.outputs[at] for at in drawn[call.name] if at < len(call.outputs))
            return functions.get(call.name) is not None

        stack = [target._id for target in self._targets]
        while stack:
            tensor = stack.pop()
            if tensor in seen:
                continue
            seen.add(tensor)
            stack.extend(held[key] for key in (tensor, j.variable(tensor)) if key in held)
            for at in makers.get(tensor, ()):
                wanted.add(at)
                if found[at].kind == "record":
                    seen.update(found[at].outputs)  # what a replay records has all of them
                if not found[at].constant or found[at].name in ("ResourceGather", *CALLBACKS) or opened(found[at]):
                    stack.extend(found[at].inputs)
        calls = tuple(found[at] for at in sorted(wanted))
        made = {output for call in calls if not call.constant and call.kind != "record" for output in call.outputs}
        kept = {tensor: value for tensor, value in values.items() if tensor in seen and tensor not in made}
        kept |= {target._id: target for target in self._targets}
        kept |= {j.variable(handle): value for handle, value in read_inside.items()}
        kept |= {tensor: value for tensor, value in self._sources.items() if resource(value) is None}
        for handle, value in variables.items():
            if handle in seen or handle in self._sources:
                if isinstance(value, Exception):
                    raise value
                kept[j.variable(handle)] = value
        read = {*seen, *map(j.variable, seen)}
        links = {array: origin for array, origin in held.items() if array in read}
        shapes = {tensor: shape for tensor, shape in self._shapes.items() if tensor in seen}
        functions = {name: function for name, function in functions.items() if function is not None}
        targets = tuple(target._id for target in self._targets)
        return Capture(calls, kept, self._reads, links, targets, shapes, functions)

    def _handle(self, value: Any) -> Any:
        """The handle of a variable that can be read now."""
        handle = resource(value)
        return handle if type(handle) is self._eager_tensor and hasattr(value, "dtype") else None

    def _objects(self, values: Any) -> Iterator[Any]:
        """Arguments that may be variables, of lists and tuples in each other."""
        plain = {*_PLAIN, self._eager_tensor}
        for value in values:
            kind = type(value)
            if kind is list or kind is tuple:
                if not plain.issuperset(map(type, value)):
                    yield from self._objects(value)
            elif kind not in plain and type(getattr(value, "_id", None)) is not int:
                yield value

    def _call(self, raw: Raw) -> Call:
        kind, name, args, result = raw
        results = list(tensors(result))
        inputs: list[int] = []
        for each in results:
            if type(each) is self._eager_tensor:
                self._shapes[each._id] = each._shape_tuple()
        outputs = tuple([each._id for each in results])
        if kind == "record":
            to, given, rest = args
            made_to = self._template(to, inputs)
            inputs.clear()
            return Call(kind, name, (made_to, None, self._template(given, inputs), rest), outputs, tuple(inputs), False)
        made = self._template(args, inputs)
        constant = _stateful(name)
        if constant:
            self._tensors.update({each._id: each for each in results if each._datatype_enum() != _RESOURCE})
        if name == "ReadVariableOp" and inputs and outputs:
            self._reads[outputs[0]] = inputs[0]
        return Call(kind, name, made, outputs, tuple(inputs), constant)

    def _template(self, value: Any, inputs: list[int]) -> Any:
        """An argument with references in place of tensors, whose ids are added to `inputs`."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is self._eager_tensor:
            found = value._id
            inputs.append(found)
            if value._datatype_enum() != _RESOURCE:
                self._tensors.setdefault(found, value)
            return Ref(found)
        if isinstance(value, (list, tuple)):
            return [self._template(each, inputs) for each in value]
        found = getattr(value, "_id", None)
        if type(found) is int:
            inputs.append(found)
            return Ref(found)
        handle = getattr(resource(value), "_id", None)
        if type(handle) is int:
            inputs.append(handle)
            return Ref(j.variable(handle))
        return value


def _value(variable: Any) -> Any:
    """The value of a variable; the error where it has none, which matters only if the step needs it."""
    try:
        return variable_values.read(variable.handle, variable.dtype)
    except core._NotOkStatusException as error:
        return error


def _stored(calls: list[Call]) -> dict[int, int]:
    """Tensors that were read from variables, with what had been stored there last.

    What an operation reads by itself has no tensor: there it is the variable, by `journal.variable(handle)`, if it had
    one value at all times.
    """
    stored = {call.inputs[0] for call in calls if _stores(call)}
    last: dict[int, int] = {}
    found: dict[int, int] = {}
    read: dict[int, set[int | None]] = {}
    for call in calls:
        if _stores(call):
            last[call.inputs[0]] = call.inputs[1]
        elif call.name == "ReadVariableOp" and call.inputs and call.inputs[0] in last:
            found[call.outputs[0]] = last[call.inputs[0]]
        else:
            for handle in stored.intersection(call.inputs):
                read.setdefault(handle, set()).add(last.get(handle))
    for handle, (value, *others) in read.items():
        if value is not None and not others:
            found[j.variable(handle)] = value
    return found


def _stores(call: Call) -> bool:
    return call.name == "AssignVariableOp" and len(call.inputs) == 2


def tensors(value: Any) -> Iterator[Any]:
    """The tensors in a result: one, none, or lists of them."""
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors(each)
    elif type(getattr(value, "_id", None)) is int:
        yield value


def is_function(name: str) -> bool:
    """Return whether this is the name of a traced function; else of an operation."""
    return _definition(name) is None


@functools.cache
def _definition(name: str) -> Any:
    from tensorflow.python.framework import op_def_registry

    return op_def_registry.get(name)


@functools.cache
def _stateful(name: str) -> bool:
    definition = _definition(name)
    return definition is None or bool(definition.is_stateful)
