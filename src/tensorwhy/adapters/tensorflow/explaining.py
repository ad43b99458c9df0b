"""From questions that got no gradient to groups of facts: each source with its breaks, and what experiments say."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.audits import ignored_writes
from tensorwhy.adapters.tensorflow.drawing import drawer
from tensorwhy.adapters.tensorflow.questions import left_out
from tensorwhy.adapters.tensorflow.variables import described
from tensorwhy.diagnosis.asked import opened_item
from tensorwhy.lineage.callbacks import concerned
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.questions import symptom
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak, Unused, Use
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

_FIRST = 50
"""So many sources of each question are explained before the others: there may not be time for all of them."""


def groups(session: Any, questions: Iterable[GradientQuestion], experiments: bool = False) -> Iterator[CaseGroup]:
    """One group for each source that got no gradient, with the breaks that explain it."""
    lineage = session.lineage()
    sources = Sources()
    flow = Dataflow(sources)
    returned = {row: _return_of(sources, code) for row, code in session.tapes.by_hand.custom_code.items()}
    reached, refused = session.tapes.optimizers.reached, session.tapes.optimizers.refused
    gap = session.gap()
    experimenter = session.experiments() if experiments else None
    writes = ignored_writes.Writes(session)
    told, unseen, many = set(), [], []

    def explained(
        question: GradientQuestion, given: Sequence[Source], explainer: Explainer, group: Callable[..., CaseGroup]
    ) -> Iterator[CaseGroup]:
        for source in given:
            broken = (_with_first_value(_at_its_item(each, sources)) for each in explainer.breaks(source))
            breaks = tuple(described.with_layer(session, each) for each in broken)
            if experimenter is not None:
                breaks = experimenter.checked(question, source, breaks)
            asked = question.place, source.tensor
            if any(isinstance(each, Unused) and each.gap is not None for each in breaks):
                unseen.append((asked, group(facts=tuple(breaks), asked=True)))
                continue
            told.add(asked)
            lost = writes.of_variable(source.tensor) if _is_unused(source, breaks) else ()
            yield group(facts=(*breaks, *lost), asked=True)

    for question in questions:
        question = left_out.marked(session.tapes, question)
        if question.in_callback:
            question = msgspec.structs.replace(question, sources=concerned(lineage, question))
        if any(source.tensor in reached for source in question.sources):
            refusal = any(source.tensor in refused for source in question.sources)
            question = msgspec.structs.replace(question, warned=True, refused=refusal)
        explainer = Explainer(lineage, question, flow, returned, gap=gap, left_out=session.recorder.left_out)
        seen = symptom(question)
        group = partial(
            CaseGroup,
            symptom=seen,
            lineage=drawer(session, question, sources),
            times=question.times,
            steps=question.steps,
        )
        if question.error:
            yield group(facts=explainer.refused())
            continue
        yield from explained(question, question.sources[:_FIRST], explainer, group)
        if len(question.sources) > _FIRST:
            many.append((question, question.sources[_FIRST:], explainer, group))
    for rest in many:
        yield from explained(*rest)
    # Of another step, in which all was seen, more may be known.
    yield from (each for asked, each in unseen if asked not in told)


def _is_unused(source: Source, breaks: Iterable[GradientBreak]) -> bool:
    return source.variable and any(each.kind == "unused" for each in breaks)


def _at_its_item(fact: GradientBreak, sources: Sources) -> GradientBreak:
    """Of a `with` that opens several tapes, only the one that was asked is meant."""
    opened = opened_item(sources, fact.question, fact.made.recorder)
    made = msgspec.structs.replace(fact.made, recorder=opened)
    return fact if opened is fact.made.recorder else msgspec.structs.replace(fact, made=made)


def _with_first_value(fact: GradientBreak) -> GradientBreak:
    """A variable that nothing read may have lent its first value to a trace."""
    from tensorwhy.adapters.tensorflow.graphs import trial_runs

    if fact.kind != "unused" or not fact.sources[0].variable:
        return fact
    function = trial_runs.kept_first_value(fact.sources[0].tensor)
    if function is None:
        return fact
    use = Use(how="first-value", location=function, other=fact.location)
    return msgspec.structs.replace(fact, location=function, use=use)


def _return_of(sources: Sources, code: tuple[str, int]) -> Location:
    """The last `return` of a function, or its last statement when it returns nothing."""
    file, line = code
    function = sources.function(Location(file=file, line=line))
    if function is None:
        return Location(file=file, line=line)
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    body = function.body if isinstance(function.body, list) else [function.body]
    place = returns[-1] if returns else body[-1]
    return Location(file=file, line=place.lineno, column=sources.column(file, place.lineno, place.col_offset))
