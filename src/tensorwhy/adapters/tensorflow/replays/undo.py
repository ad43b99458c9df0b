"""What a replay does otherwise than the recorded step, and what comes of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from tensorwhy.model.facts.gate import Gate

STOPPING = ("StopGradient", "PreventGradient")
ROUNDING = ("Round", "Rint", "Floor", "Ceil")
"""What goes from one floating-point number to another, near to it, and has no gradient."""


class Undo(NamedTuple):
    """What to do otherwise than in the recorded step.

    `watch`: watch the source from the start. `regions`: record what the tape did not record, where it did not for one
    of these reasons. `stops`: pass gradients where they were stopped. `casts`: leave out casts to an integer dtype,
    and what rounds. `bridge`: take a value that left as an array and came back unchanged as the tensor that it was.
    `wide`: compute in float64 what was computed with fewer digits. `gates`: let the gradient pass where it became zero;
    with `keep` the values stay what they are. `scale`: the gradient of so many times the target.
    """

    watch: bool = False
    regions: frozenset[str] = frozenset()
    stops: bool = False
    casts: bool = False
    bridge: bool = False
    wide: bool = False
    gates: frozenset[Gate] = frozenset()
    keep: bool = False
    scale: float = 1.0

    def __or__(self, other: tuple[Any, ...]) -> Undo:
        mine, theirs = self, Undo(*other)
        return Undo(
            mine.watch or theirs.watch,
            mine.regions | theirs.regions,
            mine.stops or theirs.stops,
            mine.casts or theirs.casts,
            mine.bridge or theirs.bridge,
            mine.wide or theirs.wide,
            mine.gates | theirs.gates,
            mine.keep or theirs.keep,
            mine.scale * theirs.scale,
        )


class Outcome(NamedTuple):
    """The gradient as an array, or None; whether the target has its value again; whether everything was executed."""

    gradient: Any
    same_value: bool
    whole: bool
