"""What people blame for a lost gradient, and what an experiment shows to make no difference.

A gradient that comes back with the break undone comes back through every operation that stayed as it was. So slices,
gathers and the like on its way did not cost it. What else is popular to change is changed, and the gradient stays None.
"""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import PathStep, RuledOut

_BLAMED = {
    **dict.fromkeys(("StridedSlice", "Slice"), "the slice"),
    **dict.fromkeys(("GatherV2", "GatherNd", "ResourceGather"), "the gather"),
    **dict.fromkeys(("Reshape", "Squeeze", "ExpandDims", "Transpose"), "the change of shape"),
    **dict.fromkeys(("ConcatV2", "Pack", "Unpack", "Split", "SplitV"), "the concatenation or stack"),
    **dict.fromkeys(("Tile", "BroadcastTo"), "the repetition"),
}
MOST = 4
"""So many are named."""


def on_the_way(path: Iterable[PathStep], breaks: Iterable[GradientBreak]) -> list[RuledOut]:
    """The operations of a path that are often blamed, and that let the gradient pass."""
    guilty = {(fact.op, fact.location) for fact in breaks}
    found: dict[tuple[object, ...], RuledOut] = {}
    for step in path:
        what = _BLAMED.get(step.op)
        if what is not None and step.location is not None and (step.op, step.location) not in guilty:
            found.setdefault((what, step.location.order), RuledOut(what=what, location=step.location))
    return list(found.values())[:MOST]


def around(question: GradientQuestion, persistent: bool, still_lost: bool) -> list[RuledOut]:
    """What is changed beside the path: the other kind of tape, and no optimizer at all."""
    found = [RuledOut(what=f"`persistent={not persistent}`")] if still_lost else []
    return [*found, RuledOut(what="the optimizer")] if question.warned else found
