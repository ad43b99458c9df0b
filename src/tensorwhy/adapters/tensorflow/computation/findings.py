"""What the signal walk finds in the steps that were kept: for gradients that are zero or not finite."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.adapters.tensorflow.computation import inputs
from tensorwhy.adapters.tensorflow.computation.traits import WORDING
from tensorwhy.adapters.tensorflow.hooks.kept import Capture
from tensorwhy.adapters.tensorflow.variables import trails
from tensorwhy.adapters.tensorflow.variables.value_snapshots import array_of
from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.layers import variable_beside
from tensorwhy.lineage.signal import Node, Walk
from tensorwhy.lineage.signal_facts import facts, group
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable

_STEPS = 3
_DEAD = ("rectified", "saturated", "one-element")
"""What may be said of a gradient that was not zero before: others let nothing through now and then, as a clip does."""
_MOST = 8
"""So many steps are walked in one run."""


def endings(session: Any) -> Iterator[tuple[GradientQuestion, tuple[SignalBreak, ...]]]:
    """The traced steps that ended with NaN, or without a gradient, and why: what is not finite comes first."""
    found = session.tapes.endings.found
    for (place, owner), each in sorted(found.items(), key=lambda item: item[1].state != "non-finite"):
        question = _asked_in(session, place, owner, each.traced.step.sources)
        if question is None:
            continue
        bad = each.state == "non-finite"
        copy = "fresh" if each.traced.fresh else "earlier" if bad else "given" if each.inputs else "last"
        facts = tuple(_facts(session, question, each.traced.step, session.tapes.updates.calls.get(owner, 0), copy))
        if bad:
            known = session.tapes.updates.trails(owner, others=False).values()
            span, epoch = (
                trails.span(trail for trail in known if trail.lost >= 0),
                fitting.bad_epoch(question.location)[0],
            )
            yield question, tuple(msgspec.structs.replace(fact, span=span, epoch=epoch) for fact in facts)
        else:
            dead = [fact for fact in facts if fact.state == "zero"]
            yield question, tuple(fact for fact in dead if each.inputs or fact.why in _DEAD)


def groups(
    session: Any, understood: set[int], told: set[tuple[str, int]], ended: Collection[int]
) -> Iterator[CaseGroup]:
    """One group for each question with a bad answer.

    `understood` are variables that have been explained already, `told` the lines that explain them, and `ended` the
    questions of which `endings` has something to say.
    """
    walked = 0
    for question, steps, step in _recorded(session, understood):
        if walked >= _MOST:
            return
        walked += 1
        found = tuple(_facts(session, question, step, steps))
        understood.update(source.tensor for fact in found for source in fact.sources if source.variable)
        found = tuple(fact for fact in found if not _is_told(fact, told))
        if found:
            yield group(question, found)
    for question, steps, traced in _traced(session, understood, ended):
        if walked >= _MOST:
            return
        walked += 1
        found = tuple(_facts(session, question, traced.step, steps, _copy(traced)))
        understood.update(source.tensor for fact in found for source in fact.sources)
        found = tuple(fact for fact in found if not _is_told(fact, told))
        if found:
            yield group(question, found)


def _copy(traced: Any) -> str:
    return "made-up" if traced.made_up else "fresh" if traced.fresh else "given"


def _is_told(fact: SignalBreak, told: set[tuple[str, int]]) -> bool:
    """Return whether zeros are a consequence of what another finding says of the same line."""
    places = (fact.location, fact.zeros.location if fact.zeros is not None else None)
    return fact.state == "zero" and any(each is not None and (each.file, each.line) in told for each in places)


def with_makers(session: Any, question: Any, facts: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same facts, those of masks with the operation that made the zeros, and its numbers."""
    if not any(fact.kind == "masked" for fact in facts):
        return facts
    wanted = _as_gradient(question, question.sources)
    step = _executed(session, wanted)
    if step is None:
        traced = [each for (place, _), each in session.tapes.stalled.executed.items() if place == question.place]
        step = traced[0].step if traced else None
    made = [each.zeros for each in _facts(session, wanted, step, 0)] if step is not None else []
    found = {(each.location.file, each.location.line): each for each in made if each is not None and each.location}
    return tuple(
        msgspec.structs.replace(fact, made=found.get((fact.location.file, fact.location.line)))
        if fact.kind == "masked" and fact.location is not None
        else fact
        for fact in facts
    )


def _recorded(session: Any, understood: set[int]) -> Iterator[tuple[GradientQuestion, int, Executed]]:
    tapes, asked = session.tapes, []
    for site in tapes.signals.sites.values():
        if site.question is not None:
            left = tuple(
                each for each in site.question.sources if each.position in site.bad and each.tensor not in understood
            )
            asked.append((msgspec.structs.replace(site.question, sources=left), site.row))
    known = {question.place for question, _ in asked}
    for zero, _ in tapes.zeros.questions:
        if zero.place not in known:
            left = tuple(each for each in zero.sources if each.tensor not in understood)
            asked.append((_as_gradient(zero, left), zero.steps))
    for question, steps in asked:
        step = _executed(session, question) if question.sources else None
        if step is not None:
            yield question, steps, step
        elif question.sources and isinstance(kept := session.recorder.kept.captures.get(question.event), str):
            session.limits[f"why a gradient is zero or not finite: {kept}"] = None


def _executed(session: Any, question: GradientQuestion) -> Executed | None:
    """The recorded step of a question, executed once more; None where that is not possible."""
    experiments, capture = session.experiments(), session.recorder.kept.captures.get(question.event)
    if experiments is None or not isinstance(capture, Capture) or experiments.over():
        return None
    from tensorwhy.adapters.tensorflow.computation.recorded import RecordedStep, moved, restored

    wanted = [(each.tensor, each.variable) for each in question.sources]
    try:
        capture = restored(capture, finite_values(session))
        step = RecordedStep(capture, wanted, lambda call: experiments.region(call, question)).executed()
        zero = {key for key in step.sources if (numbers := step.arriving(key)) is not None and numbers.finite}
        if zero:
            elsewhere = RecordedStep(moved(capture, wanted), wanted, lambda call: experiments.region(call, question))
            again = Walk(elsewhere.executed(), step.sources)
            step.arrived = frozenset(key for key in zero if again.state(key) == "flows")
        if zero and any(numbers is not None and numbers.size > 1 for numbers in map(step.value, step.targets)):
            unevenly = RecordedStep(capture, wanted, lambda call: experiments.region(call, question))
            apart = Walk(unevenly.executed(weighted=True), step.sources)
            step.apart = frozenset(key for key in zero if apart.state(key) == "flows")
        return step
    except Exception:  # a step that cannot be executed again says nothing
        return None


def finite_values(session: Any) -> dict[int, Any]:
    """The last finite values of variables that are NaN by now, by their handles."""
    watched = session.tapes.updates.watched.items()
    return {h: each.trail.finite for h, each in watched if each.trail.lost >= 0 and each.trail.finite is not None}


def _traced(session: Any, understood: set[int], ended: Collection[int]) -> Iterator[tuple[GradientQuestion, int, Any]]:
    updates, tapes = session.tapes.updates, session.tapes
    for (place, owner), traced in tapes.stalled.executed.items():
        if place in ended or tapes.endings.is_broken(owner):
            continue
        still = {handle for handle in traced.step.sources if _is_still(updates.watched[handle], owner)} - understood
        question = _asked_in(session, place, owner, still)
        if question is not None:
            yield question, updates.calls.get(owner, 0), traced


def _asked_in(session: Any, place: int, owner: int, handles: Collection[int]) -> GradientQuestion | None:
    """The question of a traced step about these variables; None where there is none."""
    tapes = session.tapes
    ask = next((each for each in reversed(tapes.updates.asks) if (each.place, each.owner) == (place, owner)), None)
    if ask is None:
        return None
    sources = tuple(Source.of(tapes.variables[h], position) for position, h in enumerate(ask.handles) if h in handles)
    apart = [(position, inputs.key_of(tensor)) for position, tensor in enumerate(ask.sources)]
    sources += tuple(Source(tensor=key, position=position) for position, key in apart if key in handles)
    return (
        sources
        and GradientQuestion(
            event=ask.event,
            place=ask.place,
            recorder=ask.tape,
            targets=ask.targets,
            sources=sources,
            asked=len(ask.handles),
            location=session.journal.location(ask.place),
        )
    ) or None


def _is_still(watched: Any, owner: int) -> bool:
    """Return whether a variable kept its value, be it NaN, until the end: what moved later has had its gradient."""
    span = watched.still_since(owner)
    return span is not None and span[1] - span[0] >= _STEPS


def _as_gradient(zero: Any, sources: tuple[Source, ...]) -> GradientQuestion:
    return GradientQuestion(
        event=zero.event,
        place=zero.place,
        recorder=zero.recorder,
        targets=zero.targets,
        sources=sources,
        asked=len(zero.sources) + len(zero.moving),
        location=zero.location,
    )


class _Surroundings:
    """What a session knows of the operations and variables of a step."""

    wording = WORDING

    def __init__(self, session: Any) -> None:
        self._session = session

    def place(self, node: Node) -> tuple[Location | None, str]:
        return _place(self._session, node)

    def created(self, source: Source) -> Location | None:
        return _created(self._session, source)

    def is_trained(self, source: Source) -> bool:
        return _is_trained(self._session, source)

    def is_unchanged(self, source: Source) -> bool:
        return _is_unchanged(self._session, source)


def _facts(
    session: Any, question: GradientQuestion, step: Executed, steps: int, copy: str = ""
) -> Iterator[SignalBreak]:
    differentiated = _is_differentiated(session, question)
    return facts(_Surroundings(session), question, step, steps, copy, differentiated)


def _is_differentiated(session: Any, question: GradientQuestion) -> bool:
    """Return whether another tape was recording when the gradient was asked for, so that it has one of its own."""
    at, journal = question.event, session.journal
    asked = next(journal.events(at, at + 1), None) if at < journal.position else None
    return asked is not None and session.lineage().timeline.on_another(question.recorder, at, asked.thread)


def _place(session: Any, node: Node) -> tuple[Location | None, str]:
    """The user's line of an operation; of a ready-made layer the line that made that, and its name."""
    lineage = session.lineage()
    events = [event for key in node.outputs for event in lineage.makers(key)]
    named = [event for event in events if lineage.op_name(event) == node.op] or events
    if not named:
        return None, ""
    variable = variable_beside(lineage, named[0])
    layer = session.tapes.layers.by_handle.get(variable.tensor) if variable is not None else None
    if layer is not None and layer.native and layer.made is not None:
        return layer.made, layer.name
    return session.journal.location(named[0].place), ""


def _created(session: Any, source: Source) -> Location | None:
    known: Variable | None = session.tapes.variables.get(source.tensor)
    if known is not None and known.created is not None:
        return known.created
    makers: Sequence[Any] = session.lineage().makers(source.tensor)
    return next((session.journal.location(each.place) for each in makers), None)


def _is_unchanged(session: Any, source: Source) -> bool:
    """Return whether a variable that is trained holds finite numbers, and the same ones in each step."""
    watched = session.tapes.updates.watched.get(source.tensor)
    if watched is None or not _is_trained(session, source) or watched.ever_changed() or watched.span() < _STEPS:
        return False
    array = array_of(watched.reference())
    return array is None or bool(np.isfinite(np.asarray(array, np.float32)).all())


def _is_trained(session: Any, source: Source) -> bool:
    return source.variable and source.tensor in session.tapes.applied.handles
