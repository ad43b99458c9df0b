"""What the numbers at a break of the signal say: why nothing goes on, and where a factor of zero was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tensorwhy.lineage.signal import Break, Computation, Node, Walk
from tensorwhy.model.facts.signal import SMALLEST, Numbers, Why

_DEPTH = 60
_MET = 1e-3
_ROUNDING = 1e-5
"""What is left of a sum of float32 numbers that cancel, relative to the largest of them."""
_CERTAIN, _NEVER, _IMPOSSIBLE = 0.999, 1e-7, -16.0
_THROUGH = frozenset(
    {"move", "read", "reduce", "add", "multiply", "cast", "stop", "divide", "rectify", "saturate", "round", "limit",
     "stationary", "align", ""}
)  # fmt: skip
"""What gives zeros because it was given zeros: there the search for their maker goes on."""


class Reading(NamedTuple):
    """Why a break is one. `zeros` is the number of the operation that made the factor of zero, -1 where it has none.

    Where the result is no number, it is the operation that put infinities in for what is masked; where an infinite
    input is the reason, the one that overflowed; where a number vanished, the sum that added it.

    `held` is the key of the source that holds these zeros, and `first` that of the value that they are first seen in.
    """

    why: Why
    zeros: int = -1
    held: int | None = None
    first: int | None = None


def read(computation: Computation, walk: Walk, found: Break) -> Reading:
    """Return what the numbers at a break say."""
    node = computation.nodes[found.node]
    given = [computation.value(key) for key in node.inputs]
    made = computation.value(node.outputs[0]) if node.outputs else None
    if found.state == "non-finite":
        vanished = _vanished(computation, walk, node)
        if vanished >= 0:
            return Reading("vanished", vanished)
        masks = [walk.mask_of(key) for key, each in zip(node.inputs, given) if each is not None and each.infinite]
        mask = next((at for at in masks if at is not None), -1)
        coming = computation.arriving(node.outputs[0]) if node.outputs else None
        if mask >= 0 and made is not None and not made.nans and coming is not None and coming.finite and coming.zeros:
            return Reading("masked-infinity", mask)
        return Reading(_not_finite(computation, walk, found, given, made), mask)
    if found.cancelled:
        itself = found.joined >= 0 and is_of_itself(computation, walk, found.joined)
        return Reading("itself" if itself else "cancelled")
    overflow = _overflow(computation, walk, node)
    if overflow >= 0:
        return Reading("infinite", overflow)
    return _zero(computation, walk, node, found.position, given, made)


def _vanished(computation: Computation, walk: Walk, node: Node) -> int:
    """Return the sum that should keep an input away from zero, and adds a number that its dtype rounds to zero."""
    for key in node.inputs:
        given, at = computation.value(key), walk.maker.get(key, -1)
        if given is None or not given.zeros or given.digits not in SMALLEST or at < 0:
            continue
        terms = computation.nodes[at].inputs if computation.nodes[at].trait == "add" else ()
        for term in terms:
            added = computation.value(term)
            if added is not None and added.all_zero and not added.shape and walk.is_given(term):
                return at
    return -1


def _overflow(computation: Computation, walk: Walk, node: Node) -> int:
    """Return the operation that computed infinity for an input of one that hides it: `x / inf` has a slope of 0.

    It is -1 where no input is infinite throughout, or a mask put the infinity in.
    """
    for key in node.inputs:
        given = computation.value(key)
        if given is not None and 0 < given.infinite == given.size and walk.mask_of(key) is None:
            begun = walk.origins((key,), frozenset())
            return begun[0].node if begun else -1
    return -1


def _not_finite(
    computation: Computation, walk: Walk, found: Break, given: list[Numbers | None], made: Numbers | None
) -> Why:
    node, position = computation.nodes[found.node], found.position
    if any(walk.is_bad(found.node, key) for key in node.inputs):
        return "given"
    targets = [computation.value(key) for key in computation.targets]
    if made is not None and not made.finite and any(each is not None and not each.finite for each in targets):
        return "undefined" if made.nans else "overflow"
    if made is not None and not made.finite:
        coming = computation.arriving(node.outputs[0])
        if coming is not None and coming.zeros and coming.finite and position < len(node.inputs):
            return "masked-infinity"
        return "undefined" if made.nans else "overflow"
    coming = computation.arriving(node.outputs[0])
    return "masked-infinity" if coming is not None and coming.all_zero else "infinite-slope"


def _zero(
    computation: Computation,
    walk: Walk,
    node: Node,
    position: int,
    given: list[Numbers | None],
    made: Numbers | None,
) -> Reading:
    mine = given[position] if position < len(given) else None
    if node.trait == "normalize":
        if mine is not None and mine.shape and (node.together or mine.shape[-1]) == 1:
            return Reading("one-element")
        if mine is not None and made is not None and made.size < mine.size:  # a loss: either it is met, or unknown
            return Reading("at-rest" if made.finite and made.largest < _MET else "unknown")
        return Reading("saturated" if made is not None and _is_certain(made) else "balanced")
    if node.trait == "saturate":
        return Reading("saturated")
    if node.trait == "rectify" or (node.trait == "limit" and _is_floor(node, position)):
        held = started_at_zero(computation, walk, node.inputs[position]) if mine is not None and mine.all_zero else None
        return Reading("rectified") if held is None else Reading("initial", held=held)
    if node.trait == "limit":
        return Reading("inside" if position else "outside")
    if node.trait in ("round", "compare", "cast"):
        return Reading("flat")
    if node.trait == "slope":
        return Reading("straight")
    if node.trait == "select":
        first = node.inputs[0] if node.inputs else -1
        return Reading("selected-away", walk.maker.get(first, -1), first=first)
    if node.trait == "multiply" and len(node.inputs) == 2 and node.inputs[0] == node.inputs[1]:
        return Reading("at-rest")  # a square
    if node.trait in ("multiply", "divide"):
        for other, numbers in enumerate(given):
            if other != position and numbers is not None and numbers.all_zero:
                at, key = maker_of_zeros(computation, walk, node.inputs[other])
                held = walk.source_of(key) if at < 0 else None
                return Reading("other-zero", at, first=key) if held is None else Reading("initial", held=held)
    if node.trait in ("stationary", "steep") and any(each is not None and each.all_zero for each in (mine, made)):
        return Reading("at-rest")
    return Reading("unknown")


def _is_floor(node: Node, position: int) -> bool:
    """Return whether a limit is a rectifier by another name."""
    return position == 0 and node.limits == (0.0, None)


def started_at_zero(computation: Computation, walk: Walk, key: int) -> int | None:
    """Return the source that holds the zeros of a value and gets only zeros itself; None where others made them too.

    Of several it is the one with the most axes: a kernel is a likelier culprit than a bias.
    """
    found, seen, stack = dict[int, int](), set[int](), [key]
    while stack:
        key = stack.pop()
        source, at = walk.source_of(key), walk.maker.get(key, -1)
        if source is not None:
            if walk.state(source) != "zero":
                return None
            numbers = computation.value(key)
            found[source] = len(numbers.shape) if numbers is not None else 0
            continue
        node = computation.nodes[at] if at >= 0 else None
        if node is None or node.trait not in _THROUGH or not node.inputs:
            return None  # data that are zero
        zero = [each for each in node.inputs if (n := computation.value(each)) is not None and n.all_zero]
        held = [each for each in zero if walk.comes_from_sources(each)]
        stack += [each for each in (held[:1] if node.trait == "multiply" and held else zero) if each not in seen]
        seen.update(zero)
    return max(found, key=found.__getitem__, default=None)


def of_one_element(computation: Computation, walk: Walk, found: Break) -> tuple[Break, Reading] | None:
    """Return the normalization over one element that a break gets its values from, on the only way from the sources.

    A clip stops what a softmax over one element gives because that is always 1: to open the clip would change nothing.
    That the result is one number shows that it is so; a batch of one feature is normalized to several.
    """
    key = computation.nodes[found.node].inputs[found.position]
    for _ in range(_DEPTH):
        at = walk.maker.get(key, -1)
        inputs = computation.nodes[at].inputs if at >= 0 else ()
        ways = [position for position, each in enumerate(inputs) if walk.comes_from_sources(each)]
        if len(ways) != 1:
            return None
        behind = found._replace(node=at, position=ways[0])
        made = computation.value(computation.nodes[at].outputs[0])
        if made is not None and made.low == made.high:
            reading = read(computation, walk, behind)
            if reading.why == "one-element":
                return behind, reading
        key = inputs[ways[0]]
    return None


def is_of_itself(computation: Computation, walk: Walk, at: int) -> bool:
    """Return whether an operation compares two equal values: their difference is zero, or their quotient is one."""
    node = computation.nodes[at]
    if node.trait != "divide" and any(_is_reduced(computation, walk, key, node.inputs) for key in node.inputs):
        return False  # a value and its mean over one element
    made = computation.value(node.outputs[0]) if node.outputs else None
    given = [computation.value(key) for key in node.inputs]
    if made is None or len(given) != 2 or any(each is None or each.all_zero for each in given):
        return False
    if any(walk.is_given(key) and not walk.comes_from_sources(key) for key in node.inputs):
        return False  # a value that has reached a number
    return (
        made.all_zero if node.trait in ("add", "stationary") else node.trait == "divide" and made.low == made.high == 1
    )


def _is_reduced(computation: Computation, walk: Walk, key: int, of: Sequence[int]) -> bool:
    at = walk.maker.get(key, -1)
    for _ in range(_DEPTH):
        if at < 0 or computation.nodes[at].trait not in ("move", "cast", "stop"):
            break
        at = walk.maker.get(computation.nodes[at].inputs[0], -1) if computation.nodes[at].inputs else -1
    return at >= 0 and computation.nodes[at].trait == "reduce" and not {*of}.isdisjoint(computation.nodes[at].inputs)


def compared(computation: Computation, walk: Walk, found: Break) -> int:
    """Return the operation that compares a value with itself, where an operation is flat at what it gives; else -1."""
    if is_of_itself(computation, walk, found.node):
        return found.node
    node = computation.nodes[found.node]
    zero = [key for key in node.inputs if (n := computation.value(key)) is not None and n.all_zero]
    at, _ = maker_of_zeros(computation, walk, zero[0]) if zero else (walk.maker.get(node.inputs[found.position], -1), 0)
    for _ in range(_DEPTH):
        if at < 0 or is_of_itself(computation, walk, at) or computation.nodes[at].trait not in ("move", "cast"):
            break
        at = walk.maker.get(computation.nodes[at].inputs[0], -1) if computation.nodes[at].inputs else -1
    return at if at >= 0 and is_of_itself(computation, walk, at) else -1


def is_share_of_one(computation: Computation, walk: Walk, at: int) -> bool:
    """Return whether an operation divides a value by its own sum over an axis of size 1."""
    first, *others = computation.nodes[at].inputs
    given, maker = computation.value(first), walk.maker.get(others[0], -1) if others else -1
    return (
        given is not None
        and given.shape[-1:] == (1,)
        and maker >= 0
        and computation.nodes[maker].trait == "reduce"
        and first in computation.nodes[maker].inputs
    )


def summed(computation: Computation, walk: Walk, at: int) -> int:
    """Return the first sum that the result of a normalization goes into, on a way to the target; -1 where none does."""
    reached = set(computation.nodes[at].outputs)
    for later in range(at + 1, len(computation.nodes)):
        node = computation.nodes[later]
        if reached.isdisjoint(node.inputs) or not any(computation.arriving(key) for key in node.outputs):
            continue
        if node.trait == "reduce":
            return later
        reached.update(node.outputs)
    return -1


def nulled(computation: Computation, at: int) -> int:
    """Return the first sum on a way from an operation that leaves only rounding of its input; -1 where none does.

    The sum of values from which their own mean was taken is such a one, whatever the values are.
    """
    reached = set(computation.nodes[at].outputs)
    for later in range(at + 1, len(computation.nodes)):
        node = computation.nodes[later]
        given = [computation.value(key) for key in node.inputs if key in reached]
        if not given:
            continue
        made = computation.value(node.outputs[0]) if node.outputs else None
        size = max((each.largest for each in given if each is not None and each.finite), default=0.0)
        if node.trait == "reduce" and made is not None and made.finite and made.largest < _ROUNDING * size:
            return later
        reached.update(node.outputs)
    return -1


def _is_certain(made: Numbers) -> bool:
    """Return whether probabilities, or their logarithms, have come to the ends of their range."""
    least = bool(made.zeros) or 0.0 <= made.low < _NEVER
    return (least and made.high > _CERTAIN) or made.low < _IMPOSSIBLE


def maker_of_zeros(computation: Computation, walk: Walk, key: int) -> tuple[int, int]:
    """Return the first operation that gave zeros without being given any, and the value that they are first seen in.

    It is -1 where they came from outside.
    """
    for _ in range(_DEPTH):
        at = walk.maker.get(key, -1)
        if at < 0:
            return -1, key
        node = computation.nodes[at]
        if node.trait == "read" and node.inputs:
            return -1, node.inputs[0]
        if node.trait not in _THROUGH:
            return at, key
        zero = [each for each in node.inputs if (numbers := computation.value(each)) is not None and numbers.all_zero]
        if not zero:
            return at, key
        key = zero[0]
    return -1, key
