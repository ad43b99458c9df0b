"""Where the zeros of a step come from that close a gate, and what is named as the cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tensorwhy.lineage.flow import Arm
from tensorwhy.lineage.gates import to_open
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.twice import computed_twice
from tensorwhy.lineage.zero_values import ZeroValues
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.zero import GateKind
from tensorwhy.model.location import Location
from tensorwhy.model.optable import OpKinds
from tensorwhy.model.question import ValueSnapshot
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

_DEPTH = 40


class Cause(NamedTuple):
    """Why a gate is closed; `variable` holds zeros since it was made, `ways` is the tensor whose ways cancel."""

    kind: GateKind
    event: Event | None
    variable: int = -1
    scalar: bool = False
    exact: bool = True
    ways: int = -1
    named: Location | None = None
    summed: str = ""
    factor: int = -1
    twice: bool = False
    gate: Gate | None = None

    def met(self, arm: Arm | None, kinds: OpKinds) -> Cause:
        """The same with what opens it, where its zeros were met at this input."""
        gate = self.gate or to_open(
            self.kind, self.event, self.variable, arm, kinds, self.ways, self.summed, self.twice
        )
        return self._replace(gate=gate)


class Origins:
    """Follows the zeros of one question, asked of the recorder `recorder`, back to what made them.

    `upstream` tells what a tensor was computed from, `held_back` whether a variable gets only zeros by its own way.
    """

    def __init__(
        self,
        lineage: Lineage,
        recorder: int,
        snapshot: ValueSnapshot,
        values: ZeroValues,
        upstream: Callable[[int], set[int]],
        held_back: Callable[[int], bool],
    ) -> None:
        self._lineage = lineage
        self._kinds = lineage.rules.kinds
        self._recorder = recorder
        self._snapshot = snapshot
        self._values = values
        self._upstream = upstream
        self._held_back = held_back

    def twice(self, event: Event) -> bool:
        """True if an operation compares with itself what was computed twice in the same way, with the same result."""
        if (
            self._lineage.op_name(event) not in self._kinds.differing | self._kinds.dividing
            or event.outputs[0] not in self._snapshot.equal
        ):
            return False
        recorder = self._lineage.timeline.recorders.get(self._recorder)
        return computed_twice(self._lineage, event.inputs, recorder.created if recorder is not None else 0)

    def rectifies(self, event: Event) -> bool:
        """`tf.maximum(x, 0)`: a ReLU by another name. What a number was that Python gave, the result may tell."""
        if self._lineage.op_name(event) not in self._kinds.flooring or self._values.is_other(event.outputs[0]):
            return False
        return any(self._values.is_zero(v) or v < 0 for v in event.inputs)

    def why_zero(self, value: int, arm: Arm | None, depth: int = _DEPTH) -> Cause | None:
        """Where the zeros of a value come from; `arm` is the product in which they close a gate."""
        handle = j.variable_handle(value)
        tensor = value if handle is None else handle
        known = self._lineage.rules.variables
        if tensor in known:
            # With nothing known to be closed on its own way, it is not what holds the others back.
            return Cause("initial", None, tensor) if self._held_back(tensor) else None
        if depth == 0:
            return None
        events = self._lineage.makers(tensor)
        by_hand = [event for event in events if event.kind == j.RECORDED]
        for event in by_hand[-1:] or events:
            if event.kind == j.ENTRY:
                return self._mask(event, tensor, arm)
            name = self._lineage.op_name(event)
            converts = name in self._lineage.rules.converting
            if event.kind == j.RECORDED and not self._values.reads(name):
                return None
            zero = (
                list(event.inputs[:1])
                if self._values.reads(name)
                else [v for v in event.inputs if self._values.is_zero(v)]
            )
            if name in self._kinds.differing and len({self._values.copied(each) for each in event.inputs}) == 1:
                return Cause("cancelled", event)
            if self.twice(event):
                return Cause("cancelled", event, twice=True)
            rectifies = name in self._kinds.rectifying and not zero
            if rectifies or (self.rectifies(event) and len(zero) < len(event.inputs)):
                return Cause("dead", event)
            if name in self._kinds.comparing and (not converts or not zero or not self._computed(zero[0])):
                return self._mask(event, tensor, arm)
            if name == self._kinds.constant:
                return self._mask(event, tensor, arm)
            if not zero and not converts:
                return None
            order = sorted(zero, key=lambda v: -self._weight(v))
            for inner in order:
                product = name in self._kinds.scaling and len(event.inputs) == 2
                other = 1 - event.inputs.index(inner) if product else 0
                nearer = Arm(event, name, other, event.inputs[other], tensor) if product else arm
                if name in self._kinds.multiplying and not product:
                    nearer = None  # features that are zero mask nothing
                cause = self.why_zero(inner, nearer, depth - 1)
                if cause is not None:
                    return cause
        return None

    def _computed(self, value: int) -> bool:
        """Return whether a value that was cast is a number that was computed, and not the outcome of a comparison."""
        return self._lineage.is_differentiable(value)

    def _weight(self, value: int) -> int:
        """How much of a variable stands behind a value: a kernel is a likelier culprit than a bias."""
        known = self._lineage.rules.variables
        return max((len(known[t].shape or ()) for t in self._upstream(value) if t in known), default=0)

    def _mask(self, event: Event, tensor: int, arm: Arm | None) -> Cause | None:
        """Zeros that are no result: they mask what they are multiplied with, element by element."""
        if arm is None or arm.name not in self._kinds.scaling:
            return None
        scalar, named = tensor in self._snapshot.scalar, self._snapshot.origins.get(tensor)
        made, used = (self._lineage.journal.location(each.place) for each in (event, arm.event))
        if named is None and event.kind == j.ENTRY and made in (None, used):
            return Cause("masked", arm.event, scalar=scalar, factor=1 - arm.position)
        return Cause("masked", event, scalar=scalar, named=named)

    def unless_given(self, cause: Cause | None, event: Event, value: int) -> Cause | None:
        """A variable that starts at zero is not to blame where the data are zero, or a target that is met."""
        if cause is None or cause.kind != "initial":
            return cause
        return Cause("given", event) if self._is_given(value) or self._reached(event) else cause

    def _reached(self, event: Event) -> bool:
        """Return whether a prediction is compared that is equal to its target."""
        return any(
            self._lineage.op_name(compared) in self._kinds.differing
            and self._values.is_zero(compared.outputs[0])
            and any(map(self._untrained, compared.inputs))
            for compared in (event, *self._lineage.makers(event.inputs[0]))
        )

    def _is_given(self, value: int, depth: int = _DEPTH) -> bool:
        """Return whether something is zero because what a layer was given is: its bias may start at zero."""
        if depth == 0 or not self._values.is_zero(value):
            return False
        if self._untrained(value):
            return True
        found = False
        for event in self._lineage.makers(value):
            name = self._lineage.op_name(event)
            inputs = event.inputs if name in self._kinds.multiplying | self._kinds.adding else event.inputs[:1]
            found = any(self._is_given(each, depth - 1) for each in inputs)
        return found

    def _untrained(self, value: int) -> bool:
        handle, known = j.variable_handle(value), self._lineage.rules.variables.keys()
        tensor = value if handle is None else handle  # which an operation read by itself
        return tensor not in known and not known & self._upstream(tensor)

    def factor(self, value: int, arm: Arm) -> Cause | None:
        """A factor that was seen to be zero, and that nothing comes from which is trained: weights, an advantage."""
        known = self._lineage.rules.variables
        if (
            arm.name not in self._kinds.scaling
            or value not in self._snapshot.zero
            or known.keys() & self._upstream(value)
        ):
            return None
        first, event = self._values.first(value)
        if first in known:
            return None
        scalar, named = value in self._snapshot.scalar, self._snapshot.origins.get(first)
        return Cause("masked", event or arm.event, scalar=scalar, named=named)
