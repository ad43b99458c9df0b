"""Where the tape's rules are not known to be all that decided: the classes that docs/limitations.md lists by name.

What is said of a question inside of one of them is likely, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from tensorwhy.lineage.backward import Step, unfolded
from tensorwhy.lineage.bodies import BRANCHES, CALLS, LOOPS
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.question import GradientQuestion
from tensorwhy.recording import journal as j

Class = Literal["strategies", "threads", "loaded-functions", "unknown-operations"]


def classes(lineage: Lineage, question: GradientQuestion, steps: Iterable[Step]) -> frozenset[Class]:
    """The classes in which a way of this question falls."""
    found: set[Class] = set()
    if question.replicas > 1:
        found.add("strategies")
    tape = lineage.timeline.tapes.get(question.tape)
    threads = {span.thread for span in tape.spans} if tape is not None else set()
    for step in steps:
        event = step.edge.event
        if threads and event.kind != j.GRAPH_OP and event.thread not in threads:
            found.add("threads")
        inside = tuple(unfolded(step))
        if step.edge.inside and not all(lineage.journal.chain(inner.edge.event.place) for inner in inside):
            found.add("loaded-functions")
        if any(_is_unknown(lineage, each) for each in inside):
            found.add("unknown-operations")
    return frozenset(found)


def _is_unknown(lineage: Lineage, step: Step) -> bool:
    """Whether it is not known if this operation hands a gradient on, so that it was taken to do so."""
    event = step.edge.event
    name = lineage.journal.names[event.name].partition("|")[0]
    if event.kind > j.GRAPH_OP or name in lineage.rules.functions or name in (CALLS | BRANCHES | LOOPS):
        return False
    given = [handle if (handle := j.variable_handle(value)) is not None else value for value in event.inputs]
    return step.source in given and lineage.facts(event).carries(given.index(step.source)) == "unknown"
