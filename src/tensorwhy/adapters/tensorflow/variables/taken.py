"""Lists of variables that were taken from a model once, before it had made all of them.

A list does not say whose it is. The names that the asking function has for models do: the list was written as
`model.trainable_variables`, and the model knows more when the gradient is asked for.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from types import FrameType
from typing import Any

from tensorwhy.adapters.patches import quietly
from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

LISTS = ("trainable_variables", "trainable_weights")

Names = dict[str, frozenset[int]]
"""The trainable variables of layers and models, as their handles, by the names that a function has for them."""


def names(frame: FrameType | None, files: Any) -> Names:
    """What the user's innermost frame has a name for, also as an attribute of its `self`."""
    from tensorwhy.adapters.keras_common import packages
    from tensorwhy.adapters.keras_common.learning.training import handles_of

    while frame is not None and not files[frame.f_code.co_filename]:
        frame = frame.f_back
    if frame is None:
        return {}
    local = locals_of(frame)
    held = getattr(local.get("self"), "__dict__", {})
    found: Names = {}
    for prefix, space in (("", frame.f_globals), ("", local), ("self.", held)):
        for name, value in list(space.items()):
            if packages.kind_of(value) in ("layer", "model"):
                handles = quietly(functools.partial(handles_of, value, "trainable_variables"), None)
                if handles is not None:
                    found[f"{prefix}{name}"] = frozenset(handles)
    return found


def early(asked: Location | None, known: Names) -> tuple[Location, frozenset[int]] | None:
    """Where the list that a gradient was asked for was taken, with all that would be in it now.

    None where it is made anew for each gradient, is not made of whole lists, or somebody in it has no known name.
    """
    sources = Sources()
    found = reading.named_call(asked, sources, "gradient") if asked is not None else None
    tree = sources.tree(asked.file) if asked is not None else None
    given = reading.argument(found[0], 1, "sources") if found is not None else None
    if asked is None or tree is None or not isinstance(given, (ast.Name, ast.Attribute)):
        return None
    written = ast.unparse(given)
    bound = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == written for target in node.targets)
    ]
    listed = list(_listed(bound[0].value)) if len(bound) == 1 and not _edited(tree, written) else []
    if not listed or any(each not in known for each in listed):
        return None
    return sources.place(asked.file, bound[0]), frozenset().union(*(known[each] for each in listed))


def _listed(value: ast.expr) -> Iterator[str]:
    """Whose lists an expression puts together; an empty text for anything else."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        yield from _listed(value.left)
        yield from _listed(value.right)
    elif isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords and _copies(value.func):
        yield from _listed(value.args[0])
    else:
        yield ast.unparse(value.value) if isinstance(value, ast.Attribute) and value.attr in LISTS else ""


def _edited(tree: ast.Module, written: str) -> bool:
    """Return whether the list is changed in place: by a method, an item, or `+=`."""
    for node in ast.walk(tree):
        changed: ast.expr | None = None
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)):
            changed = node.value
        elif isinstance(node, ast.AugAssign):
            changed = node.target
        if isinstance(changed, (ast.Name, ast.Attribute)) and ast.unparse(changed) == written:
            return True
    return False


def _copies(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id in ("list", "tuple")
