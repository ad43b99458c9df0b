"""How a tensor was computed: the operation, layer, function and line that created it, and its inputs.

The answer to `tensorwhy.history(x)`, for any tensor: eager, symbolic or Keras.
"""

from __future__ import annotations

import os
from typing import Literal

import msgspec

from tensorwhy.model import views
from tensorwhy.model.location import Location
from tensorwhy.model.messages import counted
from tensorwhy.model.plain_text import one_line

OriginKind = Literal["op", "variable", "constant", "input", "layer", "call", "unknown"]


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """One tensor of a history, and what created it.

    - `op`: the operation (`MatMul`), or the class of the layer (`Dense`) that created it.
    - `layer`: the slash-separated names of the Keras layers that it was created in; `function`: the traced function.
    - `name`: the user's own name for it if known, otherwise the framework's.
    - `inputs`: positions of its inputs in `History.origins`.
    - `more`: how many inputs are omitted because of the limit.
    """

    op: str
    kind: OriginKind = "op"
    name: str = ""
    layer: str = ""
    function: str = ""
    location: Location | None = None
    text: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    inputs: tuple[int, ...] = ()
    more: int = 0

    def words(self) -> str:
        """Return this origin in one line, without its place."""
        parts = [self.op]
        if self.name:
            parts.append(f"`{self.name}`")
        if self.dtype:
            parts.append(self.dtype)
        if self.shape is not None:
            parts.append(f"({', '.join('?' if size is None else str(size) for size in self.shape)})")
        if self.layer:
            parts.append(f"in layer `{self.layer}`")
        if self.function:
            parts.append(f"in function `{self.function}`")
        return " ".join(parts)


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The history of one tensor. `origins[0]` is the tensor itself, then its ancestors, nearest first.

    `sort` is the kind of tensor in words ("eager tensor"). `note` says what is unknown, and how to find out.
    """

    sort: str
    origins: tuple[Origin, ...] = ()
    note: str = ""

    @property
    def made(self) -> Origin | None:
        """Return what created the tensor itself; None if unknown."""
        return self.origins[0] if self.origins and self.origins[0].kind != "unknown" else None

    @property
    def op(self) -> str:
        """Return the operation that created it; empty if unknown."""
        return self.made.op if self.made else ""

    @property
    def layer(self) -> str:
        """Return the Keras layer that it was created in; empty if there is none, or none is known."""
        return self.made.layer if self.made else ""

    @property
    def function(self) -> str:
        """Return the traced function whose graph it belongs to; empty for an eager tensor."""
        return self.made.function if self.made else ""

    @property
    def location(self) -> Location | None:
        """Return the user's line that created it."""
        return self.made.location if self.made else None

    @property
    def ancestors(self) -> tuple[Origin, ...]:
        """Return its ancestors, nearest first."""
        return self.origins[1:]

    def __str__(self) -> str:
        lines = [f"history of this {self.sort}" if self.origins else f"this {self.sort} has no known history"]
        words = [one_line(origin.words()) for origin in self.origins]
        width = min(max(map(len, words), default=0), 72)
        for index, origin in enumerate(self.origins):
            sources = f"  <- {', '.join(f'#{at}' for at in origin.inputs)}" if origin.inputs else ""
            if origin.more:
                sources += f"{', ' if origin.inputs else '  <- '}{origin.more} more"
            place = f"  {_place(origin.location)}" if origin.location else ""
            text = f": {one_line(origin.text)}" if origin.text else ""
            lines.append(f"  #{index:<3} {words[index]:<{width}}{place}{text}{sources}".rstrip())
        if self.note:
            lines.append(f"  note: {one_line(self.note)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        made = self.made
        if made is None:
            return views.line("History", f"this {self.sort} has no known history")
        place = f" at {_place(made.location)}" if made.location else ""
        return views.line("History", f"{self.sort}, {made.words()}{place}, {counted(len(self.ancestors), 'ancestor')}")

    def _repr_html_(self) -> str:
        return views.presenter().history(self)


def _place(location: Location) -> str:
    file = location.file
    if not file.startswith("<"):
        relative = os.path.relpath(file)
        file = file if relative.startswith("..") else relative
    return one_line(f"{file}:{location.line}")
