"""Looks at the shapes of what each loss is made of, when its gradient is asked for the first times.

No value is needed. Of a graph everything is at hand; of eager code what is kept for experiments, which is so until a
call site has answered once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.replays.graph_steps import READS, outside
from tensorwhy.adapters.tensorflow.tensor_ids import resource, static_shape
from tensorwhy.lineage.outer import LEFT_OUT, Operation, Outer, Role, outer_results
from tensorwhy.model.facts.data import OuterResult, Shape
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

_ROLES: dict[Role, str] = {
    "elementwise": "Add AddV2 AddN Sub Mul MulNoNan RealDiv Div DivNoNan Maximum Minimum SquaredDifference Pow Xlogy "
    "Xlog1py Xdivy Neg Square Abs Sqrt Rsqrt Log Log1p Exp Expm1 Sigmoid Tanh Softplus Softsign Relu Relu6 LeakyRelu "
    "Elu Selu Erf Sign Cos Sin Cosh Reciprocal Inv ClipByValue Cast Identity StopGradient PreventGradient "
    "CheckNumerics BiasAdd Select SelectV2 Greater GreaterEqual Less LessEqual Equal NotEqual LogicalAnd LogicalOr "
    "LogicalNot IsFinite IsNan",
    "reduce": "Sum Mean",
    "move": "Reshape Squeeze ExpandDims Transpose StridedSlice Pack",
    "variable": " ".join((*READS, "ResourceGather", "ResourceGatherNd", "VariableV2")),
    "data": "IteratorGetNext IteratorGetNextSync",
}
_BY_OP: dict[str, Role] = {op: role for role, ops in _ROLES.items() for op in ops.split()}
_FIRST = ("Sum", "Mean", "Reshape", "Squeeze", "ExpandDims", "Transpose", "StridedSlice", "ClipByValue")
"""What takes shapes, axes and limits beside its first input."""
_SHAPES = ("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike", "BroadcastGradientArgs")
_SPELLED_OUT = ("list", "tuple", "float", "int")
"""Of what such tensors are made that are no data."""
_MANY = 5_000
"""What has more operations is not looked at in eager code: a step would be held up."""
_LOOKS = 4
"""So many traces of a call site are looked at; of eager code the first answer."""


class OuterResults:
    """`facts` are what was found."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._looks: dict[int, int] = {}
        self._off = False
        self.facts: list[OuterResult] = []

    def seen(self, site: int, target: Any) -> None:
        """A gradient was asked for at a call site."""
        if self._off:
            return
        try:
            self._look(site, target)
        except Exception:  # costs this observation, and nothing else
            self._off = True

    def _look(self, site: int, target: Any) -> None:
        targets = [*target] if isinstance(target, (list, tuple)) else [target]
        eager = [hasattr(each, "_datatype_enum") for each in targets]
        if not targets or any(eager) != all(eager) or (eager[0] and not self._recorder.kept.on):
            return
        looks = self._looks[site] = self._looks.get(site, 0) + 1
        if looks > (1 if eager[0] else _LOOKS):
            return
        made_lately = self._recorder.kept.made() if eager[0] else {}
        if eager[0] and (len(made_lately) > _MANY or not self._recorder.kept.whole):
            self._cut()
            return
        computed = _Executed(made_lately, self._cut) if eager[0] else _Traced(targets, self._cut)
        keys = [each._id for each in targets]
        if not any(outer_results(computed, keys)):
            return
        made: dict[int, Event] = {}
        for event in self._recorder.journal.events():
            made.update((tensor, event) for tensor in event.outputs if tensor not in made)
        names = self._recorder.journal.names
        computed.look({key for key, each in made.items() if each.kind == j.ENTRY and names[each.name] in _SPELLED_OUT})
        for found in outer_results(computed, keys):
            fact = self._fact(found, computed, made, site)
            if fact is not None and not any(_on_one_line(fact, other) for other in self.facts):
                self.facts.append(fact)

    def _cut(self) -> None:
        self._recorder.unseen[LEFT_OUT] = None

    def _fact(
        self, found: Outer, computed: _Executed | _Traced, made: Mapping[int, Event], site: int
    ) -> OuterResult | None:
        journal = self._recorder.journal
        location = journal.location(made[found.tensor].place) if found.tensor in made else None
        first, second = (computed.shape(each) for each in found.operation.inputs)
        result = computed.shape(found.tensor)
        if location is None or first is None or second is None or result is None:
            return None
        return OuterResult(
            operation=found.operation.name,
            sign=_SIGNS.get(found.operation.name, ""),
            shapes=(first, second),
            result=result,
            low=found.low,
            location=location,
            asked=journal.location(site),
        )


_SIGNS = {"Add": "+", "AddV2": "+", "Sub": "-", "Mul": "*", "RealDiv": "/", "Div": "/", "Pow": "**"}


def facts(session: Any) -> list[OuterResult]:
    """Losses in which every element of the data is paired with every element of what a model gave."""
    return list(session.tapes.outer.facts)


def _on_one_line(fact: OuterResult, other: OuterResult) -> bool:
    """Return whether both stand in one line: of a formula that uses a label twice, the first is enough."""
    return (fact.location.file, fact.location.line) == (other.location.file, other.location.line)


class _Traced:
    """A graph, from the tensors whose gradient is asked for."""

    def __init__(self, targets: Iterable[Any], cut: Callable[[], None]) -> None:
        self.cut = cut
        self._tensors = {each._id: each for each in targets}
        self._known: dict[int, Operation] = {}

    def look(self, spelled_out: set[int]) -> None:
        """A graph tells constants from arguments by itself."""

    def shape(self, tensor: int) -> Shape | None:
        return static_shape(self._tensors[tensor])

    def operation(self, tensor: int) -> Operation:
        found = self._known.get(tensor)
        if found is None:
            found = self._known[tensor] = self._looked_up(self._tensors[tensor])
        return found

    def _looked_up(self, tensor: Any) -> Operation:
        op = tensor.op
        if tensor.dtype.name == "resource":
            return Operation(op.type, "variable")
        if op.type == "Placeholder":
            return Operation(op.type, "array" if outside(tensor, tensor.graph) is not None else "data")
        if op.type == "Const":
            several = tensor.dtype.is_floating and (tensor.shape.num_elements() or 0) > 1
            return Operation(op.type, "array" if several else "other")
        role = _BY_OP.get(op.type, "other")
        inputs = _counting(op.type, op.inputs) if role != "data" else []
        self._tensors.update((each._id, each) for each in inputs)
        return Operation(op.type, role, tuple(each._id for each in inputs))


class _Executed:
    """What was executed, as far as it is kept. What nobody made is data."""

    def __init__(self, made: dict[int, tuple[str, Any, Any]], cut: Callable[[], None]) -> None:
        self.cut = cut
        self._made = made
        self._things: dict[int, Any] = {key: tensor for key, (_, _, tensor) in made.items()}
        self._known: dict[int, Operation] = {}
        self._spelled_out: set[int] = set()

    def look(self, spelled_out: set[int]) -> None:
        """Learn which tensors are constants that the program spells out."""
        self._spelled_out = spelled_out
        self._known.clear()

    def shape(self, tensor: int) -> Shape | None:
        return static_shape(self._things[tensor]) if tensor in self._things else None

    def operation(self, tensor: int) -> Operation:
        found = self._known.get(tensor)
        if found is None:
            found = self._known[tensor] = self._looked_up(tensor)
        return found

    def _looked_up(self, tensor: int) -> Operation:
        if tensor not in self._made:
            thing = self._things.get(tensor)
            varies = resource(thing) is None and getattr(getattr(thing, "dtype", None), "name", "") != "resource"
            return Operation("", ("array" if tensor in self._spelled_out else "data") if varies else "variable")
        name, args, _ = self._made[tensor]
        inputs = _counting(name, [each for each in _flat(args) if hasattr(each, "shape")])
        keys = [getattr(each, "_id", None) or -id(each) for each in inputs]
        self._things.update(zip(keys, inputs))
        return Operation(name, _BY_OP.get(name, "other"), tuple(keys))


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _flat(each)
    else:
        yield value


def _counting(name: str, inputs: Iterable[Any]) -> list[Any]:
    """The inputs whose values count."""
    if name in _SHAPES:
        return []
    return [*inputs][:1] if name in _FIRST else [*inputs]
