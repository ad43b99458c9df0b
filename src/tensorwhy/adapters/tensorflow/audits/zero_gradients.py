"""Gradients that were exactly zero for whole variables, in several steps, with the operations that let nothing through.

In eager code the zeros were seen. Of a step inside a traced function only its variables can be seen: those that kept
their value for several steps, while an optimizer was given a gradient for them, got zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.drawing import drawer
from tensorwhy.adapters.tensorflow.experiments import findings as signals
from tensorwhy.adapters.tensorflow.experiments import opened
from tensorwhy.adapters.tensorflow.ledger import ended as ended_links
from tensorwhy.adapters.tensorflow.ledger import filled
from tensorwhy.adapters.tensorflow.ledger.rows import Rows
from tensorwhy.adapters.tensorflow.questions import constant_terms
from tensorwhy.lineage.signal_facts import group
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.training import NotMoved
from tensorwhy.model.report import Symptom
from tensorwhy.source.files import Sources


def audit(session: Any) -> Iterator[CaseGroup]:
    """One group for each question that is still unanswered at the end: the gradients never became anything but zero.

    What stood still, and no operation is found that let nothing through, is a fact of its own.
    """
    tapes = session.tapes
    tapes.updates.last_look()
    tapes.endings.over(tapes.updates.owners)
    understood: set[int] = set()
    died = []
    for ended, broken in signals.endings(session):
        trained = {handle for ask in tapes.updates.asks if ask.place == ended.place for handle in ask.handles}
        grown = ended_links.growth(session, trained)
        if not broken:
            continue
        if all(fact.state == "zero" for fact in broken):
            died.append((ended, broken, trained))
        elif grown is None or grown < ended_links.GROWN:
            yield group(ended, broken)
            understood.update(trained, (source.tensor for source in ended.sources))
    yield from _too_small(session, understood)
    for each in signals.groups(session, understood):
        drawn = next((fact.question for fact in each.facts if isinstance(fact, SignalBreak)), None)
        yield msgspec.structs.replace(each, lineage=drawer(session, drawn, Sources())) if drawn is not None else each
    for ended, broken, trained in died:
        dead = {source.tensor for source in ended.sources}
        always = all(fact.why in signals.STRUCTURAL for fact in broken)
        if dead - understood and (always or _matrices(trained, session) <= dead):
            yield group(ended, broken)
            understood.update(dead)
    yield from filled.groups(session, understood)
    yield from constant_terms.groups(session)
    if not understood and all(each.trail.lost < 0 for each in tapes.updates.watched.values()):
        for fact in ended_links.lost_loss():
            yield CaseGroup(symptom=Symptom(kind="silent", location=fact.asked), facts=(fact,))
        for target in signals.lost_targets(session):
            yield CaseGroup(symptom=Symptom(kind="silent", location=target.location), facts=(target,))


def _matrices(handles: Iterable[int], session: Any) -> set[int]:
    """Those of two axes and more: where all of them have died, the network has, not one satisfied term."""
    variables = session.tapes.variables
    return {handle for handle in handles if handle in variables and len(variables[handle].shape or ()) > 1}


def _too_small(session: Any, understood: set[int]) -> Iterator[CaseGroup]:
    """Gradients that float16 has no numbers for, where an optimizer was given them."""
    tapes, experiments = session.tapes, session.experiments()
    left = signals.unanswered(session, understood) if experiments is not None else ()
    for question, moving, _, _, step in left:
        small = opened.underflowed(experiments, question, question.sources, step)
        ask = next((ask for ask in tapes.updates.asks if ask.place == question.place), None)
        handles = [handle for handle in small if handle in tapes.applied.handles and handle in tapes.variables]
        understood.update(small)
        if ask is not None and handles:
            rows = Rows(session)
            cause = rows.cause(NotMoved, "never-changed", ask, others=len(moving), underflow=max(small.values()))
            rows.broken("gradient", handles, cause)
            yield from filled.told(rows.rows())
