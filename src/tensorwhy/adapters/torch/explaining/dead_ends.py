"""What goes on with the gradient beside the operation at which it is lost, and is used by nothing."""

from __future__ import annotations

from collections.abc import Callable

from tensorwhy.adapters.torch.explaining.dropped import Assigned, assigned
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources


def find(fact: GradientBreak, lineage: Lineage, sources: Sources, requires: Callable[[int], bool]) -> Assigned | None:
    """Return where the last result gets its name that is computed from what the operation was given, and not used."""
    question, journal = fact.question, lineage.journal
    events = [e for e in journal.events(question.since, question.event) if e.kind <= j.RECORDED and e.outputs]
    lost = [e for e in events if lineage.op_name(e) == fact.op and journal.location(e.place) == fact.location]
    if not lost:
        return None
    derived = {given for given in lost[-1].inputs if given > 0 and requires(given)}
    behind = lineage.ancestors(question.targets, question.event) | {*question.targets}
    used = {given for event in events for given in event.inputs}
    found = None
    for event in events:
        if event.index < lost[0].index or event in lost or not derived.intersection(event.inputs):
            continue
        graph = [made for made in event.outputs if requires(made)]
        derived.update(graph)
        if graph and not {*graph} & (used | behind):
            found = assigned((each.location for each in journal.chain(event.place)), sources) or found
    return found
