"""Terms of a loss that have a graph, and whose gradient is zero for every parameter, whatever their values are.

The other terms train all parameters, so that no gradient is zero in all. Each term is differentiated for itself, once
as it is and once with other values of the parameters: a penalty that is not due, or a hinge, is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.torch.calls import Call, Slice, references
from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.adapters.torch.replay import Step, executed, flat
from tensorwhy.adapters.torch.traits import trait_of

_MOST = 8
_LOOKS = (2, 3)
_SUMS = frozenset(
    ("add", "sub", "__radd__", "rsub", "__rsub__", "neg", "sum", "mean", "stack", "mul", "div", "__rmul__")
)
_SMOOTH = frozenset({"saturate", "normalize", "steep", "stationary", "divide"})
"""What has a curvature: where nothing of this is in a network, its second derivative is zero."""


class FlatTerm(msgspec.Struct):
    """A term by its number, and the leaves. It was found flat in so many steps.

    `step` is such a step, executed with this term as its target. A term that is computed from a gradient has none:
    then `straight` is the first call of its network that has no second derivative.
    """

    term: int
    leaves: tuple[int, ...]
    made: Call
    event: int
    step: Step | None = None
    straight: Call | None = None
    times: int = 1


class FlatTerms:
    """Looks at two steps of each call of `backward`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.found: dict[int, dict[tuple[int, str], FlatTerm]] = {}
        """By the place of a call of `backward`, and the place and name of the operation that made a term."""

    def look(self, place: int, count: int, targets: tuple[Any, ...], grads: tuple[Any, ...]) -> None:
        """`backward` is about to run, at a place for the `count`th time."""
        before = self.found.get(place, {})
        if count not in _LOOKS or len(targets) != 1 or targets[0].dim() or (count > _LOOKS[0] and not before):
            return
        sliced = self._recorder.calls.slice(targets, grads, second=True)
        terms = list(_terms(sliced)) if sliced is not None else []
        if sliced is None or not 1 < len(terms) <= _MOST:
            return
        event = self._recorder.journal.position
        try:
            parameters = [each for each in sliced.leaves if each in self._recorder.parameters] or sliced.leaves
            found = {term: used for term, used in flat(sliced, terms, parameters).items() if used}
        except Exception:  # a step that cannot be executed again says nothing
            return
        makers = {number: call for call in sliced.calls for number in call.outputs}
        now: dict[tuple[int, str], FlatTerm] = {}
        for term, leaves in found.items():
            made = makers[term]
            key = made.place, made.name
            if count > _LOOKS[0] and key not in before:
                continue
            now[key] = FlatTerm(term, leaves, made, event, times=count - 1)
            if count > _LOOKS[0]:
                self._explain(now[key], sliced, makers)
        self.found[place] = now

    def _explain(self, flat_term: FlatTerm, sliced: Slice, makers: dict[int, Call]) -> None:
        """Look at what a term is computed by."""
        mine = _behind(flat_term.term, makers)
        if not any(call.name == "autograd.grad" for call in mine):
            try:
                term = sliced._replace(targets=(flat_term.term,), grads=())
                flat_term.step = executed(term, flat_term.leaves, ())
            except Exception:  # it cannot be executed again
                return
        else:
            traits = {trait_of(call.name) for call in _inside(mine, makers)}
            bends = [call for call in _inside(mine, makers) if trait_of(call.name) == "rectify"]
            plain = [call for call in bends if call.name.rstrip("_") in ("relu", "leaky_relu", "prelu", "rrelu")]
            if bends and len(plain) == len(bends) and not traits & _SMOOTH:
                flat_term.straight = min(plain, key=lambda call: call.outputs)


def _terms(sliced: Slice) -> Iterator[int]:
    """The terms of a sum that have a graph."""
    makers = {number: call for call in sliced.calls for number in call.outputs}
    stack, seen = list(sliced.targets), set[int]()
    while stack:
        tensor = stack.pop()
        call = makers.get(tensor)
        if call is None or tensor in seen:
            continue
        seen.add(tensor)
        given = [each for each in references((call.args, call.kwargs)) if each in makers and makers[each].keeps]
        scaled = call.name in ("mul", "div", "__rmul__") and len(given) > 1
        whole = call.name not in ("sum", "mean") or (given and makers[given[0]].name == "stack")
        if call.name in _SUMS and given and whole and not scaled:
            stack += given
        else:
            yield tensor


def _behind(term: int, makers: dict[int, Call]) -> list[Call]:
    """The calls that a term is computed by."""
    found: dict[int, Call] = {}
    stack = [term]
    while stack:
        call = makers.get(stack.pop())
        if call is not None and id(call) not in found:
            found[id(call)] = call
            stack += references((call.args, call.kwargs))
    return list(found.values())


def _inside(calls: list[Call], makers: dict[int, Call]) -> list[Call]:
    """The calls behind what was differentiated."""
    asked = [call for call in calls if call.name == "autograd.grad"]
    found = {id(each): each for call in asked for number in references(call.args) for each in _behind(number, makers)}
    return [call for call in found.values() if call.name != "autograd.grad"]
