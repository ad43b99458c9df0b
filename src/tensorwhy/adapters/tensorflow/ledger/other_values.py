"""Is a gradient that is zero in every step zero at other values of the variable, too?

An offset that cancels, or rows that no sample uses, have no gradient whatever their values are, and rightly stay as
they are. A limit that no value reaches has one as soon as it is moved: that one never learns for where it starts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tensorwhy.adapters.tensorflow.replays.undo import Undo
from tensorwhy.adapters.tensorflow.variables.updates import Ask

_FACTORS = (0.5, 0.2, 0.1, 0.02, -1.0, 0.0)
_SHIFTS = (0.1, -0.1, 1.0, -1.0, 10.0, -10.0)


def comes_back(session: Any, ask: Ask, handle: int) -> str:
    """In words, the first other value at which the variable has a gradient in a replay of the step; empty if none."""
    experiments = session.experiments()
    for zero in session.tapes.zeros.questions if experiments is not None else ():
        question = zero.question
        step = session.recorder.kept.captures.get(question.event)
        source = next((each for each in question.sources if each.tensor == handle), None)
        if question.place != ask.place or source is None or step is None or experiments.over():
            continue
        try:
            replay = experiments.replay(step, question, source)
            for words, value in _others(np.asarray(replay.value, np.float64)):
                gradient = replay.differentiate(Undo(watch=True), at=value.astype(replay.value.dtype)).gradient
                if gradient is not None and np.any(np.nan_to_num(np.asarray(gradient, np.float64))):
                    return words
        except Exception:  # a step that cannot be executed again says nothing
            continue
    return ""


def _others(value: np.ndarray[Any, Any]) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Other values, the nearest first, with how they are told."""
    one = value.size == 1
    changes = [(f"its value times {factor:g}", value * factor) for factor in _FACTORS if value.any()]
    changes += [(f"its value {'+' if shift > 0 else '-'} {abs(shift):g}", value + shift) for shift in _SHIFTS]
    for words, other in changes:
        yield (f"{other.item():.3g} instead of {value.item():.3g}" if one else words), other
