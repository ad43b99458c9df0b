"""Executes a captured step again, op by op, under a fresh tape, with some of its breaks undone.

No code of the user runs: kernels are called with the arguments that they were called with. Operations with effects are
not called again, random ones neither: what they gave is a constant. Functions that were recorded by hand (a
`tf.function`, a custom gradient) take part with their own backward functions, because forward values are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

import numpy as np
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, context
from tensorflow.python.framework import dtypes, indexed_slices, ops
from tensorflow.python.ops import array_ops, math_ops

from tensorwhy.adapters.tensorflow.hooks.captures import Call, Capture, Ref
from tensorwhy.adapters.tensorflow.replays import opening, widening
from tensorwhy.adapters.tensorflow.replays.called import Copy
from tensorwhy.adapters.tensorflow.replays.graph_steps import NODES
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.replay import Replay
from tensorwhy.adapters.tensorflow.replays.undo import ROUNDING, STOPPING, Outcome, Undo
from tensorwhy.adapters.tensorflow.tensor_ids import input_count
from tensorwhy.model.facts.gate import Gate
from tensorwhy.recording import journal as j

_NOTHING = Undo()
_OFTEN = 500
"""Operations between two looks at the clock."""
TOO_LONG = "the time limit for experiments was reached"


class RecordedReplay(Replay):
    """One capture, for one source. `region` tells for a call why the tape did not record it ("" when it did).

    When the time is `over`, what is being executed ends: `Impossible`.
    """

    def __init__(
        self,
        capture: Capture,
        source: int,
        variable: bool,
        region: Callable[[Call], str],
        over: Callable[[], bool] = lambda: False,
    ) -> None:
        self._capture = capture
        self._over = over
        self._source = source
        self._key = j.variable(source) if variable else source
        self._variable = variable
        self._bridged: set[int] = set()
        self._regions = [region(call) for call in capture.calls]
        self._copies: dict[int, Copy] = {}
        self._held: dict[Undo, dict[int, Any]] = {}
        if self._key not in capture.values:
            raise Impossible("the value of the source was not kept")
        self.value = _plain(capture.values[self._key])
        if capture.functions:
            self._copy_functions()

    @property
    def words(self) -> str:
        return "the replayed step"

    @property
    def narrowest(self) -> str:
        cast_to = [
            widening.attribute(call.name, call.args, "DstT")
            for call in self._capture.calls
            if call.name == "Cast" and call.kind == "fast"
        ]
        return widening.narrowest([*(each.dtype for each in self._capture.values.values()), *cast_to])

    def calls(self, functions: Container[str]) -> bool:
        return any(call.name in functions for call in self._capture.calls)

    def differentiate(self, undo: Undo, at: Any = None, persistent: bool = False) -> Outcome:
        with context.eager_mode(), backprop.GradientTape(persistent, watch_accessed_variables=False) as tape:
            source = array_ops.identity(self._capture.values[self._key] if at is None else at)
            called = array_ops.identity(np.float32(0))  # stands for the variable where a function captured it
            if undo.watch:
                tape.watch(source)
                tape.watch(called)
            env, whole = self._execute(source, called, undo, tape)
            targets = self._targets(env)
            used = [self._tensor(gate.made, env, undo) for gate in undo.gates if gate.way == "used"]
            ends = [*targets, *used]
            slopes = [array_ops.ones_like(end) * undo.scale for end in ends] if undo.scale != 1 else None
        answers = tape.gradient(ends, [source, called], output_gradients=slopes)
        found = [_dense(each) for each in answers if each is not None]
        return Outcome(sum(found) if found else None, self._same(targets), whole)

    def lost_on_other_tape(self, undo: Undo, persistent: bool) -> bool:
        return self.differentiate(undo, persistent=not persistent).gradient is None

    def evaluate(self, value: Any, undo: Undo) -> float:
        # What has no gradient stays what it is.
        with context.eager_mode():
            if undo not in self._held:
                env, _ = self._execute(self._given(self.value, undo), self._given(self.value, undo), undo, None)
                self._held[undo] = {tensor: env[tensor] for tensor in self._constants(undo) if tensor in env}
            source = self._given(value, undo)
            env, _ = self._execute(source, source, undo, None, self._held[undo])
            return float(sum(np.sum(_plain(target), dtype=np.float64) for target in self._targets(env, undo)))

    def _given(self, value: Any, undo: Undo) -> Any:
        return array_ops.identity(np.asarray(value, np.float64 if undo.wide else self.value.dtype))

    def _constants(self, undo: Undo) -> set[int]:
        """What stays stopped, or not recorded: the gradient takes it for constant."""
        return {
            output
            for at, (call, region) in enumerate(zip(self._capture.calls, self._regions))
            if (not call.constant or at in self._copies)
            and not self._stops(call, region, undo)
            and ((region and region not in undo.regions) or (call.name in STOPPING and not undo.stops))
            for output in call.outputs
        }

    def _execute(
        self, source: Any, called: Any, undo: Undo, tape: Any, held: Mapping[int, Any] | None = None
    ) -> tuple[dict[int, Any], bool]:
        self._must_have(undo.gates)
        env: dict[int, Any] = {self._key: source}
        if self._variable:
            env[self._source] = called
        whole = True
        for at, (call, region) in enumerate(zip(self._capture.calls, self._regions)):
            if at % _OFTEN == 0 and self._over():
                raise Impossible(TOO_LONG)
            if self._source in call.outputs and not self._variable:
                continue  # the source is given, and not computed
            if held and call.outputs and held.keys() >= {*call.outputs}:
                env.update((output, held[output]) for output in call.outputs)
                continue
            copy = self._copies.get(at)
            if copy is not None and (call.constant or tape is None or copy.concerns(undo)):
                whole = whole and copy.is_slope(undo)
                self._call_copy(copy, env, undo, None if not region or region in undo.regions else tape)
            elif call.constant:
                self._read(call, source, env, undo)
            elif call.kind == "record" and self._by_itself(call, env, undo):
                pass  # what it computes has been executed, and recorded
            elif call.kind == "record":
                # The backward function of what is recorded by hand need not be the slope of what it computes.
                whole = whole and copy is not None and copy.is_slope(undo)
                if tape is not None and (not region or region in undo.regions):
                    self._record(call, env)
            elif tape is None or not region or region in undo.regions or self._stops(call, region, undo):
                self._call(call, env, undo)
            else:
                with tape.stop_recording():
                    self._call(call, env, undo)
            for gate in undo.gates:
                if gate.made in call.outputs and gate.way in ("through", "past", "ones", "numbers"):
                    env[gate.made] = self._opened(gate, call, env, undo)
        return env, whole

    def _copy_functions(self) -> None:
        """Have copies of the functions that the step calls, by what it gives them without a change."""
        with context.eager_mode():
            source = array_ops.identity(self._capture.values[self._key])
            env, _ = self._execute(source, source, Undo(), None)
            left = NODES
            traced: dict[str, dict[Any, Any]] = {}
            calls = self._capture.calls
            for at, call in enumerate(calls):
                function = self._capture.functions.get(call.name)
                if function is None:
                    continue
                by_hand = [each for each in calls if each.kind == "record" and {*each.outputs} & {*call.outputs}]
                if call.kind == "slow" and by_hand:
                    continue  # what was recorded of it has the gradient
                ran = next((each for each in calls if each.kind == "slow" and {*call.outputs} <= {*each.outputs}), call)
                try:
                    copy = Copy(
                        function,
                        [each.tensor for each in _refs(ran.args[0])],
                        ran.outputs,
                        call.outputs,
                        lambda key: self._tensor(key, env, Undo()),
                        j.variable,
                        traced.setdefault(call.name, {}),
                    )
                    left -= copy.size
                    if left < 0:
                        raise Impossible(f"the functions are too long to replay (more than {NODES:,} operations)")
                    self._copies[at] = copy
                    self.opened = True
                except Impossible as error:
                    self.closed = self.closed or str(error)
                except Exception as error:  # TensorFlow may refuse a graph in many ways: then it is called as a whole
                    self.closed = self.closed or f"a copy of it cannot be made ({type(error).__name__})"

    def _call_copy(self, copy: Copy, env: dict[int, Any], undo: Undo, paused: Any) -> None:
        def value(key: int) -> Any:
            return self._used(key, self._tensor(key, env, undo))

        if paused is None:
            env.update(copy.results(undo, value))
        else:
            with paused.stop_recording():
                env.update(copy.results(undo, value))

    def _must_have(self, gates: Iterable[Gate]) -> None:
        """A gate that is not there would stay closed, and say nothing."""
        made = {output for call in self._capture.calls for output in call.outputs}
        made = made.union(*(copy.tensors for copy in self._copies.values()))
        read = {*self._capture.reads.values(), *(j.variable_handle(key) for key in self._capture.values)}
        if not all(gate.made in (read if gate.way == "variable" else made) for gate in gates):
            why = f" ({self.closed})" if self.closed else ""
            raise Impossible(f"the operation to undo is not part of the kept step{why}")

    def _by_itself(self, call: Call, env: dict[int, Any], undo: Undo) -> bool:
        """Return whether the operations that a custom gradient stands for are to have their own gradients."""
        return all(output in env for output in call.outputs) and any(
            gate.way == "own" and gate.made in call.outputs for gate in undo.gates
        )

    def _opened(self, gate: Gate, call: Call, env: dict[int, Any], undo: Undo) -> Any:
        past = gate.way == "past"
        if call.kind == "record" or (call.constant and not past):
            raise Impossible("the operation is inside something that is not replayed")
        given, rest = self._arguments(call, env, undo)

        def again(inputs: list[Any]) -> Any:
            return _flat(self._executed(call, call.name, inputs, rest))[call.outputs.index(gate.made)]

        return opening.result(
            gate, self._tensor(gate.made, env, undo), _flat(given) if past else given, again, undo.keep
        )

    def _stops(self, call: Call, region: str, undo: Undo) -> bool:
        """TensorFlow itself pauses recording around a `StopGradient`."""
        return undo.stops and region == "paused" and call.name in STOPPING

    def _read(self, call: Call, source: Any, env: dict[int, Any], undo: Undo) -> None:
        """A variable that is the source was read: its value, on the tape."""
        handle = call.inputs[0] if call.inputs else None
        if handle is not None and self._starts_anew(handle, undo):
            env[call.outputs[0]] = opening.numbers(self._tensor(call.outputs[0], env, undo))
        if not self._variable or handle != self._source:
            return
        known = self._capture.values[self._key]
        if call.name == "ReadVariableOp":
            read, was = array_ops.identity(source), known
        elif call.name == "ResourceGather":
            given = call.args if call.kind == "fast" else call.args[0]
            indices = self._filled(given[1], env, Undo())
            read, was = array_ops.gather(source, indices), array_ops.gather(known, indices)
        else:
            return
        if not np.array_equal(_plain(self._capture.values[call.outputs[0]]), _plain(was), equal_nan=True):
            raise Impossible("the variable changed within the step")
        env[call.outputs[0]] = read

    def _record(self, call: Call, env: dict[int, Any]) -> None:
        to, _, given, rest = call.args
        for ref in _refs(given):
            if ref.tensor not in self._capture.values:
                env.setdefault(ref.tensor, array_ops.identity(np.float32(0)))  # a handle that a function captured
        outputs, inputs = self._filled(to, env, Undo()), self._filled(given, env, Undo())
        for ref, tensor in zip(_refs(to), _flat(outputs)):
            env[ref.tensor] = tensor
        pywrap_tfe.TFE_Py_TapeSetRecordOperation(call.name, outputs, inputs, *rest)

    def _call(self, call: Call, env: dict[int, Any], undo: Undo) -> None:
        name, (inputs, rest) = call.name, self._arguments(call, env, undo)
        fast = call.kind == "fast"
        if undo.stops and name in STOPPING:
            name, rest = "Identity", [] if fast else [rest[0][:2], rest[1]]
        if undo.casts and (name in ROUNDING or (fast and name == "Cast" and _to_integer([*inputs, *rest]))):
            result = array_ops.identity(inputs[0])
        else:
            result = self._executed(call, name, inputs, rest)
        env.update(zip(call.outputs, _flat(result)))

    def _arguments(self, call: Call, env: dict[int, Any], undo: Undo) -> tuple[list[Any], list[Any]]:
        """The inputs of a call, and what else its kernel gets."""
        name = call.name
        if call.kind == "fast":
            args = self._filled(call.args, env, undo)
            if undo.wide:
                args = widening.arguments(name, args)
            count = input_count(name)
            return args[:count], args[count:]
        inputs, attrs, number = call.args
        attrs = widening.attributes(name, attrs) if undo.wide else attrs
        return self._filled(inputs, env, undo), [attrs, number]

    def _executed(self, call: Call, name: str, inputs: list[Any], rest: list[Any]) -> Any:
        """What the kernel gives, on the tape."""
        if call.kind == "fast":
            return pywrap_tfe.TFE_Py_FastPathExecute(context.context(), name, None, *inputs, *rest)
        attrs, number = rest
        result = pywrap_tfe.TFE_Py_Execute(context.context()._handle, "", name, inputs, tuple(attrs), number)
        pywrap_tfe.TFE_Py_RecordGradient(name, inputs, tuple(attrs), result, "")
        return result

    def _starts_anew(self, tensor: int, undo: Undo) -> bool:
        """Return whether a tensor is a variable (or was read from one) that is given other numbers."""
        handle = self._capture.reads.get(tensor, j.variable_handle(tensor))
        opened = {gate.made for gate in undo.gates if gate.way == "variable"}
        return (tensor if handle is None else handle) in opened

    def _filled(self, value: Any, env: dict[int, Any], undo: Undo) -> Any:
        if isinstance(value, Ref):
            return self._used(value.tensor, self._tensor(value.tensor, env, undo))
        if isinstance(value, (list, tuple)):
            return [self._filled(each, env, undo) for each in value]
        return value

    def _used(self, tensor: int, value: Any) -> Any:
        """Return a value for one of its uses."""
        return value

    def _tensor(self, tensor: int, env: dict[int, Any], undo: Undo) -> Any:
        found = env.get(tensor)
        if found is not None:
            return found
        if tensor in self._capture.reads and j.variable(self._capture.reads[tensor]) == self._key:
            raise Impossible("the variable is read in a way that cannot be replayed")
        value = self._capture.values.get(tensor)
        origin = self._capture.links.get(tensor) if undo.bridge else None
        if origin is not None and origin in env:
            if tensor not in self._bridged:  # else the source has another value than in the recorded step
                if value is None or not np.array_equal(_plain(env[origin]), _plain(value)):
                    raise Impossible("the array was changed outside TensorFlow, so no tensor can replace it")
                self._bridged.add(tensor)
            wide = undo.wide and (value is None or value.dtype.is_floating)
            dtype = env[origin].dtype if wide or value is None else value.dtype
            value = array_ops.identity(math_ops.cast(env[origin], dtype))
        if value is None:
            raise Impossible("a value that the step used was not kept")
        value = opening.numbers(value) if self._starts_anew(tensor, undo) else value
        env[tensor] = widening.tensor(value) if undo.wide else value
        return env[tensor]

    def _targets(self, env: dict[int, Any], undo: Undo = _NOTHING) -> list[Any]:
        return [self._tensor(target, env, undo) for target in self._capture.targets]

    def _same(self, targets: list[Any]) -> bool:
        was = [self._capture.values[target] for target in self._capture.targets]
        return all(
            np.allclose(_plain(now), _plain(then), rtol=1e-4, atol=1e-6, equal_nan=True)
            for now, then in zip(targets, was)
        )


def _to_integer(args: list[Any]) -> bool:
    wanted = dtypes.as_dtype(widening.attribute("Cast", args, "DstT"))
    return bool((wanted.is_integer or wanted.is_bool) and args[0].dtype.is_floating)


def _refs(value: Any) -> list[Ref]:
    if isinstance(value, Ref):
        return [value]
    return [ref for each in value for ref in _refs(each)] if isinstance(value, (list, tuple)) else []


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [tensor for each in value for tensor in _flat(each)]
    return [] if value is None else [value]


def _dense(gradient: Any) -> Any:
    if isinstance(gradient, indexed_slices.IndexedSlices):
        gradient = ops.convert_to_tensor(gradient)
    return _plain(gradient)


def _plain(tensor: Any) -> Any:
    array = np.asarray(tensor)
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array
