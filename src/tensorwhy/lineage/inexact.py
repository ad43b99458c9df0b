"""Where the recorder's rules are not known to be all that decided: the classes that docs/limitations.md lists by name.

What is said of a question inside of one of them is likely, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import inputs_of
from tensorwhy.lineage.steps import Step, unfolded
from tensorwhy.model.question import GradientQuestion
from tensorwhy.recording import journal as j

Class = Literal["strategies", "threads", "loaded-functions", "unknown-operations"]


def classes(lineage: Lineage, question: GradientQuestion, steps: Iterable[Step]) -> frozenset[Class]:
    """The classes in which a way of this question falls."""
    found: set[Class] = set()
    if question.replicas > 1:
        found.add("strategies")
    recorder = lineage.timeline.recorders.get(question.recorder)
    threads = {span.thread for span in recorder.spans} if recorder is not None else set()
    known = _Known(lineage)
    rows = lineage.memory.whole
    for step in steps:
        event = step.edge.event
        if threads and event.kind != j.GRAPH_OP and event.thread not in threads:
            found.add("threads")
        if not step.edge.inside:
            if event.index not in rows and not known.tells(step):  # a path is long, and most of it was told of before
                found.add("unknown-operations")
            continue
        inside = tuple(unfolded(step))
        if not all(lineage.journal.chain(inner.edge.event.place) for inner in inside):
            found.add("loaded-functions")
        if not all(known.tells(each) for each in inside):
            found.add("unknown-operations")
    return frozenset(found)


class _Known:
    """What is known of operations. Paths are long, and most of what is on them is alike."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        functions, kinds = lineage.rules.functions, lineage.rules.kinds
        running = kinds.calls | kinds.branches | kinds.loops
        names = [name.partition("|")[0] for name in lineage.journal.names]
        self._calls = {number for number, name in enumerate(names) if name in functions or name in running}
        self._rows = lineage.memory.whole
        self._whole: dict[int, int] = {}

    def tells(self, step: Step) -> bool:
        """Return whether it is known if this operation hands a gradient on; else it was taken to do so."""
        event = step.edge.event
        if event.kind > j.GRAPH_OP or event.name in self._calls:
            self._rows.add(event.index)
            return True
        facts = self._lineage.facts(event)
        whole = self._whole.get(id(facts))  # the lineage keeps them
        if whole is None:
            inputs = facts.inputs or ()
            whole = self._whole[id(facts)] = 0 if facts.unknown_inputs else len(inputs)
        if len(event.inputs) <= whole:
            self._rows.add(event.index)
            return True
        tensors = inputs_of(event)
        return step.source not in tensors or facts.carries(tensors.index(step.source)) != "unknown"
