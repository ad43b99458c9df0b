"""Where does the gradient die? A walk backward from the target over a step that was executed, with its numbers.

Each use of a value by an operation is an edge. It flows, or it is zero, not finite, or absent. A break is an operation
that a flowing gradient comes into from the target's side, and that hands a zero or something not finite on toward a
source. The walk needs no table of operations: the numbers say where it is. What a trait adds is why.

Zero includes what rounding leaves: a gradient counts as zero where it is at rounding level beside the terms that it is
the sum of. A softmax over one element has the gradient `(g - g * y) * y`, which is 0 only if `y` is exactly 1, and some
kernels give 0.99999994. So the size of a gradient is compared with that of its terms, and never with a fixed number.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from tensorwhy.lineage.bottlenecks import Bottlenecks
from tensorwhy.model.facts.signal import Numbers, Trait

State = Literal["flows", "zero", "non-finite", "absent"]
_EPSILON = {"float64": 2.3e-16, "float32": 1.2e-7, "float16": 9.8e-4, "bfloat16": 7.9e-3}
_DEPTH = 60
_UNITS = 16
"""So many units in the last place of its terms may be left of a sum that cancels."""
MANY_UNITS = 1000
"""What is more than that is no rounding, however many elements were summed."""
_SUMMING: frozenset[Trait] = frozenset({"normalize"})
"""Their gradient is a sum of terms as large as what comes in."""
_ADDING: frozenset[Trait] = frozenset({"add", "move", "reduce", "cast", "read"})
"""What makes a sum of terms of what it is given."""
_ENDING: frozenset[Trait] = frozenset({"stop", "round", "compare", "callback", "cast"})
"""What may have no gradient; the others on a way without one are only behind or before such an operation."""
_SPREADING: frozenset[Trait] = frozenset({"add", "move"})
"""An input that is smaller than the output was repeated: its gradient is the sum of those of the copies."""


class Node(NamedTuple):
    """One operation of a step. Inputs and outputs are keys of values; `limits` the range that it lets through.

    `together`: so many elements are normalized together; 0 where it is the last axis.
    """

    op: str
    trait: Trait
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    limits: tuple[float | None, float | None] = (None, None)
    together: int = 0


class Computation(Protocol):
    """A step that was executed again, forward and backward: a recorded slice, or a copy of a traced graph."""

    nodes: Sequence[Node]
    targets: Sequence[int]

    def value(self, key: int) -> Numbers | None:
        """Return the numbers of a value; None where it has none."""

    def arriving(self, key: int) -> Numbers | None:
        """Return the gradient of the targets with respect to a value; None where there is none."""

    def passed(self, node: int, position: int) -> Numbers | None:
        """Return what one operation alone hands on to one of its inputs; None where that is nothing."""


class Break(NamedTuple):
    """An operation, by its number, the input that gets nothing from it, and the sources that are cut off there.

    `cancelled`: the ways that meet at this input each carry a gradient, and add up to nothing. `joined` is then the
    operation at which these ways come together again, on the side of the target; -1 where there is none.
    """

    node: int
    position: int
    state: Literal["zero", "non-finite"]
    sources: frozenset[int]
    cancelled: bool = False
    joined: int = -1


class Walk:
    """The walk over one computation. `sources` are keys of values; a variable is one that several nodes read.

    `units`: so many units in the last place of its terms may be left of a sum that cancels.
    """

    def __init__(self, computation: Computation, sources: Iterable[int], units: int = _UNITS) -> None:
        self._computation = computation
        self._units = units
        # Sets of sources are numbers, with a bit for each: a deep model has thousands of sources behind each value.
        self._sources = {source: 1 << at for at, source in enumerate(dict.fromkeys(sources))}
        nodes = computation.nodes
        self._uses: dict[int, list[tuple[int, int]]] = {}
        for at, node in enumerate(nodes):
            for position, key in enumerate(node.inputs):
                self._uses.setdefault(key, []).append((at, position))
        self.maker = {key: at for at, node in enumerate(nodes) for key in node.outputs}
        self._behind = dict(self._sources)
        for node in nodes:
            found = self._behind_any(node.inputs)
            for key in node.outputs:
                self._behind[key] = self._behind.get(key, 0) | found
        self._arriving: dict[int, State] = {}
        self._passed: dict[tuple[int, int], State] = {}
        self._flow()

    def state(self, source: int) -> State:
        """Return what a source gets in all."""
        return self._arriving.get(source, "absent")

    def breaks(self) -> list[Break]:
        """Return the breaks for the sources that get zero, or something that is not finite."""
        states = {source: self.state(source) for source in self._sources}
        zero = frozenset(source for source, state in states.items() if state == "zero")
        broken = frozenset(source for source, state in states.items() if state == "non-finite")
        cancelled = self._cancelled(zero)
        # Where a gradient comes along several ways, that yet another way is closed is not what is missing.
        closed = self._closed(zero.difference(*(each.sources for each in cancelled)))
        return [*self._born(broken), *self._alone(closed), *cancelled]

    def constant(self, unchanged: Collection[int]) -> list[Break]:
        """Return the operations whose results stay the same, whatever they are given, if the targets do for it."""
        computation, found = self._computation, list[Break]()
        wanted = set(computation.targets)
        if not wanted <= set(unchanged):
            return []
        for at in range(len(computation.nodes) - 1, -1, -1):
            node = computation.nodes[at]
            if wanted.isdisjoint(node.outputs):
                continue
            for position, key in enumerate(node.inputs):
                behind = self._behind.get(key, 0)
                if behind and key in unchanged:
                    wanted.add(key)
                elif behind:
                    found.append(Break(at, position, "zero", self._members(behind)))
        return found

    def _behind_any(self, keys: Iterable[int]) -> int:
        """Return the sources that some of these values were computed from."""
        return functools.reduce(operator.or_, (self._behind.get(key, 0) for key in keys), 0)

    def _members(self, behind: int) -> frozenset[int]:
        return frozenset(source for source, bit in self._sources.items() if behind & bit)

    def _bits(self, sources: Iterable[int]) -> int:
        return functools.reduce(operator.or_, (self._sources[source] for source in sources), 0)

    # -- states, from the targets on -----------------------------------------------------------------------------

    def _flow(self) -> None:
        nodes = self._computation.nodes
        for at in range(len(nodes) - 1, -1, -1):
            node = nodes[at]
            coming = self._best(self._value_state(key) for key in node.outputs)
            for position, key in enumerate(node.inputs):
                if self._behind.get(key):
                    self._passed[at, position] = self._edge(at, position, coming)
        for source in self._sources:
            self._value_state(source)

    def _value_state(self, key: int) -> State:
        """Return the state of a value, whose uses have all been seen: they come later in the step."""
        if key not in self._arriving:
            self._arriving[key] = self._sum_state(key)
        return self._arriving[key]

    def _sum_state(self, key: int) -> State:
        if key in self._computation.targets:
            return "flows"
        uses = {use: self._passed.get(use, "absent") for use in self._uses.get(key, ())}
        whole = self._computation.arriving(key)
        if whole is None:
            return "absent" if not any(state != "absent" for state in uses.values()) else self._best(uses.values())
        if not whole.finite:
            return "non-finite"
        if "flows" not in uses.values() and any(state == "zero" for state in uses.values()):
            return "zero"
        terms = [self._computation.passed(*use) for use, state in uses.items() if state == "flows"]
        size = max((term.largest for term in terms if term is not None), default=0.0)
        rounded = len(terms) > 1 and whole.largest <= self._units * _epsilon(whole) * size
        return "zero" if whole.all_zero or rounded else "flows"

    def _edge(self, at: int, position: int, coming: State) -> State:
        passed = self._computation.passed(at, position)
        if passed is None:
            return "absent"
        if not passed.finite:
            return "non-finite"
        if passed.all_zero or coming == "zero":
            return "zero"
        node = self._computation.nodes[at]
        terms = [self._computation.arriving(key) for key in node.outputs]
        size = max((term.largest for term in terms if term is not None and term.finite), default=0.0)
        spread = max((term.size for term in terms if term is not None), default=0) / max(passed.size, 1)
        summing = node.trait in _SUMMING or (node.trait in _SPREADING and spread > 1)
        slack = self._units * _epsilon(passed) * size * math.sqrt(max(spread, 1.0)) * self._gain(node)
        return "zero" if summing and passed.largest <= slack else "flows"

    def _gain(self, node: Node) -> float:
        """Return how much smaller the terms of a normalization are because of the scale of what it was given."""
        given = self._computation.value(node.inputs[0]) if node.trait in _SUMMING else None
        made = self._computation.value(node.outputs[0]) if node.outputs else None
        if given is None or made is None or not made.low < 0.0 < made.high or not given.largest:
            return 1.0
        return min(1.0, made.largest / given.largest)

    @staticmethod
    def _best(states: Iterable[State]) -> State:
        found = set(states)
        return next((each for each in _RANKS if each in found), "absent")

    # -- breaks --------------------------------------------------------------------------------------------------

    def _closed(self, zero: frozenset[int]) -> list[Break]:
        """The operations that a flowing gradient comes into, and that hand zeros on toward these sources.

        Where the gradient of a source ends in a mere move, other elements got all of it: what takes those of this
        source has no gradient at all, if the target depends on them.
        """
        found, wanted, nodes = [], self._bits(zero), self._computation.nodes
        for at, node in enumerate(nodes):
            if not self._flows_into(node):
                continue
            for position, key in enumerate(node.inputs):
                behind = self._behind.get(key, 0) & wanted
                if behind and self._passed.get((at, position)) == "zero":
                    found.append(Break(at, position, "zero", self._members(behind)))
        known = (self._bits(each.sources) for each in found if nodes[each.node].trait != "move")
        left = wanted & ~functools.reduce(operator.or_, known, 0)
        return [*found, *self._ending(left)] if left else found

    def _flows_into(self, node: Node) -> bool:
        return self._best(self._arriving.get(key, "absent") for key in node.outputs) == "flows"

    def _ending(self, wanted: int) -> list[Break]:
        """The first operations on ways from these sources that have no gradient, where such a way leads to a target."""
        nodes, found = self._computation.nodes, list[Break]()
        without, after = set[int](), set[int]()
        for at in range(len(nodes) - 1, -1, -1):
            if self._flows_into(nodes[at]) or not without.isdisjoint(nodes[at].outputs):
                uses = enumerate(nodes[at].inputs)
                without |= {key for use, key in uses if self._passed.get((at, use), "absent") == "absent"}
        for at, node in enumerate(nodes):
            own = [
                use
                for use, key in enumerate(node.inputs)
                if key in without - after and self._behind.get(key, 0) & wanted
            ]
            ends = own and node.trait in _ENDING and not self._is_kept(node)
            if ends:
                found.append(Break(at, own[0], "zero", self._members(self._behind[node.inputs[own[0]]] & wanted)))
            if ends or (not own and not after.isdisjoint(node.inputs)):
                after.update(node.outputs)
        return found

    def _is_kept(self, node: Node) -> bool:
        """Return whether a cast goes to another floating-point dtype, which keeps the gradient."""
        made = self._computation.value(node.outputs[0]) if node.trait == "cast" and node.outputs else None
        return made is not None and made.digits in _EPSILON

    def _alone(self, breaks: list[Break]) -> list[Break]:
        """Return the breaks without those that another one makes needless, for each source.

        Where one operation stands on every way from a source, it alone is enough: that a branch beside it lets nothing
        through either is no news. What only moves elements, as a concatenation does, hands on what comes: where some of
        it is zero, because a branch that took those elements is closed, that branch is the answer.
        """
        nodes = self._computation.nodes
        mine: dict[int, dict[tuple[int, int], int]] = {}
        for at, each in enumerate(breaks):
            for source in each.sources:
                mine.setdefault(source, {})[each.node, each.position] = at
        for source, own in mine.items():
            mine[source] = {use: at for use, at in own.items() if nodes[use[0]].trait != "move"} or own
        narrow = self._narrow() if any(len(own) > 1 for own in mine.values()) else None
        kept: dict[int, set[int]] = {}
        for source, own in mine.items():
            ways = narrow.of(source) if narrow is not None else ()
            enough = next((own[use] for use in ways if use in own), None)
            for at in own.values() if enough is None else (enough,):
                kept.setdefault(at, set()).add(source)
        return [breaks[at]._replace(sources=frozenset(sources)) for at, sources in sorted(kept.items())]

    def _narrow(self) -> Bottlenecks:
        """Return what finds the uses that are on every way from a source."""
        passing = {
            key: [use for use in uses if self._passed.get(use, "absent") != "absent"]
            for key, uses in self._uses.items()
        }
        return Bottlenecks([node.outputs for node in self._computation.nodes], passing, self._computation.targets)

    def _cancelled(self, zero: frozenset[int]) -> list[Break]:
        """The values whose uses each hand back a gradient, and whose sum is nothing: the one nearest to the target."""
        found: list[Break] = []
        left = self._bits(zero)
        for at in range(len(self._computation.nodes) - 1, -1, -1):
            for position, key in enumerate(self._computation.nodes[at].inputs):
                behind = self._behind.get(key, 0) & left
                flowing = [use for use in self._uses[key] if self._passed.get(use) == "flows"]
                if behind and len(flowing) > 1 and self._arriving.get(key) == "zero" and (at, position) == flowing[-1]:
                    joined = self._joined(flowing)
                    cut, use = self._members(behind), self._last_use(at, position)
                    found.append(Break(*use, "zero", cut, cancelled=True, joined=joined))
                    left &= ~behind
        return found

    def _joined(self, uses: Sequence[tuple[int, int]]) -> int:
        """Return the first operation that the ways from all of these uses lead to, -1 where there is none."""
        ways: dict[int, frozenset[int]] = {}
        for at, node in enumerate(self._computation.nodes):
            here = frozenset(number for number, (user, _) in enumerate(uses) if user == at)
            for position, key in enumerate(node.inputs):
                if self._passed.get((at, position)) == "flows":
                    here |= ways.get(key, frozenset())
            if len(here) == len(uses):
                return at
            for key in node.outputs if here else ():
                ways[key] = ways.get(key, frozenset()) | here
        return -1

    def is_bad(self, at: int, key: int) -> bool:
        """Return whether an operation was given something that is not finite, and that is to blame for its result.

        An infinity that a mask puts where nothing counts is as it should be: a result of NaN is made from it here.
        """
        given = self._computation.value(key)
        if given is None or given.finite:
            return False
        made = [self._computation.value(each) for each in self._computation.nodes[at].outputs]
        undefined = any(each is not None and each.nans for each in made)
        return bool(given.nans) or not undefined or self.mask_of(key) is None

    def mask_of(self, key: int) -> int | None:
        """Return the operation that put the infinities of a constant into a value; None where they are computed.

        It is -1 where the value itself is that constant.
        """
        mask = -1
        for _ in range(_DEPTH):
            at = self.maker.get(key)
            if at is None or not self._computation.nodes[at].inputs:
                return None if self._behind.get(key) else mask
            mask = at
            inputs = self._computation.nodes[at].inputs
            infinite = [each for each in inputs if (given := self._computation.value(each)) and given.infinite]
            if not infinite:
                return None
            key = next((each for each in infinite if not self._behind.get(each)), infinite[0])
        return None

    def is_given(self, key: int) -> bool:
        """Return whether a value came into the step from outside."""
        at = self.maker.get(key)
        return at is None or not self._computation.nodes[at].inputs

    def comes_from_sources(self, key: int) -> bool:
        """Return whether a value was computed from a source, or is one."""
        return bool(self._behind.get(key))

    def hands_on(self, node: int) -> bool:
        """Return whether a gradient flows through an operation, to whichever of its inputs."""
        inputs = self._computation.nodes[node].inputs
        passed = [self._computation.passed(node, position) for position in range(len(inputs))]
        return any(each is not None and each.finite and not each.all_zero for each in passed)

    def is_met(self, found: Break) -> bool:
        """Return whether a term of the target is at its floor, or a reward at its ceiling: nothing is left to want."""
        node, value = self._computation.nodes[found.node], self._computation.value
        key = node.outputs[0] if node.outputs else 0
        given, made, coming = value(node.inputs[found.position]), value(key), self._computation.arriving(key)
        if given is None or made is None or coming is None or not self._is_term(key):
            return False
        return (coming.low >= 0 and given.high <= made.low) or (coming.high <= 0 and given.low >= made.high)

    def _is_term(self, key: int) -> bool:
        """Return whether a value is only added to others, each time with a constant weight, up to the target."""
        left, seen = [key], {key}
        while left:
            key = left.pop()
            uses = [use for use in self._uses.get(key, ()) if self._passed.get(use) == "flows"]
            if not uses and key not in self._computation.targets:
                return False
            for at, position in uses:
                node = self._computation.nodes[at]
                others = [each for other, each in enumerate(node.inputs) if other != position]
                weighted = node.trait in ("multiply", "divide") and not any(self._behind.get(each) for each in others)
                if node.trait not in _ADDING and not weighted:
                    return False
                left.extend(each for each in node.outputs if each not in seen)
                seen.update(node.outputs)
        return True

    def is_offset(self, found: Break) -> bool:
        """Return whether what cancels is a variable as it is, with nothing computed from it on the way.

        It cancels in several uses, or in the one operation that adds it to each of many elements.
        """
        if self.source_of(self._computation.nodes[found.node].inputs[found.position]) is None:
            return False
        return found.cancelled or (found.state == "zero" and self._computation.nodes[found.node].trait == "add")

    def source_of(self, key: int) -> int | None:
        """Return the source that a value is, with nothing computed from it on the way; None where it is none."""
        while key not in self._sources:
            at = self.maker.get(key)
            if (
                at is None
                or not self._computation.nodes[at].inputs
                or self._computation.nodes[at].trait not in ("read", "move", "cast")
            ):
                return None
            key = self._computation.nodes[at].inputs[0]
        return key

    def _last_use(self, at: int, position: int) -> tuple[int, int]:
        """Return what computes with a value; of one that is only read, what computes with that."""
        node = self._computation.nodes[at]
        if node.trait != "read" or not node.outputs:
            return at, position
        flowing = [use for use in self._uses.get(node.outputs[0], ()) if self._passed.get(use) == "flows"]
        return flowing[-1] if flowing else (at, position)

    def _born(self, broken: frozenset[int]) -> list[Break]:
        """The operations at which something that is not finite begins: in the values, else in the gradients."""
        if not broken:
            return []
        nodes, value = self._computation.nodes, self._computation.value
        bad_targets = any(not (numbers := value(key)) or not numbers.finite for key in self._computation.targets)
        found = self.origins(self._computation.targets, broken) if bad_targets else []
        if found:
            return found
        early, wanted = set[int](), self._bits(broken)
        for at, node in enumerate(nodes):
            coming = [self._computation.arriving(key) for key in node.outputs]
            if any(each is not None and not each.finite for each in coming) or not any(coming):
                continue
            for position, key in enumerate(node.inputs):
                behind = self._behind.get(key, 0) & wanted
                if behind and self._passed.get((at, position)) == "non-finite":
                    bad = (each for each in node.inputs if self.is_bad(at, each))
                    # What a mask put in did no harm to the values: it is this operation that makes NaN of it.
                    early.update(each for each in bad if (mask := self.mask_of(each)) is None or mask < 0)
                    found.append(Break(at, position, "non-finite", self._members(behind)))
        return (self.origins(early, broken) if early else []) or found

    def origins(self, keys: Iterable[int], broken: frozenset[int]) -> list[Break]:
        """Return the operations at which something that is not finite begins in the values, on the way to some.

        Only what goes on to these counts: an infinity that is masked before does no harm.
        """
        nodes, wanted, found = self._computation.nodes, set(keys), list[Break]()
        for at in range(len(nodes) - 1, -1, -1):
            node = nodes[at]
            if not wanted.intersection(node.outputs):
                continue
            bad = [p for p, key in enumerate(node.inputs) if self.is_bad(at, key)]
            wanted.update(node.inputs[p] for p in bad)
            given = [p for p in bad if self.is_given(node.inputs[p])]
            if node.inputs and (given or not bad):
                position = next((p for p, key in enumerate(node.inputs) if self._behind.get(key)), 0)
                behind = self._members(self._behind_any(node.inputs)) & broken
                found.append(Break(at, given[0] if given else position, "non-finite", behind or broken))
        return found


_RANKS: tuple[State, ...] = ("flows", "non-finite", "zero", "absent")


def _epsilon(numbers: Numbers) -> float:
    return _EPSILON.get(numbers.digits, 0.0)
