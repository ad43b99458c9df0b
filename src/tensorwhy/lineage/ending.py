"""The picture of a history that ends: what a value was made from, and the place that it could not get to.

For losses that no gradient is asked in: a Keras tensor that an operation refuses, a model that lacks an input, a tensor
that is used outside its graph. As in every picture, the place that asks is the target, and what it cannot reach is
lost.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, ParamSpec

import msgspec

from tensorwhy.model.history import Origin
from tensorwhy.model.location import Location
from tensorwhy.model.report import LineageEdge, LineageNode, LineageView

_TARGET = "target"
_Given = ParamSpec("_Given")


def extra(draw: Callable[_Given, LineageView | None]) -> Callable[_Given, LineageView | None]:
    """A drawing that gives None when it fails: it looks at objects of a program that is broken already."""

    @functools.wraps(draw)
    def drawn(*args: _Given.args, **kwargs: _Given.kwargs) -> LineageView | None:
        try:
            return draw(*args, **kwargs)
        except Exception:  # a picture is an extra, and takes no explanation with it
            return None

    return drawn


def picture(
    origins: Sequence[Origin],
    place: tuple[str, Location | None],
    last: Iterable[int],
    lost: Mapping[int, str],
    names: Mapping[int, str] | None = None,
) -> LineageView:
    """Origins, and the `place` (what it does, where) that asks for those at the positions `last`.

    The origins at the positions of `lost` pass nothing on, for the reason given there in a word or two. `names` has the
    user's own names, where they are better than the framework's.
    """
    names = names or {}
    first = next(iter(lost), None)
    nodes = [_node(at, origin, at == first, at in lost, names.get(at)) for at, origin in enumerate(origins)]
    # What history is told from is the nearest, and a picture is read from the source.
    nodes.reverse()
    nodes.append(LineageNode(id=_TARGET, op=place[0], role="target", location=place[1]))
    edges = [
        LineageEdge(start=_id(start), end=_id(end), connected=start not in lost, label=lost.get(start, ""))
        for end, origin in enumerate(origins)
        for start in origin.inputs
    ]
    edges += [
        LineageEdge(start=_id(at), end=_TARGET, connected=at not in lost, label=lost.get(at, ""))
        for at in dict.fromkeys(last)
    ]
    return LineageView(nodes=tuple(nodes), edges=tuple(edges), omitted=sum(origin.more for origin in origins))


def joined(*histories: Sequence[Origin]) -> tuple[Origin, ...]:
    """Several histories as one; the positions of each move up by the lengths of those before it."""
    origins: list[Origin] = []
    for history in histories:
        base = len(origins)
        origins += (
            msgspec.structs.replace(origin, inputs=tuple(base + at for at in origin.inputs)) for origin in history
        )
    return tuple(origins)


def _node(at: int, origin: Origin, source: bool, lost: bool, name: str | None) -> LineageNode:
    role: Literal["source", "variable", "constant", "op"] = "op"
    if source:
        role = "source"
    elif origin.kind in ("variable", "constant"):
        role = "variable" if origin.kind == "variable" else "constant"
    around = [part for part in (*origin.function.split("/"), *origin.layer.split("/")) if part]
    return LineageNode(
        id=_id(at),
        op=origin.op,
        name=name or origin.name,
        role=role,
        dtype=origin.dtype,
        shape=origin.shape,
        layer="/".join(around),
        location=origin.location,
        connected=not lost,
    )


def _id(at: int) -> str:
    return f"n{at}"
