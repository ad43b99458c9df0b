"""The layer that ran an operation, by the variables that were used in the same call."""

from __future__ import annotations

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.model.question import Variable
from tensorwhy.recording.journal import Event


def variable_beside(lineage: Lineage, event: Event, but_for: int = -1) -> Variable | None:
    """The nearest variable that was used in the same call of the user's: of the layer that ran this operation."""
    known = lineage.rules.variables
    seen: set[int] = set()
    level = [value for value in event.inputs if value >= 0 and value != but_for]
    while level:
        further: list[int] = []
        for tensor in level:
            for maker in lineage.makers(tensor):
                if maker.index in seen or maker.place != event.place or maker.index > event.index:
                    continue
                seen.add(maker.index)
                for value in maker.inputs:
                    variable = known.get(tensor_of(value))
                    if variable is not None:
                        return variable
                    further += [value] if value != but_for else []
        level = further
    return None
