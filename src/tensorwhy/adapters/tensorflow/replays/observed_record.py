"""A recorded slice of an eager step, executed once more with the gradient of every use of every value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from tensorflow.python.eager import backprop, context
from tensorflow.python.framework import op_def_registry
from tensorflow.python.ops import array_ops, math_ops

from tensorwhy.adapters.tensorflow.hooks.captures import Call, Capture, Ref
from tensorwhy.adapters.tensorflow.replays.numbers import numbers, uneven
from tensorwhy.adapters.tensorflow.replays.reads import Reads
from tensorwhy.adapters.tensorflow.replays.recorded import RecordedReplay, _dense, _plain, _refs
from tensorwhy.adapters.tensorflow.replays.traits import limits_of, trait_of
from tensorwhy.adapters.tensorflow.replays.undo import Undo
from tensorwhy.adapters.tensorflow.tensor_ids import input_count
from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.signal import Node
from tensorwhy.recording import journal as j

_FIRST_CONSTANT = -1_000_000_000
READING = ("ReadVariableOp", "ResourceGather")


_AWAY = 0.1
"""How far away from its value it is looked whether a source still gets zero, relative to its size."""


def restored(capture: Capture, finite: Mapping[int, Any]) -> Capture:
    """Return the same step with these values of variables, by their handles, where it has some that are not finite."""
    values = dict(capture.values)
    for handle, array in finite.items():
        for key in (j.variable(handle), *_reads(capture, handle)):
            if key in values and not np.isfinite(_plain(values[key])).all():
                with context.eager_mode():
                    values[key] = math_ops.cast(array, values[key].dtype)
        values.update(_rows(capture, handle, values.get(j.variable(handle))))
    return capture._replace(values=values)


def _readers(capture: Capture, handle: int, name: str) -> list[Call]:
    """The calls of an operation that read a variable."""
    return [
        call
        for call in capture.calls
        if call.name == name and call.inputs and call.outputs
        and handle in (call.inputs[0], j.variable_handle(call.inputs[0]))
    ]  # fmt: skip


def _reads(capture: Capture, handle: int) -> list[int]:
    return [call.outputs[0] for call in _readers(capture, handle, "ReadVariableOp")]


def _rows(capture: Capture, handle: int, value: Any) -> dict[int, Any]:
    """What would be looked up in a variable, had it this value: a lookup reads the variable by itself."""
    found = {}
    for call in _readers(capture, handle, "ResourceGather") if value is not None else ():
        indices = (call.args if call.kind == "fast" else call.args[0])[1]
        indices = capture.values.get(indices.tensor) if isinstance(indices, Ref) else indices
        if indices is not None:
            with context.eager_mode():
                found[call.outputs[0]] = array_ops.gather(value, indices)
    return found


def _moved(capture: Capture, sources: Iterable[tuple[int, bool]]) -> Capture:
    """Return the same step with other values of these sources."""
    generator = np.random.default_rng(0)
    values = dict(capture.values)
    for key, variable in sources:
        own = j.variable(key) if variable else key
        reads = _reads(capture, key) if variable else []
        known = next((values[each] for each in (own, *reads) if each in values), None)
        if known is None or not known.dtype.is_floating:
            continue
        was = _plain(known)
        away = generator.standard_normal(was.shape) * max(float(np.abs(was).max(initial=0.0)), 1.0)
        with context.eager_mode():
            other = math_ops.cast(was + _AWAY * away, known.dtype)
        values.update({each: other for each in (own, *reads) if each in values})
        values.update(_rows(capture, key, other) if variable else {})
    return capture._replace(values=values)


class ObservedRecord(RecordedReplay):
    """One capture, with everything watched that it begins with, so that one backward pass answers for all sources."""

    def __init__(
        self,
        capture: Capture,
        sources: Iterable[tuple[int, bool]],
        region: Callable[[Call], str],
        recomputed: Callable[[Call], bool] = lambda call: False,
    ) -> None:
        self._wanted = dict(sources)
        self._edges: dict[int, dict[int, list[Any]]] = {}
        self._now = -1
        self._literals: dict[int, Any] = {}
        self._observing: Any = None
        self.called: list[tuple[str, list[Any]]] = []
        first, variable = next(iter(self._wanted.items()))
        super().__init__(capture, first, variable, region)
        self._of_call = region, recomputed
        self._recomputed = [call for call in capture.calls if call.kind == "record" and recomputed(call)]
        for call in self._recomputed:
            self._record_in_front(call)
        self._at = {id(call): at for at, call in enumerate(capture.calls)}
        self._of_copy = {id(copy): at for at, copy in self._copies.items()}

    def _record_in_front(self, recomputed: Call) -> None:
        """Have the operations recorded that a function ran which computes them again for its gradient."""
        wanted, given = {*recomputed.outputs}, {ref.tensor for ref in _refs(recomputed.args[2])}
        for at in range(next(i for i, each in enumerate(self._capture.calls) if each is recomputed) - 1, -1, -1):
            call = self._capture.calls[at]
            if call.kind != "record" and not wanted.isdisjoint(call.outputs):
                self._regions[at] = "" if self._regions[at] == "paused" else self._regions[at]
                wanted.update(key for key in call.inputs if key not in given)

    def _by_itself(self, call: Call, env: dict[int, Any], undo: Undo) -> bool:
        opened = any(each is call for each in self._recomputed) and all(output in env for output in call.outputs)
        return opened or super()._by_itself(call, env, undo)

    def observe(self, moved: bool = False, weighted: bool = False) -> Executed:
        """Execute the step, forward and backward, with the gradient of every use of every value."""
        if moved:
            there = _moved(self._capture, self._wanted.items())
            return ObservedRecord(there, self._wanted.items(), *self._of_call).observe(weighted=weighted)
        self._edges, self._literals = {}, {}
        calls, watch = self._capture.calls, Undo(watch=True)
        try:
            with context.eager_mode(), backprop.GradientTape(watch_accessed_variables=False) as tape:
                self._observing = tape
                source = array_ops.identity(self._capture.values[self._key])
                called = array_ops.identity(np.float32(0))
                tape.watch(source)
                tape.watch(called)
                env, _ = self._execute(source, called, watch, tape)
                targets = self._targets(env)
        finally:
            self._observing = None
        self.called = [
            (call.name, [_array(env.get(ref.tensor)) for ref in _refs(call.args[0])])
            for call in calls
            if call.kind == "slow" and call.name in self._capture.functions
        ]
        floating = {key: value for key, value in env.items() if _is_floating(value)}
        copies = [copy for used in self._edges.values() for each in used.values() for copy in each]
        given = [math_ops.cast(uneven(tuple(each.shape)), each.dtype) for each in targets] if weighted else None
        answers = tape.gradient(targets, [*floating.values(), *copies], output_gradients=given)
        gradients = {key: _dense(each) for key, each in zip(floating, answers) if each is not None}
        of_copy = {id(copy): each for copy, each in zip(copies, answers[len(floating) :])}
        nodes: list[Node] = []
        passed = {}
        for at, call in enumerate(calls):
            if call.constant and at not in self._copies:
                continue
            used = {key: iter(each) for key, each in self._edges.get(at, {}).items()}
            inputs = self._inputs(at, call)
            for position, key in enumerate(inputs):
                copy = next(used.get(key, iter(())), None)
                gradient = of_copy.get(id(copy)) if copy is not None else None
                if gradient is not None:
                    passed[len(nodes), position] = numbers(_dense(gradient))
            nodes.append(self._node(call, inputs, env))
        reads = self._reads(gradients)
        nodes, passed = reads.before(nodes, passed)
        return Executed(
            nodes=nodes,
            targets=self._capture.targets,
            values={key: numbers(_plain(value)) for key, value in env.items() if hasattr(value, "dtype")}
            | {key: numbers(value) for key, value in self._literals.items() if value is not None},
            arriving={key: numbers(each) for key, each in gradients.items()} | reads.arriving(),
            passed=passed,
            sources=tuple(self._wanted),
            variables=frozenset(self._capture.reads)
            | {key for key in self._capture.values if j.variable_handle(key) is not None},
        )

    def _reads(self, gradients: dict[int, Any]) -> Reads:
        reads = Reads()
        for key, variable in self._wanted.items():
            if variable:
                reads.add(key, j.variable(key), gradients.get(j.variable(key)))
        for call in self._capture.calls:
            if call.name in READING and call.inputs and call.outputs:
                handle = j.variable_handle(call.inputs[0])
                handle = call.inputs[0] if handle is None else handle
                if self._wanted.get(handle):
                    reads.add(handle, call.outputs[0], gradients.get(call.outputs[0]))
        return reads

    def _inputs(self, at: int, call: Call) -> tuple[int, ...]:
        """What a call computes with: its arguments, and the variables that a function reads by itself."""
        count = input_count(call.name) if call.kind == "fast" else 0
        given = call.args[2] if call.kind == "record" else call.args[0] if call.kind == "slow" else call.args[:count]
        keys = [self._key_of(each) for each in _flat(given)]
        if at in self._copies:
            keys += [key for key in self._edges.get(at, {}) if key not in keys]
        return tuple(keys)

    def _key_of(self, value: Any) -> int:
        """The key of an argument; what is no tensor gets one of its own."""
        if isinstance(value, Ref):
            return value.tensor
        key = _FIRST_CONSTANT - len(self._literals)
        self._literals[key] = _constant(value)
        return key

    def _node(self, call: Call, inputs: tuple[int, ...], env: dict[int, Any]) -> Node:
        by_hand = call.kind == "record"
        trait = trait_of(call.name)
        if by_hand and not trait and not self._capture.functions.get(call.name):
            trait = "custom"
        arrays = [self._literals[key] if key in self._literals else _array(env.get(key)) for key in inputs]
        limits = limits_of(call.name, arrays, lambda name: _attribute(call, name))
        return Node(call.name, trait, inputs, call.outputs, limits)

    # -- what is noted while the step is executed ------------------------------------------------------------------

    def _call(self, call: Call, env: dict[int, Any], undo: Undo) -> None:
        self._now = self._at[id(call)] if self._observing is not None else -1
        super()._call(call, env, undo)

    def _record(self, call: Call, env: dict[int, Any]) -> None:
        if self._observing is not None:
            self._now = self._at[id(call)]
            for ref in _refs(call.args[2]):
                if ref.tensor not in self._capture.values and ref.tensor not in env:
                    env[ref.tensor] = array_ops.identity(np.float32(0))  # a handle that a function captured
                    self._observing.watch(env[ref.tensor])
        super()._record(call, env)

    def _call_copy(self, copy: Any, env: dict[int, Any], undo: Undo, paused: Any) -> None:
        self._now = self._of_copy.get(id(copy), -1) if self._observing is not None else -1
        super()._call_copy(copy, env, undo, paused)

    def _read(self, call: Call, source: Any, env: dict[int, Any], undo: Undo) -> None:
        super()._read(call, source, env, undo)
        if self._observing is not None and call.outputs and call.outputs[0] in env:
            with self._observing.stop_recording():  # each read is a use of its own
                read = env[call.outputs[0]] = array_ops.identity(env[call.outputs[0]])
            self._observing.watch(read)

    def _used(self, tensor: int, value: Any) -> Any:
        if self._observing is None or not _is_floating(value):
            return value
        copy = array_ops.identity(value)
        self._edges.setdefault(self._now, {}).setdefault(tensor, []).append(copy)
        return copy

    def _tensor(self, tensor: int, env: dict[int, Any], undo: Undo) -> Any:
        new = tensor not in env
        value = super()._tensor(tensor, env, undo)
        if new and self._observing is not None and _is_floating(value):
            self._observing.watch(value)
        return value


def _is_floating(value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    return hasattr(value, "_datatype_enum") and dtype is not None and (dtype.is_floating or dtype.is_complex)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, list) or (isinstance(value, tuple) and not isinstance(value, Ref)):
        return [each for inner in value for each in _flat(inner)]
    return [value]


def _array(value: Any) -> Any:
    if value is None or not hasattr(value, "_datatype_enum") or not value.dtype.is_numpy_compatible:
        return None
    return _plain(value)


def _constant(value: Any) -> Any:
    if isinstance(value, (int, float, np.ndarray, np.generic)) and np.asarray(value).dtype.kind in "fiub":
        return np.asarray(value)
    return None


def _attribute(call: Call, name: str) -> Any:
    definition = op_def_registry.get(call.name)
    if definition is None or call.kind == "record":
        return None
    given = list(call.args[len(definition.input_arg) :]) if call.kind == "fast" else list(call.args[1] or ())
    return dict(zip(given[::2], given[1::2])).get(name)
