"""Which sources get a gradient: the recorder's own rules, replayed exactly on the journal.

The search for breaks (search.py) explains; this decides. It goes back through what the recorder recorded and nothing
else, so where both agree that a gradient is None, the explanation is proved.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Mapping

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.model.question import GradientQuestion
from tensorwhy.recording import journal as j
from tensorwhy.recording.importing import uncollected
from tensorwhy.recording.journal import Event


class Prediction:
    """The answer to one gradient question, source by source."""

    @uncollected()
    def __init__(self, lineage: Lineage, question: GradientQuestion) -> None:
        self._lineage = lineage
        self._question = question
        recorder = lineage.timeline.recorders.get(question.recorder)
        self._forward = recorder is not None and recorder.forward
        self.replay = lineage.timeline.replay(question.recorder, question.event)
        self._reached = self._walk() if question.recorder else self._walk_graph()

    def arrives(self, source: int) -> bool:
        """True if the gradient of the targets with respect to this tensor or variable is there (possibly zero)."""
        if not self._question.recorder:
            return source in self._reached or self._is_zero_beside(source)
        if source in self.replay.tracked:
            return source in self._reached
        # The gradient of a tensor with respect to itself is one, whatever the recorder recorded; but what is not
        # tracked is forgotten as soon as an operation was walked that used it.
        return source in self._question.targets and source not in self._used()

    def reaches(self, tensor: int) -> bool:
        """Whether the recorder goes back through this tensor, source or not."""
        return tensor in self._reached

    def _walk_graph(self) -> set[int]:
        question = self._question
        stops = question.stops if isinstance(question, GradientQuestion) else ()
        return self._lineage.bodies.reached(question.targets, question.event, stops)

    def _is_zero_beside(self, tensor: int) -> bool:
        """True if another output of the same operation gets a gradient that goes back further, to one of the sources.

        A graph then gives the operation's gradient function zeros for all that has none, and keeps them as answers. For
        a call it makes these zeros in any case.
        """
        lineage, question = self._lineage, self._question
        if not lineage.is_differentiable(tensor):
            return False
        for event in lineage.makers(tensor):
            if event.kind != j.GRAPH_OP or not self._reached & {*event.outputs}:
                continue
            if lineage.journal.names[event.name].partition("|")[0] in lineage.rules.kinds.calls:
                return True
            stops = question.stops if isinstance(question, GradientQuestion) else ()
            if lineage.facts(event).differentiability == "registered" and not {*event.outputs} & {*stops}:
                others = self._asked - {tensor}
                return bool(others & lineage.ancestors(event.inputs, event.index))
        return False

    @functools.cached_property
    def _asked(self) -> set[int]:
        question = self._question
        every = question.all_sources if isinstance(question, GradientQuestion) else question.moving
        return {*every, *(source.tensor for source in question.sources)}

    def _walk(self) -> set[int]:
        """Every tensor that gets a gradient."""
        if self._forward:
            return self._closure(self._pushed)
        known, targets = self.replay.reached, self._question.targets
        if targets not in known:
            known[targets] = self._closure(self._carried, known=known)
        return known[targets]

    def _used(self) -> set[int]:
        """The inputs of every recorded operation that the targets come from."""
        used: set[int] = set()
        event = self._lineage.journal.event
        self._closure(lambda row, _: [tensor_of(value) for value in event(row).inputs], used)
        return used

    def _closure(
        self,
        inputs: Callable[[int, int], list[int]],
        used: set[int] | None = None,
        known: Mapping[tuple[int, ...], set[int]] | None = None,
    ) -> set[int]:
        """Everything that is reached from the targets; `known` is what is reached from some tensors by themselves."""
        recorded, reads = self.replay.makers, self.replay.reads
        reached = set(self._question.targets)
        stack = list(reached)
        while stack:
            made = stack.pop()
            row = recorded.get(made)
            if row is None:
                if made in reads:
                    reached.add(reads[made])
                continue
            if known and (made,) in known:
                reached |= known[made,]
                continue
            for tensor in inputs(row, made):
                if used is not None:
                    used.add(tensor)
                if tensor not in reached:
                    reached.add(tensor)
                    stack.append(tensor)
        return reached

    def _pushed(self, row: int, made: int) -> list[int]:
        """The inputs of a recorded operation whose tangents it pushes forward to `made`.

        An operation or a traced function pushes them on as one: as soon as one input has a tangent, so has each output
        that has a gradient with respect to any of its inputs, be it zeros. Which ones have none was seen.
        """
        event = self._lineage.journal.event(row)
        if self._lineage.tangents.lost(self._question.recorder, row, made):
            return []
        if event.kind == j.RECORDED and self._lineage.journal.names[event.name] not in self._lineage.rules.functions:
            return self._carried(row, made)
        return [tensor for tensor in self._linked(event, event.inputs) if self._lineage.is_differentiable(tensor)]

    def _carried(self, row: int, _: int) -> list[int]:
        """The inputs of a recorded operation to which it hands a gradient on."""
        lineage = self._lineage
        plain = lineage.bodies.plain(row)
        if plain is not None:
            return plain
        event = lineage.journal.event(row)
        if event.kind == j.RECORDED:
            none, name = lineage.given_none(event), lineage.journal.names[event.name]
            # In a graph the backward function of a call is built when it is needed, from the body of the function.
            passing = lineage.bodies.through(name) if name in lineage.rules.functions else range(len(event.inputs))
            given = [value for i, value in enumerate(event.inputs) if i not in none and i in passing]
            return self._linked(event, given)
        return self._linked(event, lineage.bodies.carried(event))

    def _linked(self, event: Event, inputs: Iterable[int]) -> list[int]:
        """Inputs as tensors. A variable that the kernel read itself is one if it was watched by then."""
        found = []
        for value in inputs:
            handle = j.variable_handle(value)
            if handle is None:
                found.append(value)
            elif self.replay.tracked.get(handle, sys.maxsize) <= event.index:
                found.append(handle)
        return found
