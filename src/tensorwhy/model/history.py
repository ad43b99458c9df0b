"""How a tensor came to be: the operation, layer, function and line that made it, and what it was made from.

The answer to `tensorwhy.history(x)`, for any tensor: eager, symbolic or Keras.
"""

from __future__ import annotations

import os
from typing import Literal

import msgspec

from tensorwhy.model import views
from tensorwhy.model.location import Location
from tensorwhy.model.messages import counted

OriginKind = Literal["op", "variable", "constant", "input", "layer", "call", "unknown"]


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """One tensor of a history, and what made it.

    - `op`: the operation (`MatMul`), or the class of the layer (`Dense`) that made it.
    - `layer`: the slash-separated names of the Keras layers that it was made in; `function`: the traced function.
    - `name`: the user's own name for it where one is known, else the framework's.
    - `inputs`: positions in `History.origins` of what it was made from.
    - `more`: how many inputs were left out, because the history was asked for up to a limit.
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
        """This origin in one line, without its place."""
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

    `sort` is what the tensor is in the user's words ("eager tensor"). `note` says what is unknown, and how to learn it.
    """

    sort: str
    origins: tuple[Origin, ...] = ()
    note: str = ""

    @property
    def made(self) -> Origin | None:
        """What made the tensor itself; None when that is unknown."""
        return self.origins[0] if self.origins and self.origins[0].kind != "unknown" else None

    @property
    def op(self) -> str:
        """The operation that made it; empty when unknown."""
        return self.made.op if self.made else ""

    @property
    def layer(self) -> str:
        """The Keras layer that it was made in; empty when there was none, or none is known."""
        return self.made.layer if self.made else ""

    @property
    def function(self) -> str:
        """The traced function whose graph it belongs to; empty for an eager tensor."""
        return self.made.function if self.made else ""

    @property
    def location(self) -> Location | None:
        """The user's line that made it."""
        return self.made.location if self.made else None

    @property
    def ancestors(self) -> tuple[Origin, ...]:
        """What it was made from, nearest first."""
        return self.origins[1:]

    def __str__(self) -> str:
        lines = [f"history of this {self.sort}" if self.origins else f"this {self.sort} has no known history"]
        width = min(max((len(origin.words()) for origin in self.origins), default=0), 72)
        for index, origin in enumerate(self.origins):
            sources = f"  <- {', '.join(f'#{at}' for at in origin.inputs)}" if origin.inputs else ""
            if origin.more:
                sources += f"{', ' if origin.inputs else '  <- '}{origin.more} more"
            place = f"  {_place(origin.location)}" if origin.location else ""
            text = f": {origin.text}" if origin.text else ""
            lines.append(f"  #{index:<3} {origin.words():<{width}}{place}{text}{sources}".rstrip())
        if self.note:
            lines.append(f"  note: {self.note}")
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
    return f"{file}:{location.line}"
