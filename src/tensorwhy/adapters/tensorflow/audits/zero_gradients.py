"""Gradients that were exactly zero for whole variables, in several steps, with the operations that let nothing through.

In eager code the zeros were seen. Of a step inside a traced function only its variables can be seen: those that kept
their value for several steps, while an optimizer was given a gradient for them, got zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.adapters.tensorflow.computation import findings as signals
from tensorwhy.adapters.tensorflow.gradients.op_kinds import DIVIDING
from tensorwhy.adapters.tensorflow.hooks.kept import Capture
from tensorwhy.adapters.tensorflow.ledger import ended as ended_links
from tensorwhy.adapters.tensorflow.ledger import filled
from tensorwhy.adapters.tensorflow.ledger.rows import Rows
from tensorwhy.adapters.tensorflow.questions import constant_terms
from tensorwhy.adapters.tensorflow.replays.graph_steps import Looked
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.adapters.tensorflow.variables.value_snapshots import CROSS_ENTROPIES
from tensorwhy.lineage.signal_facts import group
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import NotMoved
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.question import Source, ValueSnapshot, ZeroQuestion
from tensorwhy.model.report import Symptom
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.replays.zeros import ZeroExperiments

_Asked = tuple[ZeroQuestion, ValueSnapshot, Capture | Looked | str | None]
"""A question, what was seen of its step, and the step as it was kept for experiments."""
_STORES = ("AssignVariableOp", "AssignSubVariableOp", "AssignAddVariableOp")
_STEPS = 3
"""So many steps a variable must have kept its value."""


def audit(session: Any) -> Iterator[CaseGroup]:
    """One group for each question that is still unanswered at the end: the gradients never became anything but zero.

    What stood still, and no operation is found that let nothing through, is a fact of its own.
    """
    tapes = session.tapes
    tapes.updates.last_look()
    tapes.endings.over(tapes.updates.owners)
    understood: set[int] = set()
    told: set[tuple[str, int]] = set()
    died, over = [], set()
    for ended, broken in signals.endings(session):
        trained = {handle for ask in tapes.updates.asks if ask.place == ended.place for handle in ask.handles}
        grown = ended_links.growth(session, trained)
        if not broken:
            continue
        over.add(ended.place)
        if all(fact.state == "zero" for fact in broken):
            died.append((ended, broken, trained))
        elif grown is None or grown < ended_links.GROWN:
            yield group(ended, broken)
            understood.update(trained, (source.tensor for source in ended.sources))
    steps = session.recorder.kept.captures
    asked = [(question, snapshot, steps.get(question.event)) for question, snapshot in tapes.zeros.questions]
    asked = [each for each in asked if each[0].sources]
    asked += list(_traced(session))
    asked = [each for each in asked if not _is_broken(each[0], session)]
    if asked:
        from tensorwhy.adapters.tensorflow.drawing import drawer
        from tensorwhy.adapters.tensorflow.replays.zeros import ZeroExperiments
        from tensorwhy.diagnosis.zero import as_it_should_be
        from tensorwhy.lineage.zero import ZeroExplainer

        sources, experiments = Sources(), session.experiments()
        tried = ZeroExperiments(experiments) if experiments is not None else None
        for question, snapshot, step in asked:
            found = tuple(ZeroExplainer(session.lineage(), question, snapshot).facts())
            left = _left(question, found)
            cancelled = tried.cancelled(question, left, step) if tried is not None else set()
            if cancelled:
                snapshot.cancelled.update(cancelled)
                understood.update(source.tensor for source in left)  # or as it should be: an offset of what is compared
                found = tuple(ZeroExplainer(session.lineage(), question, snapshot).facts())
            facts = tuple(_placed(fact, session) for fact in found)
            if tried is not None and not all(map(as_it_should_be, facts)):
                facts, behind = tried.checked(question, facts, step, snapshot)
                understood.update(source.tensor for source in behind)
                facts += tuple(_behind(behind, facts, (question, snapshot, step), tried, session))
            understood.update(source.tensor for fact in facts for source in fact.sources)
            told.update((fact.location.file, fact.location.line) for fact in facts if fact.location is not None)
            small = tried.underflowed(question, _left(question, found), step) if tried is not None else {}
            if small:
                understood.update(small)
                yield from _too_small(small, question, session)
            facts = signals.with_makers(session, question, facts)
            symptom = Symptom(kind="zero-gradient", message="the gradient is zero", location=question.location)
            yield CaseGroup(symptom=symptom, facts=facts, lineage=drawer(session, question, sources))
    for ended, broken, trained in died:
        dead = {source.tensor for source in ended.sources}
        if dead - understood and _matrices(trained, session) <= dead:
            yield group(ended, broken)
            understood.update(dead)
    yield from signals.groups(session, understood, told, over)
    yield from filled.groups(session, understood)
    yield from constant_terms.groups(session)
    if not understood and all(each.trail.lost < 0 for each in tapes.updates.watched.values()):
        for fact in ended_links.lost_loss():
            yield CaseGroup(symptom=Symptom(kind="silent", location=fact.asked), facts=(fact,))


def _matrices(handles: Iterable[int], session: Any) -> set[int]:
    """Those of two axes and more: where all of them have died, the network has, not one satisfied term."""
    variables = session.tapes.variables
    return {handle for handle in handles if handle in variables and len(variables[handle].shape or ()) > 1}


def _is_broken(question: ZeroQuestion, session: Any) -> bool:
    """Return whether variables of a question are NaN by now: what is zero beside that is no finding of its own."""
    watched = session.tapes.updates.watched
    handles = (*(source.tensor for source in question.sources), *question.moving)
    asks = [ask for ask in session.tapes.updates.asks if ask.place == question.place]
    every = {*handles, *(handle for ask in asks for handle in ask.handles)}
    return any(handle in watched and watched[handle].trail.lost >= 0 for handle in every)


def _behind(
    sources: list[Source], facts: tuple[ZeroGradient, ...], asked: _Asked, tried: ZeroExperiments, session: Any
) -> Iterator[ZeroGradient]:
    """What cancels on the way of sources that stay at zero with all that these facts blame opened."""
    from tensorwhy.adapters.tensorflow.replays.zeros import all_open
    from tensorwhy.lineage.zero import ZeroExplainer

    question, snapshot, step = asked
    cancelled = tried.cancelled(question, sources, step, all_open(step, facts, snapshot)) if sources else set()
    if cancelled:
        seen = msgspec.structs.replace(snapshot, cancelled=cancelled)
        for fact in ZeroExplainer(session.lineage(), question, seen).cancelling(sources):
            yield _placed(fact, session)


def _too_small(small: dict[int, int], question: ZeroQuestion, session: Any) -> Iterator[CaseGroup]:
    """Gradients that float16 has no numbers for, where an optimizer was given them."""
    tapes = session.tapes
    ask = next((ask for ask in tapes.updates.asks if ask.place == question.place), None)
    handles = [handle for handle in small if handle in tapes.applied.handles and handle in tapes.variables]
    if ask is not None and handles:
        rows = Rows(session)
        cause = rows.cause(NotMoved, "never-changed", ask, others=len(question.moving), underflow=max(small.values()))
        rows.broken("gradient", handles, cause)
        yield from filled.told(rows.rows())


def _left(question: ZeroQuestion, facts: tuple[ZeroGradient, ...]) -> list[Source]:
    """The sources of which no fact says why they got zeros."""
    told = {source.tensor for fact in facts for source in fact.sources}
    return [source for source in question.sources if source.tensor not in told]


def _traced(session: Any) -> Iterator[_Asked]:
    """Questions of traced functions, about the variables that stood still."""
    updates, applied = session.tapes.updates, session.tapes.applied
    last = {(ask.place, ask.owner): ask for ask in updates.asks if ask.owner}
    for ask in last.values():
        given = {handle for handle, key in zip(ask.handles, ask.gradients) if handle >= 0 and key >= 0}
        if applied.calls:
            given &= applied.handles
        stalled = session.tapes.stalled
        step = stalled.kept.get((ask.place, ask.owner))
        yield from _by_construction(ask, given, session)
        still = {}
        for handle in given - stalled.alive.get((ask.place, ask.owner), set()):
            span = updates.watched[handle].still_since(ask.owner)
            if span is not None and span[1] - span[0] >= _STEPS:
                still[handle] = span
        if not still:
            continue
        start = max(first for first, _ in still.values())
        moving = {h for h in given - set(still) if updates.watched[h].changed_after(ask.owner, start)}
        snapshot, copy = stalled.seen.get((ask.place, ask.owner), (ValueSnapshot(), ""))
        target_zero = set(ask.targets) <= snapshot.zero if copy else None
        snapshot.single.update(ask.single)
        snapshot.constant.update(ask.constant)
        for handle in given:
            snapshot.seen.add(handle)
            if handle in still and updates.watched[handle].zero:
                snapshot.zero.add(handle)
        question = msgspec.structs.replace(_question(ask, still, moving, session, copy), target_zero=target_zero)
        yield question, snapshot, step


def _by_construction(ask: Ask, given: set[int], session: Any) -> Iterator[_Asked]:
    """A question about all variables of a step, where something in it is constant, whatever the values are.

    What rounding leaves of such a gradient is not zero, and moves the variables at random.
    """
    moving = {h for h in given if session.tapes.updates.watched[h].ever_changed()}
    if (ask.single or ask.constant) and moving and session.tapes.updates.calls.get(ask.owner, 0) >= _STEPS:
        yield (
            _question(ask, dict.fromkeys(moving, (0, 0)), set(), session),
            ValueSnapshot(single=set(ask.single), constant=set(ask.constant)),
            None,
        )


def _question(
    ask: Ask,
    still: dict[int, tuple[int, int]],
    moving: set[int],
    session: Any,
    copy: Literal["", "given", "made-up"] = "",
) -> ZeroQuestion:
    known = session.tapes.variables
    sources = tuple(
        Source.of(known[handle], position) for position, handle in enumerate(ask.handles) if handle in still
    )
    return ZeroQuestion(
        event=ask.event,
        place=ask.place,
        recorder=ask.tape,
        targets=ask.targets,
        sources=sources,
        moving=tuple(moving),
        steps=min(last - first for first, last in still.values()),
        graph=True,
        copy=copy,
        location=session.journal.location(ask.place),
    )


def _placed(fact: ZeroGradient, session: Any) -> ZeroGradient:
    """With the line of the layer, where the user called a layer of Keras and not the operation; or of its loss."""
    if fact.kind == "cancelled" and fact.op in CROSS_ENTROPIES | DIVIDING and fact.location in fitting.losses:
        fact = msgspec.structs.replace(fact, location=fitting.losses[fact.location], layer=None)
    inside = fact.layer is not None and fact.kind in ("dead", "saturated", "flat", "cancelled")
    layer = session.tapes.layers.by_handle.get(fact.layer.tensor) if inside and fact.layer is not None else None
    if layer is not None and layer.native:
        fact = msgspec.structs.replace(fact, location=layer.made or fact.location, layer_name=layer.name)
    return msgspec.structs.replace(fact, trained=any(_is_trained(source, session) for source in fact.sources))


def _is_trained(source: Source, session: Any) -> bool:
    """Whether the program gave an optimizer a gradient for a variable, or stored a value into it after the first."""
    if source.tensor in session.tapes.applied.handles:
        return True
    journal = session.journal
    known, stores = {source.tensor}, 0  # a traced function has the variable by a name of its own
    for event in journal.events():
        if not event.inputs or event.inputs[0] not in known:
            continue
        name = journal.names[event.name]
        if event.kind == j.RECORDED and name == "captured_value":
            known.update(event.outputs)
        elif event.kind <= j.GRAPH_OP and name in _STORES:
            stores += 1
    return stores > 1
