"""Variables of `tf.while_loop` and accumulators of `tf.scan` that come out of an iteration as something else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorflow.python.framework import errors_impl

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.tensorflow.failures import (
    array_objects,
    loop_calls,
    signatures,
)
from tensorwhy.adapters.tensorflow.failures.changed_loop import ChangedLoop
from tensorwhy.adapters.tensorflow.failures.loop_lines import Lines
from tensorwhy.adapters.tensorflow.failures.signatures import form, index_of, listed
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange

Change = LoopShapeChange | LoopStructureChange
_GRAPH = "ops/while_v2.py"


def probe(live: LiveFailure) -> Iterable[Fact]:
    """What the user's own call of a loop declares, against what its body returned."""
    way = live.joined()
    called = loop_calls.called(way)
    if called is None or way.caller(called[1]) is None:
        return ()
    fact = _Call(live, way, *called).fact()
    return (loop_calls.as_called(fact, way, called[1]),) if fact is not None else ()


class _Call(ChangedLoop):
    """What TensorFlow compared, and where: each way of comparing leaves other frames."""

    def fact(self) -> Change | None:
        if self.caller is None:
            return None
        across = self._across()
        if across is not None:
            return across
        if self.way.below(self.index):
            return None
        return (
            self._compared() or self._types() or self._merged() or self._written() or self._structure() or self._eager()
        )

    def _across(self) -> Change | None:
        """The accumulator has the shape of a slice along the second axis, and the loop slices along the first."""
        initial, elements = self.step.local("initializer"), self.step.local("elems")
        if self.construct == "while_loop" or not isinstance(
            self.live.exceptions[-1], (ValueError, errors_impl.InvalidArgumentError)
        ):
            return None
        state, whole = signatures.shape_of(initial), signatures.shape_of(elements)
        if not state or whole is None or len(whole) < 2 or whole[1:] == state or whole[:1] + whole[2:] != state:
            return None
        lines = self.lines(0, None)
        return LoopShapeChange(
            construct=self.construct,
            statement=self.statement,
            variable=lines.name,
            problem="axis",
            entry=state,
            exit=whole[1:],
            invariant=whole,
            before=lines.before,
        )

    def _compared(self) -> Change | None:
        """Graph: the static shapes after the iteration against the invariants."""
        step = self.frame("check_shapes_compat")
        if step is None:
            return None
        outputs = step.local("flat_output_tensors" if step.local("output_tensors") is None else "output_tensors")
        position = self._own(index_of(step.local("t"), outputs))
        if position is None:
            return None
        parts = self.parts()
        whole = parts[position][1] if position < len(parts) else None
        if whole is not None and array_objects.is_array(whole):
            declared = signatures.shape_of(step.local("shape"))
            if declared and self.step.local("shape_invariants") is not None:
                return self._declared_for_array(position, declared)
            expected, got = signatures.describe(whole), signatures.describe(step.local("t"))
            lines = self.flat(position, step.local("t"))
            return self.structure_change(
                "structure", position, step.local("t"), lines=lines, expected=expected, got=got
            )
        if self._is_ragged(position):
            return None  # shapes cannot be declared for the parts of one
        return self.shape_change(position, step.local("input_t"), step.local("t"), step.local("shape"))

    def _declared_for_array(self, position: int, declared: Any) -> LoopShapeChange:
        """The program declared the shape of the stacked elements; what goes around is the array's handle, a scalar."""
        lines = self.flat(position, None)
        return LoopShapeChange(
            construct=self.construct,
            statement=self.statement,
            variable=lines.name,
            problem="array",
            exit=(),
            invariant=declared,
            declared=True,
            before=lines.before,
        )

    def _is_ragged(self, position: int) -> bool:
        """Return whether the loop variable that a flat position belongs to is ragged: it enters the loop in parts."""
        from tensorflow import nest

        passed = 0
        for each in listed(self.step.local("loop_vars")) or []:
            passed += len(nest.flatten(each, expand_composites=True))
            if position < passed:
                return type(each).__name__ == "RaggedTensor"
        return False

    def _types(self) -> Change | None:
        """Graph: the dtypes after the iteration. The first two variables are the loop's own counters."""
        step = self.frame("check_inputs_outputs_types_match")
        if step is None:
            return None
        position = index_of(step.local("loop_var"), step.local("flattened_loop_vars"))
        position = self._own(None if position is None else position - 2)
        if position is None:
            return None
        return self.structure_change(
            "dtype",
            position,
            step.local("out"),
            lines=self.flat(position, step.local("out")),
            expected=signatures.dtype_name(step.local("inp")),
            got=signatures.dtype_name(step.local("out")),
        )

    def _merged(self) -> Change | None:
        """A graph of TensorFlow 1 joins what enters the loop with what comes back, one variable after the other."""
        step = self.frame("BuildLoop")
        if step is None or self.frame("AddNextAndBackEdge") is None:
            return None
        merged, after = step.local("m"), step.local("v")
        position = self._own(index_of(merged, step.local("merge_vars")))
        if position is None or not hasattr(after, "dtype"):
            return None
        before = merged.op.inputs[0].op.inputs[0]
        if before.dtype != after.dtype:
            expected, got = signatures.dtype_name(before), signatures.dtype_name(after)
            lines = self.flat(position, after)
            return self.structure_change("dtype", position, after, lines=lines, expected=expected, got=got)
        return self.shape_change(position, before, after, merged)

    def _own(self, position: int | None) -> int | None:
        """`scan` puts its counter before the accumulator, and its arrays behind it."""
        if position is None or self.construct == "while_loop":
            return position
        return position - 1 if position >= 1 else None

    def _written(self) -> Change | None:
        """`scan` keeps each accumulator in an array: the next one does not fit beside the first."""
        written = self.frame("write") if self.construct == "scan" else None
        if written is None:
            return None
        value, array = written.local("value"), written.local("self")
        array = getattr(array, "_implementation", array)
        if not hasattr(value, "dtype"):
            return None
        compute = self.frame("compute")
        position = index_of(value, compute.local("flat_a_out")) if compute is not None else None
        position = position or 0
        before, after = signatures.dtype_name(array.dtype), signatures.dtype_name(value)
        if before != after:
            lines = self.flat(position, value)
            return self.structure_change("dtype", position, value, lines=lines, expected=before, got=after)
        return self.shape_change(position, getattr(array, "element_shape", None), value, None)

    def _structure(self) -> Change | None:
        """The body returned something of another form."""
        if self.frame("assert_same_structure", "tf_core_assert_same_structure") is None:
            return None
        wrapped, compute = self.frame("wrapped_body"), self.frame("compute")
        if self.construct != "while_loop":
            if compute is None:
                return self._folded(wrapped or self.frame("while_loop"))
            initial = self.step.local("initializer")
            initial = self.step.local("elems") if initial is None else initial
            return self._returned(initial, compute.local("a_out"))
        if wrapped is not None:
            return self._returned(listed(wrapped.local("orig_loop_vars")), listed(wrapped.local("outputs")))
        built = self.frame("BuildLoop")
        if built is not None and built.local("body_result") is not None:
            return self._returned(listed(built.local("packed_vars_for_body")), listed(built.local("body_result")))
        inner = next((step for step in self.inside if step.name == "while_loop" and step.file.endswith(_GRAPH)), None)
        invariants = self.step.local("shape_invariants")
        if inner is not None and invariants is not None:
            return LoopShapeChange(
                construct=self.construct,
                statement=self.statement,
                variable="",
                problem="count",
                entry=(len(listed(self.step.local("loop_vars")) or ()),),
                exit=(len(listed(invariants) or ()),),
                declared=True,
            )
        if inner is None:
            return self._returned(
                listed(self.step.local("loop_var_structure")),
                listed(self.step.local("loop_vars")),
            )
        return None

    def _folded(self, loop: Frame | None) -> Change | None:
        """A fold leaves comparing to its loop, whose variables are a counter and the accumulator.

        Eagerly they are one variable of two, beside the counter of `maximum_iterations`.
        """
        if loop is None:
            return None
        eager = loop.name == "while_loop"
        before, after = map(loop.local, ("loop_var_structure", "loop_vars") if eager else ("orig_loop_vars", "outputs"))
        if eager and before is not None and loop.local("maximum_iterations") is not None:
            before, after = before[1], after[1]
        return None if before is None or after is None else self._returned(before[1], after[1])

    def _eager(self) -> Change | None:
        """Eagerly, a body without `return` fails where its result is taken apart."""
        last = self.way.frames[-1]
        if last is not self.step or self.construct != "while_loop" or self.step.local("loop_var_structure") is None:
            return None
        result = self.step.local("loop_vars")
        if result is None:
            return self.structure_change(
                "no-value", -1, None, expected=f"{len(self.step.local('loop_var_structure'))} values"
            )
        return None

    def _returned(self, initial: Any, result: Any) -> Change | None:
        if result is None or (isinstance(result, list) and len(result) == 1 and result[0] is None):
            count = len(initial) if isinstance(initial, (list, tuple)) else 1
            return self.structure_change("no-value", -1, None, expected=f"{count} value{'s' * (count != 1)}")
        if isinstance(initial, list) and isinstance(result, list):
            if len(initial) != len(result):
                lines = Lines(name="", changed=self.lines(0, None, whole=True).changed)
                return self.structure_change(
                    "count", -1, None, lines=lines, expected=str(len(initial)), got=str(len(result))
                )
            for position, (before, after) in enumerate(zip(initial, result, strict=True)):
                if form(before) != form(after):
                    return self.structure_change(
                        "structure",
                        position,
                        after,
                        expected=signatures.describe(before),
                        got=signatures.describe(after),
                    )
        lines = self.lines(0, result, whole=self.construct != "while_loop")
        expected, got = signatures.describe(initial), signatures.describe(result)
        return self.structure_change("structure", 0, result, lines=lines, expected=expected, got=got)
