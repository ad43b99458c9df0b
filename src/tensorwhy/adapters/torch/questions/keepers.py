"""Caches that keep a result for later steps without a statement of the program's that assigns it."""

from __future__ import annotations

import ast
import functools
import gc
import sys
import types
from typing import Any, NamedTuple

from torch.nn.utils import parametrize

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


class Keeper(NamedTuple):
    """What keeps a result, which the program calls `name`, and what to do instead. `file` and `line` are the cache's,
    where they are known; an `attribute` is one of the program's own objects, whose file it is."""

    name: str
    label: str
    fix: str
    file: str = ""
    line: int = 0
    attribute: str = ""


def parametrized() -> list[tuple[Any, Keeper]]:
    """What `parametrize.cached()` keeps now, while it is open."""
    label = "`parametrize.cached()` keeps what was computed first until its block ends"
    fix = "open `parametrize.cached()` again in each step, around the forward pass alone"
    kept = parametrize._cache.items() if parametrize._cache_enabled else ()
    return [(tensor, Keeper(f"the cached `{name}`", label, fix)) for (_, name), tensor in kept if tensor is not None]


def find(tensor: Any) -> Keeper | None:
    """A cached function or property that keeps a tensor, or an attribute."""
    found: Keeper | None = None
    for each in gc.get_referrers(tensor):
        for held in (each, *(gc.get_referrers(each) if type(each) is dict else ())):
            if isinstance(held, functools._lru_cache_wrapper):
                return _function(held)
            names = vars(held) if hasattr(held, "__dict__") and not isinstance(held, type) else {}
            name = next((name for name, value in names.items() if value is tensor), "")
            made = getattr(type(held), name, None) if name else None
            if isinstance(made, functools.cached_property):
                return _property(made, name)
            if name and not isinstance(held, types.ModuleType):
                found = _attribute(held, name)
    return found


def _function(held: Any) -> Keeper:
    code, name = getattr(held.__wrapped__, "__code__", None), held.__name__
    label = f"the cache of `{name}` keeps what it returned first"
    fix = f"compute it again in each step: remove the cache, or call `{name}.cache_clear()` after each `step()`"
    return _at(Keeper(f"the result of `{name}`", label, fix), code)


def _property(made: Any, name: str) -> Keeper:
    label = f"`{name}` is computed once, and kept"
    fix = f"compute it again in each step: make `{name}` a plain `property`, or delete it after each `step()`"
    return _at(Keeper(f"the cached `{name}`", label, fix), getattr(made.func, "__code__", None))


def _attribute(held: Any, name: str) -> Keeper:
    file = getattr(sys.modules.get(type(held).__module__), "__file__", None) or ""
    label = f"`{name}` keeps it from here on"
    fix = f"compute it again for each `backward()`, and do not keep it in `{name}`"
    return Keeper(f"the kept `{name}`", label, fix, file, attribute=name)


def _at(keeper: Keeper, code: Any) -> Keeper:
    return keeper._replace(file=code.co_filename, line=code.co_firstlineno) if code is not None else keeper


def location(keeper: Keeper, chain: list[Location], sources: Sources) -> Location | None:
    """The line of a cached function, or of the block that is open around a call and keeps what is computed in it."""
    if keeper.attribute:
        nodes = (node for node in sources.nodes(keeper.file) if isinstance(node, ast.Assign))
        found = [node for node in nodes if _sets(node, keeper.attribute)]
        return sources.place(keeper.file, found[0]) if len(found) == 1 else None
    if keeper.file:
        return Location(file=keeper.file, line=keeper.line)
    for at in chain:
        around = (node for node in reversed(sources.nodes(at.file)) if isinstance(node, ast.With) and _holds(node, at))
        for node in around:
            if any(ast.unparse(item.context_expr).endswith("cached()") for item in node.items):
                return sources.place(at.file, node)
    return None


def _holds(block: ast.With, at: Location) -> bool:
    return block.lineno <= at.line <= (block.end_lineno or block.lineno)


def _sets(node: ast.Assign, attribute: str) -> bool:
    """Return whether a statement gives an attribute a value other than None."""
    set_ = any(isinstance(each, ast.Attribute) and each.attr == attribute for each in node.targets)
    return set_ and not isinstance(node.value, ast.Constant)
