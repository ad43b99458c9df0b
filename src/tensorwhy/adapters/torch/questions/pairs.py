"""Losses that compare each sample with every other one, because (32,) and (32, 1) were broadcast to (32, 32), or one
value of a sample with several, as (32, 1) and (32, 4) do.

The search is that of `lineage.outer`, at `backward`, while shapes are at hand. Here is what it must know of PyTorch,
and whether somebody wrote the axis of size 1 into an operand for this operation: close to it, and in the same step.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec
import torch

from tensorwhy.adapters.torch.operations.kinds import CASTS, SHAPE_ONLY
from tensorwhy.adapters.torch.recording.calls import LOSSES, Call, references
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.adapters.torch.words.words import marked
from tensorwhy.diagnosis.operations import Operands, as_written, operands
from tensorwhy.lineage.outer import LEFT_OUT, Operation, Outer, Role, outer_results
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_LOOKS = 8
"""So many calls of a site are looked at."""
_MOST = 5_000
"""So many tensors are looked at, to find data among them."""
_ROLES: dict[Role, str] = {
    "elementwise": "add sub subtract __radd__ __rsub__ rsub mul multiply __rmul__ div divide true_divide __rdiv__ "
    "__rtruediv__ maximum minimum pow __rpow__ neg negative square abs sqrt rsqrt log log1p exp expm1 sigmoid tanh "
    "softplus relu leaky_relu elu selu erf sign cos sin cosh reciprocal clamp clip clamp_min clamp_max where gt ge lt "
    "le eq ne logical_and logical_or logical_not isfinite isnan nan_to_num detach data clone contiguous xlogy hypot "
    "logsigmoid masked_fill "
    # The same elements in another shape: whether somebody meant the axis is decided here.
    "reshape view squeeze unsqueeze transpose permute t T flatten ravel view_as reshape_as stack "
    + " ".join(sorted(CASTS)),
    "reduce": "sum mean nansum nanmean",
}
_BY_NAME: dict[str, Role] = {name: role for role, names in _ROLES.items() for name in names.split()}
_EITHER = ("max", "min")
"""Of two tensors elementwise, of one a reduction."""
_FIRST = frozenset(
    {"reshape", "view", "squeeze", "unsqueeze", "clamp", "clip", "view_as", "reshape_as", "to", "type_as"}
)
_GRIDS = frozenset({"arange", "linspace", "logspace", "zeros", "ones", "full", "eye", "empty"})
_AXES = frozenset(
    {"unsqueeze", "reshape", "view", "view_as", "reshape_as", "unflatten", "expand", "expand_as", "repeat", "stack"}
)
"""What can give a tensor an axis that somebody asked for."""
_KEEPING = frozenset({"__getitem__", "index_select", "cat", "concat", "narrow", "select", "flip", "roll", "gather"})
"""Their result has the axes of what they take."""


class Pair(NamedTuple):
    """One such operation: its name and place, the shapes, the position of the operand with fewer axes.

    `low` is -1 where both have as many axes: one value is then compared with several.
    """

    name: str
    place: int
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    result: tuple[int, ...]
    low: int
    asked: int


class Pairs:
    """Looks at the first losses of each call of `backward`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._looks: dict[int, int] = {}
        self._began = 0
        self._ends: dict[int, int] = {}
        self.found: dict[int, Pair] = {}
        self.buffers: Callable[[], set[int]] = set

    def look(self, targets: tuple[int, ...], place: int) -> None:
        """`backward` was called at a place."""
        calls = self._recorder.calls
        self._began, self._ends[place] = self._ends.get(place, 0), calls.count
        for tensor in calls.unequal:
            known = calls.maker(tensor)
            if known is not None and known[0] > self._began and known[1].keeps and known[1].place not in self.found:
                given = references((known[1].args, known[1].kwargs))
                first, second = (tuple(calls.shapes.get(each, ())) for each in given)
                result = tuple(torch.broadcast_shapes(first, second))
                self.found[known[1].place] = Pair(known[1].name, known[1].place, (first, second), result, -1, place)
        calls.unequal.clear()
        if not calls.paired:
            return
        looks = self._looks[place] = self._looks.get(place, 0) + 1
        if looks > _LOOKS:
            return
        buffers = self.buffers()
        for tensor in calls.paired:
            for hidden in self._hidden(tensor, buffers):
                computed = _Computed(self._recorder, buffers, hidden)
                for outer in outer_results(computed, targets):
                    if outer.tensor in (tensor, -tensor) and not self._is_meant(computed, outer):
                        self._note(computed, outer, place)

    def _hidden(self, tensor: int, buffers: set[int]) -> tuple[int, ...]:
        """Return the operands of which one is taken for data: where both have a graph, each in turn; else none."""
        known = self._recorder.calls.maker(tensor)
        sides = tuple(references((known[1].args, known[1].kwargs))) if known is not None else ()
        if not all(map(self._recorder.serials.requires, sides)):
            return (0,)
        return sides if all(self._varies(each, buffers) for each in sides) else ()

    def _varies(self, tensor: int, buffers: set[int]) -> bool:
        """Whether a tensor is computed from data."""
        computed = _Computed(self._recorder, buffers, 0)
        stack, seen = [tensor], {tensor}
        while stack and len(seen) < _MOST:
            operation = computed.operation(stack.pop())
            if operation.role in ("data", "array"):
                return True
            new = {*operation.inputs} - seen
            seen |= new
            stack += new
        if stack:
            computed.cut()
        return False

    def _note(self, computed: _Computed, outer: Outer, place: int) -> None:
        known = self._recorder.calls.maker(abs(outer.tensor))
        first, second = (computed.sizes(each) for each in outer.operation.inputs)
        if known is not None and known[1].place not in self.found:
            result = tuple(torch.broadcast_shapes(first, second))
            self.found[known[1].place] = Pair(
                outer.operation.name, known[1].place, (first, second), result, outer.low, place
            )

    # -- whether it is meant -------------------------------------------------------------------------------------

    def _is_meant(self, computed: _Computed, outer: Outer) -> bool:
        """Whether the axis of size 1 was written for this operation, or a tensor meets itself."""
        known = self._recorder.calls.maker(abs(outer.tensor))
        sides = outer.operation.inputs
        past = self._recorder.calls.past
        if known is None or past(sides[0], _MOVES) == past(sides[1], _MOVES):
            return True
        writers = self._writers(computed, sides[1 - outer.low])
        return writers is not None and any(self._is_close(at, call, known[1]) for at, call in writers)

    def _writers(self, computed: _Computed, tensor: int) -> list[tuple[int, Call]] | None:
        """The calls that gave a tensor, or what it was computed from element by element, its axes.

        None where a model gave it these: then what was reshaped beside that was meant to fit.
        """
        shape = computed.sizes(tensor)
        ones = [axis for axis, size in enumerate(shape) if size == 1]
        stack, seen = [tensor], {tensor}
        found = list[tuple[int, Call]]()
        while stack:
            serial = stack.pop()
            known = self._recorder.calls.maker(serial)
            if known is None:
                continue
            call = known[1]
            given = [each for each in references((call.args, call.kwargs)) if each not in seen]
            same = [each for each in given if _alike(computed.sizes(each), shape, ones)]
            axes = call.name in _AXES or call.name == "__getitem__" or keeps_axis(call)
            if axes and not same:
                found.append(known)
            elif call.name in _BY_NAME or call.name in _EITHER or call.name in _KEEPING:
                seen.update(same)
                stack += same
            elif self._recorder.serials.requires(serial):
                return None
        return found

    def _is_close(self, at: int, writer: Call, call: Call) -> bool:
        """Whether an axis was written in this step, by the function of an operation, its caller, or a helper.

        Of a loss function nobody wants pairs: there it must stand in the same line.
        """
        chain = self._recorder.journal.chain
        wrote, used = chain(writer.place), chain(call.place)
        if at <= self._began or not wrote or not used:
            return False
        inner, own = wrote[0].location, used[0].location
        if call.name in LOSSES:
            return inner.file == own.file and own.line <= inner.line <= (own.end_line or own.line)
        if _function(inner) in [_function(each.location) for each in used[:2]]:
            return True
        return wrote[0].direct and len(wrote) > 1 and _function(wrote[1].location) == _function(own)


def keeps_axis(call: Call) -> bool:
    """Whether a reduction keeps the axis that it reduces."""
    given = call.args or ()
    return bool(call.kwargs.get("keepdim")) or (call.name in _BY_NAME and len(given) > 2 and given[2] is True)


def _function(location: Location) -> tuple[str, str]:
    return location.file, location.function


def _alike(given: tuple[int, ...], shape: tuple[int, ...], ones: list[int]) -> bool:
    return len(given) == len(shape) and all(given[axis] == 1 for axis in ones)


class _Computed:
    """What was computed, as the search takes it. `hidden` is a tensor that is taken for data.

    A loss function is two operations: one for each element, by its negative number, and what becomes of them.
    """

    def __init__(self, recorder: Recorder, buffers: set[int], hidden: int) -> None:
        self._recorder = recorder
        self._buffers = buffers
        self._hidden = hidden
        self._known: dict[int, Operation] = {}

    def sizes(self, tensor: int) -> tuple[int, ...]:
        """Return the shape of a tensor; empty when it is not known."""
        return tuple(self._recorder.calls.shapes.get(tensor, ()))

    def shape(self, tensor: int) -> tuple[int, ...] | None:
        found = self._recorder.calls.shapes.get(tensor)
        return tuple(found) if found is not None else None

    def cut(self) -> None:
        self._recorder.unseen[LEFT_OUT] = None

    def operation(self, tensor: int) -> Operation:
        found = self._known.get(tensor)
        if found is None:
            found = self._known[tensor] = self._looked_up(tensor)
        return found

    def _looked_up(self, tensor: int) -> Operation:
        recorder = self._recorder
        if tensor == self._hidden:
            return Operation("", "data")
        if tensor in recorder.leaves or tensor in recorder.parameters:
            return Operation("", "variable")
        known = recorder.calls.maker(abs(tensor))
        if known is None:
            return Operation("", "other" if tensor in self._buffers else "data")
        call, name = known[1], known[1].name
        if call.function is None:  # `torch.tensor`
            fresh = recorder.calls.entered[call.place] > 1 or name == "from_numpy"
            return Operation(name, "data" if fresh else "array")
        given = tuple(references((call.args, call.kwargs)))
        if call.args is None or name in SHAPE_ONLY or name in _GRIDS:
            return Operation(name, "other")
        if not given:
            return Operation(name, "data")
        if not recorder.serials.requires(abs(tensor)):  # by value alone: no parameter learns from it
            given = tuple(each for each in given if each not in recorder.leaves and each not in recorder.parameters)
        if name in LOSSES and len(given) == 2:
            whole = call.kwargs.get("reduction", "mean") == "none"
            if tensor < 0 or whole:
                return Operation(name, "elementwise", given)
            return Operation(name, "reduce", (-tensor,))
        role: Role = _BY_NAME.get(name, "other")
        if (name in _EITHER and len(given) == 2) or (name == "__getitem__" and len(given) == 1):
            role = "elementwise"
        elif role == "reduce" and keeps_axis(call):
            role = "other"
        return Operation(name, role, given[:1] if name in _FIRST or role == "reduce" else given)


_MOVES = _AXES | {"squeeze", "flatten", "ravel", "transpose", "t", "T", "permute", "detach", "clone", "__getitem__"}


def facts(found: Iterable[Pair], recorder: Recorder, sources: Sources) -> Iterator[Observed]:
    """One fact for all such operations of one function."""
    by_function: dict[tuple[str, str], list[tuple[Pair, Location]]] = {}
    for pair in found:
        location = recorder.journal.location(pair.place)
        if location is not None:
            by_function.setdefault(_function(location), []).append((pair, location))
    for group in by_function.values():
        yield _told(group, recorder, sources)


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "true_divide": "/", "pow": "**"}
_LONGEST = 40
_ALL = "pairs each sample with all others"


def _told(group: list[tuple[Pair, Location]], recorder: Recorder, sources: Sources) -> Observed:
    pair, location = group[0]
    written = operands(pair.name, _SIGNS.get(pair.name, ""), location, sources)
    sides = _sides(written)
    shapes = tuple(map(str, map(tuple, pair.shapes)))
    what = f"`{ast.unparse(written.node)}`" if written and sides else as_written(pair.name, location, sources)
    values = f"pairs every value of `{sides[0]}` with every value of `{sides[1]}`" if sides else _ALL
    caveat = "if every pair is meant, write the axis in this line: `x[:, None]`"
    if pair.low < 0:
        values = "compares one value of a sample with several"
        same = "compute as many values for each, or sum or average over the other axis before this line"
        caveat = "if one value is meant for all of them, write that in this line: `x.expand_as(y)`"
    elif sides:
        low = written[1 + pair.low] if written else None
        plain = isinstance(low, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        same = f"`{sides[pair.low] if plain else f'({sides[pair.low]})'}.view_as({sides[1 - pair.low]})`"
    else:
        same = "`squeeze(-1)` for the operand with the axis of size 1, before this line"
    place = sources.place(location.file, written.node) if written and sides else location
    others = {each.line: each for _, each in reversed(group) if each.line != location.line}
    met = f"{shapes[0]} and {shapes[1]} meet here"
    fact = say(
        "pairs",
        place,
        {"asked": recorder.journal.location(pair.asked)},
        what=what,
        shapes=shapes,
        result=tuple(pair.result),
        values=values,
        label=f"`{sides[0]}` has shape {shapes[0]}, `{sides[1]}` has {shapes[1]}" if sides else met,
        same=same,
        caveat=caveat,
    )
    also = (mark for each in reversed(others.values()) for mark in marked(each, "the same happens here", "also"))
    return msgspec.structs.replace(fact, related=(*also, *fact.related))


def _sides(written: Operands | None) -> list[str]:
    """Both operands as they are written; none where they are long."""
    sides = [ast.unparse(each) for each in (written.left, written.right)] if written is not None else []
    return sides if max(map(len, sides), default=0) <= _LONGEST else []
