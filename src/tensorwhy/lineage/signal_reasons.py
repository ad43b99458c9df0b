"""What the numbers at a break of the signal say: why nothing goes on, and where a factor of zero was made."""

from __future__ import annotations

from typing import NamedTuple

from tensorwhy.lineage.signal import Break, Computation, Node, Walk
from tensorwhy.model.facts.signal import SMALLEST, Numbers, Why

_DEPTH = 60
_MET = 1e-3
_CERTAIN, _NEVER, _IMPOSSIBLE = 0.999, 1e-7, -16.0
_THROUGH = frozenset(
    {"move", "read", "reduce", "add", "multiply", "cast", "stop", "divide", "rectify", "saturate", "round", "limit",
     "stationary", ""}
)  # fmt: skip
"""What gives zeros because it was given zeros: there the search for their maker goes on."""


class Reading(NamedTuple):
    """Why a break is one. `zeros` is the number of the operation that made the factor of zero, -1 where it has none.

    Where the result is no number, it is the operation that put infinities in for what is masked; where an infinite
    input is the reason, the one that overflowed; where a number vanished, the sum that added it.

    `held` is the key of the source that holds these zeros.
    """

    why: Why
    zeros: int = -1
    held: int | None = None


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
        return Reading(_not_finite(computation, walk, found, given, made), mask)
    if found.cancelled:
        return Reading("cancelled")
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
    if node.trait == "rectify":
        return Reading("rectified")
    if node.trait == "limit":
        return Reading("inside" if position else "outside")
    if node.trait in ("round", "compare", "cast"):
        return Reading("flat")
    if node.trait == "slope":
        return Reading("straight")
    if node.trait == "select":
        return Reading("selected-away", walk.maker.get(node.inputs[0], -1) if node.inputs else -1)
    if node.trait in ("multiply", "divide"):
        for other, numbers in enumerate(given):
            if other != position and numbers is not None and numbers.all_zero:
                at, key = maker_of_zeros(computation, walk, node.inputs[other])
                held = walk.source_of(key) if at < 0 else None
                return Reading("other-zero", at) if held is None else Reading("initial", held=held)
    if node.trait == "stationary" and any(each is not None and each.all_zero for each in (mine, made)):
        return Reading("at-rest")
    return Reading("unknown")


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
        if node.trait not in _THROUGH:
            return at, key
        zero = [each for each in node.inputs if (numbers := computation.value(each)) is not None and numbers.all_zero]
        if not zero:
            return at, key
        key = zero[0]
    return -1, key
