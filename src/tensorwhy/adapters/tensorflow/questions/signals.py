"""Questions whose answer or target is zero or not finite, each with the step that it was asked about.

Also a question that is asked once, a saliency map, and about tensors that are no variables. Until a call site has
answered once, the step is kept anyway; after that it takes two zeros in a row to have the next one kept. A good answer
later takes the question back.

The first NaN of a training is looked for in each of many steps, in one gradient, since a step later all weights are
NaN. Where it comes, the weights are what they were before it: these values are held, and the next steps are kept to be
executed again with them: some batch gives NaN then, if not that of the next step alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import values_of
from tensorwhy.adapters.tensorflow.variables.answers import Gradients
from tensorwhy.adapters.tensorflow.variables.arrays import array_of, is_zero
from tensorwhy.adapters.tensorflow.variables.trails import is_finite
from tensorwhy.adapters.turns import MOST, turn
from tensorwhy.model.question import GradientQuestion

KIND = "signal"
"""By this and its place the keeper knows a call site."""
_FIRST, _CLOSELY = 6, 64
_IN_A_ROW, _TRIES = 2, 3
_EARLY = 256
"""In so many calls of a site one gradient is looked at, for the first that is not finite."""
_MORE = 5
"""So many steps more are kept after a NaN, besides the first one."""
TARGET = -1
_NORMALISING = ("Softmax", "LogSoftmax")
_SMALL = 1e-6
"""Terms of a size of 1 leave about this when they cancel in float32, over some tens of elements."""


class Signal(msgspec.Struct, kw_only=True):
    """One call site. `bad`: by position of a source, whether its answers were zero ("z") or not finite ("n"); by
    `TARGET`, that the target was not finite ("t"), although no answer was. In so many `looks` it was `lost`.

    `held`: values from before the first NaN are held, and `more` are the questions of further steps."""

    count: int = 0
    looks: int = 0
    lost: int = 0
    tries: int = 0
    bad: dict[int, str] = {}
    row: int = 0
    wanted: bool = False
    question: GradientQuestion | None = None
    held: bool = False
    more: list[GradientQuestion] = []
    optimizer: bool = False

    @property
    def is_lost(self) -> bool:
        """Return whether the target was not finite when it was looked at last, although the gradients were."""
        return TARGET in self.bad


class Signals:
    """`sites` are the call sites by place; those with a question have a step in `recorder.kept.captures`."""

    def __init__(self, recorder: Recorder, wake: Callable[[], object]) -> None:
        self.sites: dict[int, Signal] = {}
        self._recorder, self._kept = recorder, recorder.kept
        self._wake = wake

    def seen(
        self,
        place: int,
        gradients: Gradients,
        whole: bool,
        targets: Sequence[Any],
        ask: Callable[[list[int]], GradientQuestion],
        keep: Callable[[list[int], int], None],
        hold: Callable[[], None],
    ) -> None:
        """A gradient of targets was computed at a call site. `ask` and `keep` make the question and keep the step, and
        `hold` the values that variables have by now."""
        site = self.sites.get(place)
        if site is None:
            site = self.sites[place] = Signal()
        site.count += 1
        number, share = turn(site.count, len(gradients))
        early = site.count <= _EARLY and not site.bad and self._kept.enabled
        if not _due(site, number) and not (early and _breaks(gradients)):
            return
        whole_look = len(share) == len(gradients)
        looked = {*share} if whole_look or not site.wanted else {*sorted(site.bad.keys() - {TARGET})[:MOST]}
        given = {at: array for at in sorted(looked) if (array := gradients.array(at)) is not None and array.size}
        now = {at: state for at, array in given.items() if (state := _state(array))}
        small = [at for at, array in given.items() if at not in now and is_small(array)]
        alone = whole_look and len(now) + len(small) == sum(each is not None for each in gradients.given)
        if alone or any(map(self._recorder.journal.knows, _NORMALISING)):
            now |= dict.fromkeys(small, "z")  # beside others that are large, it is often an offset
        site.looks += 1
        if "n" not in now.values() and not all(map(_is_number, targets)):
            site.lost += 1
            now[TARGET] = "t"
        looked.add(TARGET)
        unseen = {at: state for at, state in site.bad.items() if at not in looked}
        site.row = site.row + 1 if now else site.row if unseen else 0
        if site.question is not None:
            left = {at: state for at, state in site.bad.items() if at in unseen or now.get(at) == state}
            if left == site.bad:
                self._further(site, list(now), whole, ask, keep)
                return
            for number, each in enumerate((site.question, *site.more)):
                self._kept.release(each.event, (KIND, place, number))
            site.question, site.more, site.held = None, [], False
            # What is bad in a later step alone, that step shows.
        site.bad = unseen | now
        kept = self._kept
        first = "n" in now.values() and not site.question
        if now and kept.on and whole:
            keep(list(now), 0)
            site.question = ask(list(now))
            if site.held:
                self._wake()
                return
        elif now and kept.enabled and not site.wanted and (first or site.row >= _IN_A_ROW) and site.tries < _TRIES:
            if first and not site.tries:
                site.held = True
                hold()
            site.wanted, site.tries = True, site.tries + 1
            self._wake()
            kept.want(True)
            return
        if site.wanted:
            site.wanted = False
            kept.want(False)

    def _further(
        self,
        site: Signal,
        positions: list[int],
        whole: bool,
        ask: Callable[[list[int]], GradientQuestion],
        keep: Callable[[list[int], int], None],
    ) -> None:
        """Keep one step more, in case that the one before is finite with the values that are held."""
        if site.wanted and whole and self._kept.on:
            keep(positions, len(site.more) + 1)
            site.more.append(ask(positions))
        if site.wanted and len(site.more) < _MORE:
            self._wake()
        elif site.wanted:
            site.wanted = False
            self._kept.want(False)


def _due(site: Signal, n: int) -> bool:
    close = bool(site.bad) and n <= _CLOSELY
    return n <= _FIRST or close or site.wanted or not n & (n - 1) or (n > 2 and not (n - 1) & (n - 2))


def _breaks(gradients: Gradients) -> bool:
    """Return whether the first gradient that there is has something that is not finite."""
    at = next((at for at, each in enumerate(gradients.given) if each is not None), None)
    array = gradients.array(at) if at is not None and _is_at_hand(values_of(gradients.given[at])) else None
    return array is not None and not is_finite(array)


def _is_at_hand(value: Any) -> bool:
    """Return whether the values of a tensor need not come from another device first."""
    return hasattr(value, "_datatype_enum") and "CPU" in value.device


def is_small(array: Any) -> bool:
    """Return whether all elements are so small that they may be rounding; most show in the first that they are not."""
    if array.dtype.kind != "f" or not array.size or not abs(array.item(0)) < _SMALL:
        return False
    return bool((np.abs(array) < _SMALL).all())


def _is_number(target: Any) -> bool:
    """Return whether a target is finite, or has no numbers yet."""
    array = array_of(target)
    return array is None or is_finite(array)


def _state(array: Any) -> str:
    """What a gradient is: "z" for zeros alone, "n" with something that is not finite; empty for any other."""
    return "z" if is_zero(array) else "" if is_finite(array) else "n"
