"""What the signal walk finds in the steps that were kept: for gradients that are zero or not finite."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.adapters.tensorflow.experiments import inputs
from tensorwhy.adapters.tensorflow.experiments.opened import checked
from tensorwhy.adapters.tensorflow.gradients.op_kinds import DIVIDING
from tensorwhy.adapters.tensorflow.hooks.captures import Capture
from tensorwhy.adapters.tensorflow.replays.traits import WORDING
from tensorwhy.adapters.tensorflow.variables import trails
from tensorwhy.adapters.tensorflow.variables.arrays import array_of
from tensorwhy.diagnosis import lost_targets as diagnosed
from tensorwhy.lineage.executed import Executed, observed
from tensorwhy.lineage.layers import variable_beside
from tensorwhy.lineage.signal import Node
from tensorwhy.lineage.signal_facts import facts, group
from tensorwhy.lineage.unreached import Unreached
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources

_STORES = ("AssignVariableOp", "AssignSubVariableOp", "AssignAddVariableOp")
_STEPS = 3
STRUCTURAL = ("one-element", "constant", "itself", "balanced", "cancelled")
"""What holds whatever the values of the variables are."""
_DEAD = ("rectified", "saturated", *STRUCTURAL)
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
            seen = [msgspec.structs.replace(fact.seen, span=span, epoch=epoch) for fact in facts]
            yield question, tuple(msgspec.structs.replace(fact, seen=each) for fact, each in zip(facts, seen))
        else:
            dead = [fact for fact in facts if fact.state == "zero"]
            yield question, tuple(fact for fact in dead if each.inputs or fact.why in _DEAD)


def groups(session: Any, understood: set[int]) -> Iterator[CaseGroup]:
    """One group for each question with a bad answer. `understood` are variables that have been explained already."""
    known, walked = frozenset(understood), 0
    answered: dict[int, set[int]] = {}

    def told(question: GradientQuestion, facts: Iterable[SignalBreak], step: Any) -> Iterator[CaseGroup]:
        found = tuple(facts)
        sources = {tensor for fact in found for tensor in fact.explained}
        answered.setdefault(question.place, set()).update(sources)
        understood.update(source.tensor for fact in found for source in fact.sources if source.variable)
        understood.update(fact.held.tensor for fact in found if fact.held is not None)
        experiments = session.experiments() if any(fact.gates for fact in found) else None
        if experiments is not None:
            found = checked(experiments, question, found, step)
        if found:
            yield group(question, found)

    for question, steps, step in _recorded(session, known):
        if walked < _MOST:
            walked += 1
            kept = session.recorder.kept.captures.get(question.event)
            yield from told(question, _facts(session, question, step, steps), kept)
    for question, steps, traced, kept in _traced(session, known):
        if walked < _MOST:
            walked += 1
            yield from told(question, _facts(session, question, traced.step, steps, _copy(traced)), kept)
    for question, moving, skipped, steps, kept in unanswered(session, known):
        question = _without(question, answered.get(question.place, ()))
        left = Unreached(session.lineage(), question, moving, skipped).facts(_Surroundings(session), steps)
        yield from told(question, left if question.sources else (), kept)


def lost_targets(session: Any) -> Iterator[Observed]:
    """The targets that are not finite, although no gradient is, with the operation at which that begins."""
    sources = Sources()
    for site in session.tapes.signals.sites.values():
        if site.is_lost and site.question is not None:
            step, seen = _executed(session, site.question), (site.lost, site.looks)
            yield diagnosed.told(_Surroundings(session), site.question, step, seen, sources)


_Left = tuple[GradientQuestion, Collection[int], Collection[int], int, Any]


def unanswered(session: Any, understood: Collection[int]) -> Iterator[_Left]:
    """The questions about variables that got only zeros, no operation being known that made them.

    With those that got another gradient, the loops that never ran, the steps that were looked at, and one of them.
    """
    tapes, captures = session.tapes, session.recorder.kept.captures
    for zero in tapes.zeros.questions:
        question = _without(zero.question, understood)
        if question.sources and not _is_broken(session, zero):
            skipped = session.skipped.get(question.place, ())
            yield question, zero.moving, skipped, zero.steps, captures.get(question.event)
    for place, owner in dict.fromkeys((ask.place, ask.owner) for ask in tapes.updates.asks if ask.owner):
        ask = _ask_in(session, place, owner)
        given = {handle for handle, key in zip(ask.handles, ask.gradients) if handle >= 0 and key >= 0}
        given &= tapes.applied.handles if tapes.applied.calls else given
        alive = tapes.stalled.alive.get((place, owner), set())
        still = {handle for handle in given - alive if _is_still(tapes.updates.watched[handle], owner)}
        asked = _asked_in(session, place, owner, still.difference(understood))
        if asked is not None and not tapes.endings.is_broken(owner):
            skipped, kept = tapes.stalled.skipped.get((place, owner), ()), tapes.stalled.kept.get((place, owner))
            calls = tapes.updates.calls.get(owner, 0)
            yield asked, given - still, skipped, calls, None if isinstance(kept, str) else kept


def _without(question: GradientQuestion, understood: Collection[int]) -> GradientQuestion:
    left = tuple(each for each in question.sources if each.tensor not in understood)
    return msgspec.structs.replace(question, sources=left)


def _is_broken(session: Any, zero: Any) -> bool:
    """Return whether variables of a question are NaN by now: what is zero beside that is no finding of its own."""
    watched = session.tapes.updates.watched
    asks = [ask for ask in session.tapes.updates.asks if ask.place == zero.question.place]
    handles = {*zero.moving, *(source.tensor for source in zero.question.sources)}
    every = handles.union(handle for ask in asks for handle in ask.handles)
    return any(handle in watched and watched[handle].trail.lost >= 0 for handle in every)


def _copy(traced: Any) -> str:
    return "made-up" if traced.made_up else "fresh" if traced.fresh else "given"


def _recorded(session: Any, understood: Collection[int]) -> Iterator[tuple[GradientQuestion, int, Executed]]:
    tapes, asked = session.tapes, list[tuple[list[GradientQuestion], int]]()
    for site in tapes.signals.sites.values():
        if site.question is not None:
            left = [
                msgspec.structs.replace(
                    question,
                    sources=tuple(s for s in question.sources if s.position in site.bad and s.tensor not in understood),
                )
                for question in (site.question, *site.more)
            ]
            asked.append((left, site.row))
    known = {questions[0].place for questions, _ in asked}
    for zero in tapes.zeros.questions:
        if zero.whole and zero.question.place not in known and not _is_broken(session, zero):
            asked.append(([_without(zero.question, understood)], zero.steps))
    for questions, steps in asked:
        question, step = _first_bad(session, questions)
        if step is not None:
            yield question, steps, step
        elif question.sources and isinstance(kept := session.recorder.kept.captures.get(question.event), str):
            session.recorder.unseen[f"why a gradient is zero or not finite: {kept}"] = None


def _first_bad(session: Any, questions: list[GradientQuestion]) -> tuple[GradientQuestion, Executed | None]:
    """The first of some steps that is not finite when it is executed once more; the first of all where none is."""
    found: list[tuple[GradientQuestion, Executed | None]] = []
    for question in questions:
        step = _executed(session, question) if question.sources else None
        found.append((question, step))
        if step is not None and any((n := step.arriving(key)) is not None and not n.finite for key in step.sources):
            return question, step
    return found[0]


def _executed(session: Any, question: GradientQuestion) -> Executed | None:
    """The recorded step of a question, executed once more; None where that is not possible."""
    experiments, capture = session.experiments(), session.recorder.kept.captures.get(question.event)
    if experiments is None or not isinstance(capture, Capture) or experiments.over():
        return None
    from tensorwhy.adapters.tensorflow.replays.observed_record import ObservedRecord, restored

    wanted = [(each.tensor, each.variable) for each in question.sources]
    try:
        capture = restored(capture, finite_values(session))
        recorded = ObservedRecord(
            capture, wanted, lambda call: experiments.region(call, question), experiments.recomputed
        )
        step = observed(recorded)
        loops = (session.loops_skipped(name, arrays) for name, arrays in recorded.called)
        session.skipped[question.place] = frozenset().union(*loops)
        return step
    except Exception:  # a step that cannot be executed again says nothing
        return None


def finite_values(session: Any) -> dict[int, Any]:
    """The last finite values of variables that are NaN by now, by their handles."""
    watched = session.tapes.updates.watched.items()
    return {h: each.trail.finite for h, each in watched if each.trail.lost >= 0 and each.trail.finite is not None}


def _traced(session: Any, understood: Collection[int]) -> Iterator[tuple[GradientQuestion, int, Any, Any]]:
    updates, tapes = session.tapes.updates, session.tapes
    for (place, owner), traced in tapes.stalled.executed.items():
        ended = tapes.endings.found.get((place, owner))
        if (ended is not None and ended.state != "zero") or tapes.endings.is_broken(owner):
            continue
        still = {handle for handle in traced.step.sources if _is_still(updates.watched[handle], owner)}.difference(
            understood
        )
        question = _asked_in(session, place, owner, still)
        if question is not None:
            kept = tapes.stalled.kept.get((place, owner))
            yield question, updates.calls.get(owner, 0), traced, None if isinstance(kept, str) else kept


def _asked_in(session: Any, place: int, owner: int, handles: Collection[int]) -> GradientQuestion | None:
    """The question of a traced step about these variables; None where there is none."""
    tapes, ask = session.tapes, _ask_in(session, place, owner)
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


def _ask_in(session: Any, place: int, owner: int) -> Any:
    """Return the last ask of a traced step; None where there is none."""
    asks = (each for each in reversed(session.tapes.updates.asks) if (each.place, each.owner) == (place, owner))
    return next(asks, None)


def _is_still(watched: Any, owner: int) -> bool:
    """Return whether a variable kept its value, be it NaN, until the end: what moved later has had its gradient."""
    span = watched.still_since(owner)
    return span is not None and span[1] - span[0] >= _STEPS


class _Surroundings:
    """What a session knows of the operations and variables of a step."""

    wording = WORDING

    def __init__(self, session: Any) -> None:
        self._session = session

    def place(self, node: Node) -> tuple[Location | None, str]:
        return _place(self._session, node)

    def named(self, key: int) -> Location | None:
        found: Location | None = self._session.tapes.stalled.origins.get(key)
        return found

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
    chosen: Location | None = fitting.losses.get(session.journal.location(named[0].place))
    if chosen is not None and ("CrossEntropy" in node.op or node.op in DIVIDING):
        return chosen, ""  # by the name of a loss
    variable = variable_beside(lineage, named[0])
    layer = session.tapes.layers.by_handle.get(variable.tensor) if variable is not None else None
    if layer is not None and layer.native and layer.made is not None:
        return layer.made, layer.name
    place: Location | None = session.journal.location(named[0].place)
    return place, ""


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
    """Return whether an optimizer was given a gradient for a variable, or a value was stored after its first."""
    if not source.variable or source.tensor in session.tapes.applied.handles:
        return source.variable
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
