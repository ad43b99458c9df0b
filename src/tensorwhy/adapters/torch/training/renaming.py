"""Names of weights that are saved otherwise than they are wanted: within another dict, or with a prefix."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

_TRIED = 8
"""So many names are tried, to see what all of them begin with."""


class Renaming(NamedTuple):
    """How saved weights would get the names of a model, and how many of them that gives a place."""

    how: str
    part: Any
    matched: int

    @property
    def difference(self) -> str:
        """In what the names differ."""
        return "the name, not in the shape" if self.how == "other" else f"the prefix `{self.part}`"

    def advice(self, text: str) -> str:
        """What to do with the expression that is loaded."""
        if self.how == "other":
            return f"compare the names in `{text}` with those of `state_dict()` of the model, and rename them"
        if self.how == "inside":
            return f"pass the weights in it: `{text}[{self.part!r}]`"
        key = f"key.removeprefix({self.part!r})" if self.how == "remove" else f"{self.part!r} + key"
        return f"{self.how} the prefix: `{{{key}: value for key, value in {text}.items()}}`"


def alike(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> Renaming | None:
    """Return that all of some weights have the shapes, in this order, of weights that are wanted by other names."""
    shapes = [tuple(getattr(each, "shape", ())) for each in given.values()]
    left = iter([tuple(each.shape) for each in wanted.values()])
    found = any(len(shape) > 1 for shape in shapes) and all(shape in left for shape in shapes)  # each takes its turn
    return Renaming("other", "", len(shapes)) if found else None


def other_names(given: Mapping[str, Any], wanted: Collection[str]) -> Renaming | None:
    """Return which simple way gives the most weights names that are wanted; None where none does."""
    wanted, found = set(wanted), list[Renaming]()
    for key, inner in given.items():
        if isinstance(inner, Mapping) and (fits := set(inner) & wanted):
            return Renaming("inside", key, len(fits))
    names = [key for key in given if isinstance(key, str)]
    for first in names[:_TRIED]:
        for prefix in {first.removesuffix(each) for each in wanted if each and first.endswith(each)}:
            found.append(Renaming("remove", prefix, len({key.removeprefix(prefix) for key in names} & wanted)))
        for prefix in {each.removesuffix(first) for each in wanted if first and each.endswith(first)}:
            found.append(Renaming("add", prefix, len({prefix + key for key in names} & wanted)))
    return max(found, key=lambda each: each.matched, default=None)
