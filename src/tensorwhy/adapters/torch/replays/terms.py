"""What a loss is the sum of, as `backward` is called: terms with a graph, and terms that are constants to the gradient.

The other terms give each parameter a gradient, so that no gradient is None or zero: a lost term only shows in how
training ends. A term with a graph is flat where its gradient is zero for every parameter, whatever their values are. It
is differentiated for itself, as it is and with other values of the parameters: a penalty that is not due is no finding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from tensorwhy.adapters.torch.operations.kinds import CASTS
from tensorwhy.adapters.torch.operations.traits import trait_of
from tensorwhy.adapters.torch.recording.calls import GRAD, Call, Slice, references
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.replays.replay import Step, executed, flat

_MOST = 8
_MANY = 500
"""A sum of more terms is not looked at: nobody wrote them one by one."""
_LEFT_OUT = f"which terms of a loss have no gradient, of more than {_MANY}"
_LOOKS = (2, 3)
_CLOSELY = 16
"""So many calls at a place are looked at; then ever fewer."""
_ADDING = frozenset(
    {"add", "sub", "subtract", "__radd__", "__rsub__", "rsub", "add_", "sub_", "__iadd__", "__isub__", "stack", "cat"}
)
_PLUS = frozenset({"add", "__radd__", "add_", "__iadd__"})
SCALING = frozenset({"mul", "div", "multiply", "divide", "__rmul__", "true_divide"})
SUMMING = _ADDING | SCALING | CASTS | {"sum", "mean", "neg", "squeeze", "reshape", "view"}
"""Through these, the sum that a loss is can be followed: all else makes something new of its terms."""
_SMOOTH = frozenset({"saturate", "normalize", "steep", "stationary", "divide"})
"""What has a curvature: where nothing of this is in a network, its second derivative is zero."""


class Term(NamedTuple):
    """One term by its number, 0 for a number of Python's, and what adds it; None where it is the whole loss."""

    tensor: int
    added: Call | None


class Sum(msgspec.Struct):
    """The terms of a loss, as a call of `backward` at a place was looked at last: those with a graph, and constants.

    `often` counts for each constant, by where it is added and its turn there, in how many of `looks` calls it was one.
    `event` is the row of the call, and `since` that of the one before it.
    """

    rooted: tuple[Term, ...] = ()
    constant: tuple[Term, ...] = ()
    targets: tuple[int, ...] = ()
    event: int = 0
    since: int = 0
    looks: int = 0
    often: dict[tuple[int, str], int] = {}


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


class Terms:
    """Looks at the recorded calls of `backward`: `sums` and `flat` by their places."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.sums: dict[int, Sum] = {}
        self._calls: dict[int, tuple[int, int]] = {}
        """By place: how many calls there were, and the row of the last one."""
        self.averaged: dict[int, tuple[Call, Call, int]] = {}
        """By place: a product of a mean of samples and a constant for each of them, and where it was asked about."""
        self.flat: dict[int, dict[tuple[int, str], FlatTerm]] = {}
        """With the place and name of the operation that made a term."""

    def look(self, targets: tuple[int, ...], place: int) -> tuple[int, ...]:
        """`backward` was called at a place: return the terms with a graph."""
        count, before = self._calls.get(place, (0, 0))
        now = self._recorder.journal.position
        self._calls[place] = count + 1, now
        if count >= _CLOSELY and count & (count - 1):
            return ()
        known = self.sums.setdefault(place, Sum(often={}))
        known.rooted, known.constant = self._split(targets)
        known.targets, known.looks = targets, known.looks + 1
        known.since, known.event = before, now
        for term in known.rooted:
            self._weigh(term.tensor, place)
        for key in {key_of(each) for each in known.constant}:
            known.often[key] = known.often.get(key, 0) + 1
        return tuple(each.tensor for each in known.rooted)

    def _split(self, targets: tuple[int, ...]) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        requires, calls = self._recorder.serials.requires, self._recorder.calls
        rooted, constant = list[Term](), list[Term]()
        stack, seen = [Term(each, None) for each in targets], set(targets)
        while stack:
            term = stack.pop()
            known = calls.maker(term.tensor)
            call = known[1] if known is not None else None
            given = [*references((call.args, call.kwargs))] if call is not None else []
            if call is None or not self._is_sum(call, [each for each in given if requires(each)]):
                rooted.append(term)
                continue
            if call.name in _PLUS and any(type(each) in (int, float) for each in call.args or ()):
                constant.append(Term(0, call))
            if len(given) > _MANY or len(seen) > _MANY:
                self._recorder.unseen[_LEFT_OUT] = None
                return (), ()
            for each in given:
                if each not in seen:
                    seen.add(each)
                    if requires(each):
                        stack.append(Term(each, call))
                    elif call.name in _ADDING:
                        constant.append(Term(each, call))
        return tuple(rooted), tuple(constant)

    def _is_sum(self, call: Call, rooted: list[int]) -> bool:
        """Whether each of some operands has the same gradient from the result as it would have from the loss itself."""
        if call.name not in SUMMING or not rooted:
            return False
        if call.name in SCALING:
            return len(rooted) == 1 and (call.name != "div" or next(references(call.args)) == rooted[0])
        made = self._recorder.calls.maker(rooted[0])
        return call.name not in ("sum", "mean") or (made is not None and made[1].name in ("stack", "cat"))

    def _weigh(self, term: int, place: int) -> None:
        """Note a mean of samples that is multiplied with a constant for each of them: only the sum of those counts."""
        requires, shapes, maker = self._recorder.serials.requires, self._recorder.calls.shapes, self._maker
        summed = maker(term, ("sum", "mean"))
        times = maker(next(references(summed.args), 0), ("mul", "__rmul__", "multiply")) if summed is not None else None
        sides = [*references(times.args)] if times is not None else []
        if times is None or len(sides) != 2 or requires(sides[0]) == requires(sides[1]):
            return
        rooted, constant = sides if requires(sides[0]) else sides[::-1]
        mean = maker(rooted, ("sum", "mean"))
        samples = next(references(mean.args), 0) if mean is not None and rooted in self._recorder.scalars else 0
        shape = tuple(shapes.get(constant, ()))
        if mean is not None and len(shape) == 1 and shape[0] > 1 and tuple(shapes.get(samples, ())) == shape:
            self.averaged.setdefault(times.place, (times, mean, place))

    def _maker(self, tensor: int, names: tuple[str, ...]) -> Call | None:
        """The call of one of some functions that made a tensor, or what it is the negative of."""
        known = self._recorder.calls.maker(self._recorder.calls.past(tensor, ("neg", "negative")))
        return known[1] if known is not None and known[1].name in names else None

    # -- terms whose gradient is zero ----------------------------------------------------------------------------

    def differentiate(self, place: int, count: int, targets: tuple[Any, ...], grads: tuple[Any, ...]) -> None:
        """`backward` is about to run, at a place for the `count`th time."""
        before = self.flat.get(place, {})
        if count not in _LOOKS or len(targets) != 1 or targets[0].dim() or (count > _LOOKS[0] and not before):
            return
        terms = [each.tensor for each in self.sums[place].rooted] if place in self.sums else []
        sliced = self._recorder.calls.slice(targets, grads) if 1 < len(terms) <= _MOST else None
        if sliced is None:
            return
        makers = {number: call for call in sliced.calls for number in call.outputs}
        terms = [each for each in terms if each in makers]
        event = self._recorder.journal.position
        try:
            parameters = [each for each in sliced.leaves if each in self._recorder.parameters] or sliced.leaves
            found = {term: used for term, used in flat(sliced, terms, parameters).items() if used}
        except Exception:  # a step that cannot be executed again says nothing
            return
        now: dict[tuple[int, str], FlatTerm] = {}
        for term, leaves in found.items():
            made = makers[term]
            key = made.place, made.name
            if count > _LOOKS[0] and key not in before:
                continue
            now[key] = FlatTerm(term, leaves, made, event, times=count - 1)
            if count > _LOOKS[0]:
                self._explain(now[key], sliced)
        self.flat[place] = now

    def _explain(self, flat_term: FlatTerm, sliced: Slice) -> None:
        """Look at what a term is computed by."""
        behind = self._recorder.calls.behind
        asked = [call for call in behind((flat_term.term,)) if call.name == GRAD]
        if not asked:
            try:
                term = sliced._replace(targets=(flat_term.term,), grads=())
                flat_term.step = executed(term, flat_term.leaves, ())
            except Exception:  # it cannot be executed again
                return
        else:
            inside = [each for call in asked for each in behind(references(call.args)) if each.keeps]
            inside = [each for each in inside if each.name != GRAD]
            traits = {trait_of(call.name) for call in inside}
            bends = [call for call in inside if trait_of(call.name) == "rectify"]
            plain = [call for call in bends if call.name.rstrip("_") in ("relu", "leaky_relu", "prelu", "rrelu")]
            if bends and len(plain) == len(bends) and not traits & _SMOOTH:
                flat_term.straight = min(plain, key=lambda call: call.outputs)


def key_of(term: Term) -> tuple[int, str]:
    """Where a term is added, and whether it is a number."""
    return (term.added.place if term.added is not None else -1), ("" if term.tensor else "number")
