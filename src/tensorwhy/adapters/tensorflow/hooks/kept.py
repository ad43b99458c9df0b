"""What a replay needs, kept for as long as it may be needed: the operations since the last gradient question.

The journal holds integers only, so an operation cannot be executed again from it. Until a call site has answered once,
this keeps the calls themselves with their tensors, within bounds. An answer without None drops everything at once;
after one with a None only what the target was computed from stays (a `Capture`), as leaf values, until the end of the
program.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.recording import journal as j

OPERATIONS = 20_000
SIZE = 64 << 20
"""Bytes of tensors that may be kept; past either bound everything is dropped, and keeping begins anew."""
_RESOURCE = 20  # a handle: holding it would keep the variable itself
_PLAIN = (str, int, float, bool, bytes, type(None))
_DATASET = ("Dataset", *(f"DatasetV{version}" for version in range(2, 10)))
CALLBACKS = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
CALLS = 128
"""After so many calls of traced functions without a tape, these are no longer kept."""
CAPTURES = 16
"""Questions whose operations are kept until the end."""


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


class Keeper:
    """Keeps calls while `on`; those of traced functions only while `calls`, too.

    All methods but `take` are called for each operation: they do as little as they can. The compiled part reads the two
    at their places in the object.
    """

    __slots__ = ("__dict__", "__weakref__", "calls", "on")

    def __init__(self, eager_tensor: Any) -> None:
        self.on = False
        self.calls = True
        self.enabled = False
        self.failure = ""
        self.captures: dict[int, Capture | str] = {}
        self.opens: Callable[[str], tuple[Any, dict[int, Any], tuple[int, ...]] | None] = lambda name: None
        self._calls: list[tuple[str, str, Any, Any]] = []
        self._links: dict[int, int] = {}
        self._feeds: dict[str, bool] = {}
        self._size = self._taken = 0
        self._overflow = False
        self._called = 0
        self._tapes: set[int] = set()
        self._answered: set[int] = set()
        self._captured: set[object] = set()
        self._wanted = False
        self._asked_again: tuple[weakref.ref[Any] | None, int, int] = (None, 0, 0)
        self._eager_tensor = eager_tensor

    def start(self) -> None:
        """Keep from now on."""
        self.enabled = self.on = True

    def opened(self, site: int) -> None:
        """A tape was opened at this place: a new one has everything kept again."""
        self.calls, self._called = True, 0
        if self.enabled and site not in self._tapes:
            self._tapes.add(site)
            self.on = True

    def called(self, times: int) -> None:
        """A traced function was called so many times more, and no tape is open.

        A training whose step is traced calls it for hours, and nobody may ever ask about its results. Before a question
        about them there is a tape, and what was not kept is taken as it was.
        """
        self._called += times
        self.calls = self._called < CALLS

    def is_function(self, name: str) -> bool:
        """Return whether this is the name of a traced function; else of an operation."""
        return _definition(name) is None

    def call(self, kind: str, name: str, args: Any, result: Any) -> None:
        """An operation was executed, or recorded by hand."""
        feeds = self._feeds.get(name)
        if feeds is None:
            # The last handle of an iterator waits, as it goes, for a generator that waits for the interpreter.
            feeds = self._feeds[name] = "Iterator" in name or name.endswith(_DATASET)
        if feeds:
            return
        calls = self._calls
        if type(result) is self._eager_tensor:
            self._size += result._num_elements() << 2
        elif isinstance(result, (list, tuple)):
            result = tuple(result)
            for each in result if kind != "record" else ():
                if type(each) is self._eager_tensor:
                    self._size += each._num_elements() << 2
        # The program goes on with its lists: a `TensorArray` empties the one that it was given.
        calls.append((kind, name, [[*each] if type(each) is list else each for each in args], result))
        if self._size > SIZE or len(calls) > OPERATIONS:
            self.drop()
            self._overflow, self._wanted = True, False
            self.on = bool(self._tapes)  # what is this long before any tape is not a training step

    @property
    def whole(self) -> bool:
        """Whether nothing was dropped since the last answer, because it was too much."""
        return not self._overflow

    def made(self) -> dict[int, tuple[str, Any, Any]]:
        """By the id of each tensor that was made lately: itself, the operation's name and its arguments."""
        found: dict[int, tuple[str, Any, Any]] = {}
        for _, name, args, result in list(self._calls):
            for each in _tensors(result):
                found.setdefault(each._id, (name, args, each))
        return found

    def link(self, array: int, origin: int) -> None:
        """A tensor was made from an array that `.numpy()` of another tensor gave."""
        self._links[array] = origin

    def drop(self) -> None:
        """Let go of everything that no capture needs."""
        self._calls.clear()
        self._links.clear()
        self._size = 0
        self._overflow = False
        self._asked_again = (None, 0, 0)

    def fail(self, reason: str) -> None:
        """Something went wrong in here: no experiments, then."""
        self.failure = reason
        self.close()

    def close(self) -> None:
        """Let go of everything."""
        self.on = self.enabled = False
        self.drop()
        self.captures.clear()

    def want(self, wanted: bool) -> None:
        """Keep what comes, whoever is answered in between; with `wanted` False no longer."""
        self._wanted = wanted and self.enabled
        self.calls = self.calls or self._wanted
        self.on = self.on or self._wanted

    def answered(self, site: int, within: bool, again: Any = None) -> None:
        """A gradient question was answered without a None, or is dealt with: what went before is not needed.

        `within` says that a tape is open. Then another question may follow, whose path goes through this one's, so the
        first time everything stays, within the bounds. The same for `again`, a tape that may be asked once more, while
        it is alive.
        """
        if self._wanted:
            return
        if site in self._answered:
            self.on = False
        if self.on and not within and again is not None:
            self._asked_again = weakref.ref(again, self._gone), len(self._calls), self._size
        elif not within or not self.on:
            self.drop()
        self._answered.add(site)

    def _gone(self, tape: weakref.ref[Any]) -> None:
        """The tape that might have been asked again is no more: what came before its last answer is not needed."""
        known, count, size = self._asked_again
        if known is tape and not self._wanted:
            self._asked_again = (None, 0, 0)
            del self._calls[:count]
            self._size -= size

    def take(self, question: int, site: object, targets: tuple[Any, ...], sources: dict[int, Any]) -> None:
        """A question (its row) has answers to be explained: keep what its target was computed from, once a site.

        `sources`: tensors by the journal's id; variables by that of their handle.
        """
        if not self.on or site in self._captured:
            return
        if self._overflow:
            self.captures[question] = f"the step is too long to be kept (more than {OPERATIONS:,} operations or 64 MB)"
        elif len(self._captured) >= CAPTURES:
            self.captures[question] = f"only the first {CAPTURES} gradient calls with a None are verified"
        else:
            capture = self._capture(targets, sources)
            size = sum(_size(value) for value in capture.values.values())
            if self._taken + size > SIZE:
                self.captures[question] = "its values are too large to be kept for experiments (more than 64 MB)"
            else:
                self._captured.add(site)
                self._taken += size
                self.captures[question] = capture

    def release(self, question: int, site: object) -> None:
        """Let go of what was kept for a question that turned out to be none."""
        capture = self.captures.pop(question, None)
        self._captured.discard(site)
        if isinstance(capture, Capture):
            self._taken -= sum(_size(value) for value in capture.values.values())

    def _capture(self, targets: tuple[Any, ...], sources: dict[int, Any]) -> Capture:
        values: dict[int, Any] = {}
        reads: dict[int, int] = {}
        variables: dict[int, Any] = {}
        calls_now = list(self._calls)  # a tape may go while these are walked
        found = [self._call(raw, values, reads, variables) for raw in calls_now]
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
            if call.kind == "slow" and call.constant and _definition(call.name) is None and call.name not in functions:
                known = self.opens(call.name)
                functions[call.name] = known and known[0]
                drawn[call.name] = known[2] if known else ()
                read_inside.update(known[1] if known else {})
            if call.kind == "slow" and functions.get(call.name) is not None:
                seen.update(call.outputs[at] for at in drawn[call.name] if at < len(call.outputs))
            return functions.get(call.name) is not None

        stack = [target._id for target in targets]
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
        kept |= {target._id: target for target in targets}
        kept |= {j.variable(handle): value for handle, value in read_inside.items()}
        for tensor, value in sources.items():
            if resource(value) is not None:
                variables[tensor] = value
            else:
                kept[tensor] = value
        for handle, variable in variables.items():
            if handle in seen or handle in sources:
                kept[j.variable(handle)] = variable_values.read(variable.handle, variable.dtype)
        read = {*seen, *map(j.variable, seen)}
        links = {array: origin for array, origin in held.items() if array in read}
        shapes = {
            tensor._id: tuple(tensor.shape)
            for *_, result in calls_now
            for tensor in _tensors(result)
            if tensor._id in seen and type(tensor) is self._eager_tensor and tensor.shape.rank is not None
        }
        functions = {name: function for name, function in functions.items() if function is not None}
        return Capture(calls, kept, reads, links, tuple(target._id for target in targets), shapes, functions)

    def _call(
        self, raw: tuple[str, str, Any, Any], values: dict[int, Any], reads: dict[int, int], variables: dict[int, Any]
    ) -> Call:
        kind, name, args, result = raw
        outputs = tuple(tensor._id for tensor in _tensors(result))
        inputs: list[int] = []

        def template(value: Any) -> Any:
            return self._template(value, inputs, values, variables)

        if kind == "record":
            to, given, rest = args
            made_to = template(to)
            inputs.clear()
            return Call(kind, name, (made_to, None, template(given), rest), outputs, tuple(inputs), False)
        made = template(args)
        constant = _stateful(name)
        if constant:
            values.update({each._id: each for each in _tensors(result) if each._datatype_enum() != _RESOURCE})
        if name == "ReadVariableOp" and inputs and outputs:
            reads[outputs[0]] = inputs[0]
        return Call(kind, name, made, outputs, tuple(inputs), constant)

    def _template(self, value: Any, inputs: list[int], values: dict[int, Any], variables: dict[int, Any]) -> Any:
        """An argument with references in place of tensors; what they stand for goes into the other arguments."""
        if type(value) in _PLAIN:
            return value
        if isinstance(value, (list, tuple)):
            return [self._template(each, inputs, values, variables) for each in value]
        found = getattr(value, "_id", None)
        if type(found) is int:
            inputs.append(found)
            if type(value) is self._eager_tensor and value._datatype_enum() != _RESOURCE:
                values.setdefault(found, value)
            return Ref(found)
        handle = getattr(resource(value), "_id", None)
        if type(handle) is int:
            inputs.append(handle)
            variables[handle] = value
            return Ref(j.variable(handle))
        return value


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


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)
    elif type(getattr(value, "_id", None)) is int:
        yield value


def _size(value: Any) -> int:
    count = getattr(value, "_num_elements", None)
    return count() << 2 if count is not None else 0


@functools.cache
def _definition(name: str) -> Any:
    from tensorflow.python.framework import op_def_registry

    return op_def_registry.get(name)


@functools.cache
def _stateful(name: str) -> bool:
    definition = _definition(name)
    return definition is None or bool(definition.is_stateful)
