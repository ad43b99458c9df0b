"""Tells which sources of a question were meant to get a gradient, and never got one in the whole run.

Many programs filter a None out, or put zeros in its place. Whether that hides a defect depends on the rest of the run:
a variable that another step trains, or that is assigned, is left alone on purpose.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from tensorwhy.adapters.tensorflow.questions.tapes import Tapes
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.model.question import GradientQuestion, Source


def marked(tapes: Tapes, question: GradientQuestion) -> GradientQuestion:
    """Mark the sources of a question that were left out (`Source.left_out`).

    One step is no training: that a variable got nothing in it says little.
    """
    asks = [ask for ask in tapes.updates.asks if ask.place == question.place]
    training = any(ask.optimizer for ask in asks) or any(
        _is_trained(tapes, handle) for ask in asks for handle in ask.handles if handle >= 0
    )
    steps: Counter[int] = Counter()
    for ask in asks:
        steps.update(dict.fromkeys(ask.handles, max(tapes.updates.calls.get(ask.owner, 0), 1)))
    sources = tuple(
        msgspec.structs.replace(source, left_out=_left_out(tapes, source, asks, training, steps[source.tensor]))
        for source in question.sources
    )
    return msgspec.structs.replace(question, sources=sources)


def _left_out(tapes: Tapes, source: Source, asks: list[Ask], training: bool, steps: int) -> bool:
    if not source.variable:
        answers = [ask.gradients[source.position] for ask in asks if source.position < len(ask.gradients)]
        return bool(answers) and max(answers) < 0
    return training and steps > 1 and bool(source.trainable) and not _is_trained(tapes, source.tensor)


def _is_trained(tapes: Tapes, handle: int) -> bool:
    """Return whether a variable got a gradient from any question, or another value by any means."""
    answered = tapes.norms.taken.get(handle, {}).values()
    if handle in tapes.norms.unseen or handle in tapes.applied.handles:
        return True
    if any(norm is not None for site in answered for _, norm in site):
        return True
    watched = tapes.updates.watched.get(handle)
    return watched is not None and watched.changed_since_first_call()
