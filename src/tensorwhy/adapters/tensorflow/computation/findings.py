"""What the signal walk finds in the steps that were kept: for gradients that are zero or not finite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.computation.executed import Executed
from tensorwhy.adapters.tensorflow.hooks.kept import Capture
from tensorwhy.lineage.layers import variable_beside
from tensorwhy.lineage.signal import Break, Node, Walk
from tensorwhy.lineage.signal_reasons import read
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.signal import Made, SignalBreak
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom

_MOST = 8
"""So many steps are walked in one run."""


def groups(session: Any, understood: set[int], told: set[tuple[str, int]]) -> Iterator[CaseGroup]:
    """One group for each question with a bad answer.

    `understood` are variables that have been explained already, and `told` the lines that explain them.
    """
    walked = 0
    for question, steps, step in _recorded(session, understood):
        if walked >= _MOST:
            return
        walked += 1
        facts = tuple(_facts(session, question, step, steps))
        understood.update(source.tensor for fact in facts for source in fact.sources if source.variable)
        facts = tuple(fact for fact in facts if not _is_told(fact, told))
        if facts:
            yield _group(session, question, facts)
    for question, steps, traced in _traced(session, understood):
        if walked >= _MOST:
            return
        walked += 1
        facts = tuple(_facts(session, question, traced.step, steps, "made-up" if traced.made_up else "given"))
        understood.update(source.tensor for fact in facts for source in fact.sources)
        facts = tuple(fact for fact in facts if not _is_told(fact, told))
        if facts:
            yield _group(session, question, facts)


def _is_told(fact: SignalBreak, told: set[tuple[str, int]]) -> bool:
    """Return whether zeros are a consequence of what another finding says of the same line."""
    places = (fact.location, fact.zeros.location if fact.zeros is not None else None)
    return fact.state == "zero" and any(each is not None and (each.file, each.line) in told for each in places)


def _group(session: Any, question: GradientQuestion, facts: tuple[SignalBreak, ...]) -> CaseGroup:
    finite = all(fact.state == "zero" for fact in facts)
    message = "the gradient is zero" if finite else "the gradient is not finite"
    symptom = Symptom(kind="zero-gradient" if finite else "silent", message=message, location=question.location)
    return CaseGroup(symptom=symptom, facts=facts)


def _recorded(session: Any, understood: set[int]) -> Iterator[tuple[GradientQuestion, int, Executed]]:
    captures, tapes = session.recorder.kept.captures, session.tapes
    experiments = session.experiments()
    if experiments is None:
        return
    asked = []
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
        capture = captures.get(question.event)
        if question.sources and isinstance(capture, Capture) and not experiments.over():
            try:
                from tensorwhy.adapters.tensorflow.computation.recorded import RecordedStep

                wanted = [(each.tensor, each.variable) for each in question.sources]
                step = RecordedStep(capture, wanted, lambda call, of=question: experiments.region(call, of)).executed()
            except Exception:  # a step that cannot be executed again says nothing
                continue
            yield question, steps, step


def _traced(session: Any, understood: set[int]) -> Iterator[tuple[GradientQuestion, int, Any]]:
    updates, tapes = session.tapes.updates, session.tapes
    for (place, owner), traced in tapes.stalled.executed.items():
        ask = next((each for each in reversed(updates.asks) if (each.place, each.owner) == (place, owner)), None)
        if ask is None:
            continue
        sources = tuple(
            _source(tapes.variables[handle], position)
            for position, handle in enumerate(ask.handles)
            if handle in set(traced.step.sources) - understood
        )
        if sources:
            question = GradientQuestion(
                event=ask.event,
                place=ask.place,
                tape=ask.tape,
                targets=ask.targets,
                sources=sources,
                asked=len(ask.handles),
                location=session.journal.location(ask.place),
            )
            yield question, updates.calls.get(owner, 0), traced


def _as_gradient(zero: Any, sources: tuple[Source, ...]) -> GradientQuestion:
    return GradientQuestion(
        event=zero.event,
        place=zero.place,
        tape=zero.tape,
        targets=zero.targets,
        sources=sources,
        asked=len(zero.sources) + len(zero.moving),
        location=zero.location,
    )


def _source(variable: Any, position: int) -> Source:
    return Source(
        tensor=variable.tensor,
        variable=True,
        trainable=variable.trainable,
        name=variable.name,
        dtype=variable.dtype,
        shape=variable.shape,
        position=position,
    )


def _facts(
    session: Any, question: GradientQuestion, step: Executed, steps: int, copy: str = ""
) -> Iterator[SignalBreak]:
    """One fact for each line at which sources of a question are cut off."""
    wanted = {source.tensor: source for source in question.sources}
    walk = Walk(step, [each for each in step.sources if each in wanted])
    found: dict[tuple[object, ...], SignalBreak] = {}
    for each in walk.breaks():
        fact = _fact(session, question, step, walk, each, steps, copy)
        key = (fact.state, fact.why, fact.location and (fact.location.file, fact.location.line), fact.op)
        before = found.get(key)
        if before is not None:
            both = dict.fromkeys((*before.sources, *fact.sources))
            fact = msgspec.structs.replace(before, sources=tuple(both))
        found[key] = fact
    lines = {(each.location.file, each.location.line) for each in found.values() if each.location is not None}
    for fact in found.values():
        made = fact.zeros.location if fact.zeros is not None else None
        elsewhere = made is not None and made != fact.location and (made.file, made.line) in lines
        if not (elsewhere and len(found) > 1):  # the zeros that another break leaves are no cause of their own
            yield fact


def _fact(
    session: Any,
    question: GradientQuestion,
    step: Executed,
    walk: Walk,
    found: Break,
    steps: int,
    copy: Any,
) -> SignalBreak:
    node, reading = step.nodes[found.node], read(step, walk, found)
    location, layer = _place(session, node)
    sources = tuple(source for source in question.sources if source.tensor in found.sources)
    return SignalBreak(
        state=found.state,
        why=reading.why,
        question=question,
        sources=tuple(msgspec.structs.replace(each, made=each.made or _created(session, each)) for each in sources),
        op=node.op,
        trait=node.trait,
        at=found.position,
        location=location,
        layer_name=layer,
        inputs=tuple(step.value(key) for key in node.inputs),
        output=step.value(node.outputs[0]) if node.outputs else None,
        limits=node.limits,
        zeros=_made(session, step, reading.zeros),
        trained=any(_is_trained(session, source) for source in sources),
        steps=steps,
        copy=copy,
        offset=question.asked > len(question.sources) and walk.is_offset(found),
    )


def _made(session: Any, step: Executed, at: int) -> Made | None:
    if at < 0:
        return None
    node = step.nodes[at]
    return Made(
        op=node.op,
        location=_place(session, node)[0],
        inputs=tuple(step.value(key) for key in node.inputs),
        limits=node.limits,
    )


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
    known = session.tapes.variables.get(source.tensor)
    if known is not None and known.created is not None:
        return known.created
    makers: Sequence[Any] = session.lineage().makers(source.tensor)
    return next((session.journal.location(each.place) for each in makers), None)


def _is_trained(session: Any, source: Source) -> bool:
    return source.variable and source.tensor in session.tapes.applied.handles
