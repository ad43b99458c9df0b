"""Checks breaks of the signal by replay: open what is blamed, and see whether there is a gradient again.

First only what goes back is changed, as in a straight-through estimator, so that all values stay what they were. What
is blamed may have made the values themselves zero, though, and others need them: then the values are changed, too, and
the evidence says so. A replay without any change has to give zero as the program did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.experiments.experiments import SOURCES, Experiments, Step, finite_differences
from tensorwhy.adapters.tensorflow.experiments.experiments import checked as checked_words
from tensorwhy.adapters.tensorflow.replays import widening
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.replay import Replay
from tensorwhy.adapters.tensorflow.replays.undo import Outcome, Undo
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Verification
from tensorwhy.source.files import Sources

_LEFT = 1e-4
"""What rounding leaves of a gradient that cancels, beside the one that comes back."""
_SCALES = (2**6, 2**10, 2**15)
"""What a target is multiplied with, the last one little less than the largest number of float16."""


def checked(
    experiments: Experiments, question: GradientQuestion, facts: Sequence[SignalBreak], step: Step | None
) -> tuple[SignalBreak, ...]:
    """The same facts, with what came of opening all that cuts off a source, where it has a gradient then."""
    found: dict[int, Verification] = {}
    for source in question.sources:
        mine = [at for at, fact in enumerate(facts) if any(each.tensor == source.tensor for each in fact.sources)]
        if step is None or not mine or all(at in found for at in mine) or experiments.over():
            continue
        if not all(facts[at].gates for at in mine):
            continue
        try:
            said = opened(experiments.replay(step, question, source), [facts[at] for at in mine])
        except Exception:  # a kernel may refuse what it never got before: then nothing is verified
            continue
        if said is not None:
            found.update(dict.fromkeys(mine, said))
    return tuple(msgspec.structs.replace(fact, experiment=found.get(at)) for at, fact in enumerate(facts))


def underflowed(
    experiments: Experiments, question: GradientQuestion, sources: Iterable[Source], step: Step | None
) -> dict[int, int]:
    """Those whose gradients are too small for float16, each with a factor of the target that brings them back.

    A power of two changes nothing else: what cancels or is closed stays at zero.
    """
    found: dict[int, int] = {}
    for source in [*sources][:SOURCES]:
        if step is None or experiments.over():
            break
        try:
            replay = experiments.replay(step, question, source)
            if replay.narrowest != "float16" or _is_back(replay.differentiate(Undo(watch=True)), 0.0):
                continue
            scales = (each for each in _SCALES if _is_back(replay.differentiate(Undo(watch=True, scale=each)), 0.0))
            scale = next(scales, 0)
        except Exception:  # a step that cannot be executed again says nothing
            continue
        if scale:
            found[source.tensor] = scale
    return found


def opened(replay: Replay, facts: Sequence[SignalBreak]) -> Verification | None:
    """Return what happens to the gradient when everything that these facts blame is undone; None where nothing does."""
    base = replay.differentiate(Undo(watch=True))
    if base.gradient is None or replay.made_up:
        return None
    left = _norm(base.gradient)
    gates = frozenset(gate for fact in facts for gate in fact.gates)
    for keep in (True, False):
        undo = Undo(watch=True, gates=gates, keep=keep)
        found = replay.differentiate(undo)
        if _is_back(found, left):
            return _confirmed(replay, found, undo, facts, _one_suffices(replay, facts, keep, left))
    return None


def _one_suffices(replay: Replay, facts: Sequence[SignalBreak], keep: bool, left: float) -> bool | None:
    """Return whether one of several facts is enough; None where there is only one."""
    each = [Undo(watch=True, gates=frozenset(fact.gates), keep=keep) for fact in facts]
    return any(_is_back(replay.differentiate(undo), left) for undo in each) if len(each) > 1 else None


def _is_back(found: Outcome, left: float) -> bool:
    if found.gradient is None or not np.all(np.isfinite(found.gradient)):
        return False
    norm = _norm(found.gradient)
    return norm > 0 and left <= _LEFT * norm


def _confirmed(
    replay: Replay, found: Outcome, undo: Undo, facts: Sequence[SignalBreak], one_suffices: bool | None
) -> Verification | None:
    backward = undo.keep and any(gate.way != "variable" for gate in undo.gates)
    added = any(gate.way == "used" for gate in undo.gates)
    words = f"{_opened(facts)}, the gradient would not be zero{replay.where}"
    if found.whole and not backward:
        slope = finite_differences(replay, found, undo)
        if slope.agrees is False:
            return None
        words += checked_words(slope)
    if one_suffices is not None:
        words += (
            "; one of these changes is enough"
            if one_suffices
            else "; with only one of these changes, it would still be zero"
        )
    if found.whole and backward and not added:
        words += _forward(replay, undo)
    return Verification(status="confirmed", method="replay", evidence=words)


def _forward(replay: Replay, undo: Undo) -> str:
    """Say that the gradient is the slope of the target when the values are changed too, where it is."""
    changed = undo._replace(keep=False)
    try:
        found = replay.differentiate(changed)
        compared = finite_differences(replay, found, changed) if _is_back(found, 0.0) else None
        if compared is not None and compared.agrees:
            return checked_words(compared)
    except (Impossible, *widening.REFUSALS):
        pass  # what takes these values takes no others: then there is only the gradient
    return ""


def _opened(facts: Sequence[SignalBreak]) -> str:
    """What is otherwise in a replay, as a condition."""
    return "if " + " and ".join(dict.fromkeys(_undone(gate, fact) for fact in facts for gate in fact.gates))


def _undone(gate: Gate, fact: SignalBreak) -> str:
    if gate.way == "through":
        written = as_written(fact.operation.name, fact.location, Sources()).partition(" (")[0]
        return f"{written} let the gradient through"
    if gate.way == "ones":
        return "the zeros were ones"
    if gate.way == "variable":
        name = fact.held.name.removesuffix(":0") if fact.held is not None else ""
        return f"`{name}` started with random numbers" if name else "the variable started with random numbers"
    if gate.way == "used":
        return "the loss used this output"
    return "one of the terms that cancel had other values"


def _norm(gradient: Any) -> float:
    return float(np.linalg.norm(np.asarray(gradient, np.float64)))
