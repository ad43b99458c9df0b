"""What loss functions are given: logarithms of probabilities where they want these, and scores where they do."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator

import msgspec
import torch

from tensorwhy.adapters.torch.operations.kinds import CASTS
from tensorwhy.adapters.torch.recording.calls import Call, Ref, references
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_LOOKS = 3
_MOST = 200
_TINY = 1e-3
_LOGARITHMS = frozenset({"kl_div", "nll_loss"})
"""They take logarithms of probabilities, which are never above 0."""
_SCORES = {"cross_entropy": "softmax", "binary_cross_entropy_with_logits": "sigmoid"}
"""They apply this function themselves."""
_KEEPING = CASTS | {
    "view", "reshape", "permute", "transpose", "squeeze", "unsqueeze", "flatten", "contiguous", "clone", "t", "T",
    "__getitem__", "unbind", "split", "chunk",
}  # fmt: skip


class Misfit(msgspec.Struct):
    """A loss function by its name and place, and how often its input did not fit.

    `made` is where a function gave it probabilities, -1 where none did. `low` and `high` are the ends of the input's
    range. `applied` is what the loss function applies for a second time.
    """

    name: str
    place: int
    made: int
    asked: int
    low: float
    high: float
    applied: str
    times: int = 0


class LossInputs:
    """Looks at the first losses of each call of `backward`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._looks: dict[int, int] = {}
        self.found: dict[int, Misfit] = {}
        self.seen: dict[int, int] = {}
        """By the place of a loss function: how often it was looked at."""

    def look(self, targets: tuple[int, ...], place: int) -> None:
        """`backward` was called at a place."""
        looks = self._looks[place] = self._looks.get(place, 0) + 1
        if looks > _LOOKS:
            return
        for call in itertools.islice(self._recorder.calls.behind(targets, _is_loss), _MOST):
            if _is_loss(call):
                self.seen[call.place] = self.seen.get(call.place, 0) + 1
                self._check(call, next(references(call.args)), place)

    def _check(self, call: Call, given: int, asked: int) -> None:
        known = self._recorder.calls.maker(self._recorder.calls.past(given, _KEEPING))
        made = known[1] if known is not None else None
        applied = _SCORES.get(call.name, "")
        low, high = 0.0, 0.0
        if applied:
            if made is None or made.name != applied:
                return
        else:
            tensor = self._recorder.calls.living(given)
            if made is not None and made.name in _SCORES.values():
                high = 1.0
            elif tensor is not None and tensor.numel() and tensor.is_floating_point():
                with torch.no_grad():
                    low, high = float(tensor.min()), float(tensor.max())
            if not high > _TINY:
                return
        place = made.place if made is not None and made.name in _SCORES.values() else -1
        misfit = self.found.setdefault(call.place, Misfit(call.name, call.place, place, asked, low, high, applied))
        misfit.times += 1
        misfit.low, misfit.high = min(low, misfit.low), max(high, misfit.high)


def _is_loss(call: Call) -> bool:
    known = call.name in _LOGARITHMS or call.name in _SCORES
    return known and call.args is not None and isinstance(next(iter(call.args), None), Ref)


def facts(inputs: LossInputs, recorder: Recorder, sources: Sources) -> Iterator[Observed]:
    """One fact for each loss function that never got what it takes."""
    always: Iterable[Misfit] = (each for each in inputs.found.values() if each.times == inputs.seen[each.place] > 1)
    for each in always:
        at = recorder.journal.location
        where, made = at(each.place), at(each.made)
        call = call_at(sources, where)
        text = ast.unparse(call.args[0]) if call is not None and call.args else "its input"
        text = f"`{text}`" if len(text) <= 40 and text != "its input" else "its input"
        if each.applied:
            why = f"{text} comes from `{each.applied}`, and `{each.name}` applies `{each.applied}` to it again"
            harm = "the loss stays far from 0, and gradients are small" if each.applied == "softmax" else (
                "no probability gets near 0, and gradients are small"
            )  # fmt: skip
            fix = f"give it the scores, before `{each.applied}`"
        elif each.low >= 0.0 and each.high <= 1.0 + _TINY:
            why = f"`{each.name}` takes logarithms of probabilities, and {text} has probabilities"
            harm = f"values between {each.low:.3g} and {each.high:.3g}; a logarithm of a probability is at most 0"
            fix = "use `log_softmax` instead of `softmax`, or take the logarithm"
        else:
            why = f"`{each.name}` takes logarithms of probabilities, and {text} has other numbers"
            harm = f"values up to {each.high:.3g}; a logarithm of a probability is at most 0"
            fix = "use `log_softmax` before it" + (", or `cross_entropy` instead" if each.name == "nll_loss" else "")
        lines = {"loss": where if made is not None else None, "asked": at(each.asked)}
        label = "probabilities are computed here" if made is not None else "the loss function takes something else"
        yield say("loss-misfit", made or where, lines, why=why, harm=harm, label=label, fix=fix)
