"""What a picture of a lineage needs of graphs: the shape of each tensor, and the layer that it was made in.

The journal has neither. A graph knows both, but may be gone when the program has ended; so they are read when a
gradient that is None was asked for while tracing, once a call site.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Any

_MOST = 50_000
"""Operations of a graph that are looked at."""
_NUMBERED = re.compile(r"_\d+$")
Scope = tuple[str, ...]


class GraphDetails:
    """Of graphs: shapes and name scopes of tensors by the journal's ids, and in which scopes variables are read."""

    def __init__(self) -> None:
        self.shapes: dict[int, tuple[int | None, ...]] = {}
        self.scopes: dict[int, Scope] = {}
        self.reads: dict[int, Scope] = {}
        self._sites: set[int] = set()

    def learn(self, site: int, target: Any) -> None:
        """Look at everything that these targets were computed from; nothing is held but numbers and names."""
        if site in self._sites:
            return
        targets = list(target) if isinstance(target, (list, tuple)) else [target]
        ops = [each.op for each in targets if not hasattr(each, "_datatype_enum") and hasattr(each, "graph")]
        if not ops:
            return
        self._sites.add(site)
        outside = {inner._id: outer for outer, inner in getattr(ops[0].graph, "captures", ())}
        seen: set[str] = set()
        while ops and len(seen) < _MOST:
            op = ops.pop()
            if op.name in seen:
                continue
            seen.add(op.name)
            scope = tuple(op.name.split("/")[:-1])
            for tensor in op.outputs:
                if tensor.shape.rank is not None:
                    self.shapes[tensor._id] = tuple(tensor.shape)
                if scope:
                    self.scopes[tensor._id] = scope
            if op.type == "ReadVariableOp" and op.inputs[0]._id in outside:
                self.reads.setdefault(outside[op.inputs[0]._id]._id, scope)
            ops.extend(tensor.op for tensor in op.inputs)

    def layers(self, owners: Mapping[int, str], names: Iterable[str]) -> tuple[dict[int, str], dict[int, str]]:
        """The layer of each tensor, and of each variable that is read in a graph.

        `owners`: the layer of each variable; `names`: of all layers. A scope is a layer's with a number behind it, when
        the layer was called before. Which, only the variables that are read in it can tell; scopes that are no layer's
        (of losses and operations) are left out.
        """
        known = {*names, *(part for path in owners.values() for part in path.split("/"))}
        renamed: dict[Scope, str] = {}
        for handle, scope in self.reads.items():
            path = owners.get(handle, "").split("/")
            at = next((i for i, part in enumerate(scope) if _may_be(part, path[0])), len(scope))
            for offset, part in enumerate(path):
                if at + offset < len(scope) and _may_be(scope[at + offset], part):
                    renamed[scope[: at + offset + 1]] = part

        @functools.cache
        def layer(scope: Scope) -> str:
            found = []
            for i, part in enumerate(scope):
                plain = _NUMBERED.sub("", part)
                name = renamed.get(scope[: i + 1]) or (part if part in known else plain if plain in known else "")
                found += [name] if name else []
            return "/".join(found)

        tensors = {tensor: layer(scope) for tensor, scope in self.scopes.items()}
        return tensors, {handle: layer(scope) for handle, scope in self.reads.items()}


def _may_be(scope: str, layer: str) -> bool:
    return scope == layer or _NUMBERED.sub("", scope) == layer
