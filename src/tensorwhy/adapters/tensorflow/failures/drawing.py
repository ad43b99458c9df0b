"""Draws a symbolic tensor within its graph, and the place that it could not get to, or that asked for its value."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.ancestry import ancestry
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.lineage.ending import extra, joined, picture
from tensorwhy.model.history import Origin
from tensorwhy.model.location import Location
from tensorwhy.model.report import LineageView
from tensorwhy.recording.locations import UserCode

_MOST = 16
"""Operations of one tensor in one picture."""
_NUMBERED = re.compile(r"(.+_(?:body|cond|true|false))_\d+")


@extra
def refused(
    tensor: Any, name: str, what: str, at: Location | None, words: str, user: UserCode, beside: Any = None
) -> LineageView | None:
    """What the tensor was made from, and `what` could not use it, because of `words`; `beside` is what it met there.

    None for a tensor whose graph is gone, and with it everything that the tensor was made from.
    """
    if symbolic.graph_of(tensor) is None:
        return None
    own = _origins(tensor, user)
    other = _origins(beside, user) if beside is not None else ()
    last = [0, len(own)] if other else [0]
    return picture(joined(own, other), (what, at), last, lost={0: words}, names={0: name})


def _origins(tensor: Any, user: UserCode) -> tuple[Origin, ...]:
    known = ancestry(tensor, None, user, _MOST)
    return tuple(map(_plain, known.origins)) if known is not None else ()


def _plain(origin: Origin) -> Origin:
    """Graphs of loops and branches are numbered, and the numbers mean nothing to anybody."""
    found = _NUMBERED.fullmatch(origin.function)
    return origin if found is None else msgspec.structs.replace(origin, function=found[1])
