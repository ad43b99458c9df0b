"""A list or dict attribute that TensorFlow refuses to save, as it was not only added to.

A checkpoint knows the elements of such an attribute by their positions. TensorFlow notes that one of them was replaced,
removed or moved, and says so when something is saved, without a name or a line.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, UserFrame
from tensorwhy.model.facts.variables import Change, ChangedContainer
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_REFUSING = ("_trackable_children", "_checkpoint_dependencies")
_CHANGES: dict[str, Change] = {
    "_non_append_mutation": "changed",
    "_external_modification": "outside",
    "_self_non_string_key": "keys",
    "_self_external_modification": "outside",
}
_METHODS = ("insert", "pop", "remove", "sort", "reverse", "clear", "popitem")
_DEPTH = 5


def probe(live: LiveFailure) -> Iterable[ChangedContainer]:
    """The attribute that cannot be saved, what happened to it, and the one line that did it."""
    for frames in reversed(live.frames):
        if not frames or frames[-1].frame.f_code.co_name not in _REFUSING:
            continue
        container = frames[-1].frame.f_locals.get("self")
        change = next((kind for name, kind in _CHANGES.items() if getattr(container, name, False) is True), None)
        saving = next((frame for frame in reversed(frames) if isinstance(frame, UserFrame)), None)
        if change is None or saving is None:
            continue
        path, owner = next(_ways(container, frames), ("", ""))
        attribute = path.rpartition(".")[2]
        places = list(_changes(attribute, live.user)) if change == "changed" and attribute else []
        yield ChangedContainer(
            what="dict" if isinstance(container, dict) else "list",
            change=change,
            saved_at=saving.location,
            path=path,
            owner=owner,
            changed_at=places[0] if len(places) == 1 else None,
        )
        return


def _ways(container: Any, frames: tuple[Frame, ...]) -> Iterator[tuple[str, str]]:
    """(path, class of the owner) of the container, from the names of the user's frames, nearest first."""
    for frame in reversed([each for each in frames if each.user]):
        waiting = [(name, value, 0) for name, value in list(frame.frame.f_locals.items())]
        seen: set[int] = set()
        while waiting:
            path, thing, depth = waiting.pop(0)
            held = getattr(thing, "__dict__", None)
            if id(thing) in seen or not isinstance(held, dict) or isinstance(thing, type) or depth > _DEPTH:
                continue
            seen.add(id(thing))
            for name, value in list(held.items()):
                if name.startswith("_"):
                    continue
                if value is container:
                    yield f"{path}.{name}", type(thing).__name__
                if _is_trackable(value):
                    waiting.append((f"{path}.{name}", value, depth + 1))
                elif isinstance(value, list):
                    waiting += [
                        (f"{path}.{name}[{number}]", each, depth + 1)
                        for number, each in enumerate(value)
                        if _is_trackable(each)
                    ]


def _is_trackable(thing: Any) -> bool:
    return any(base.__name__ == "Trackable" for base in type(thing).__mro__) and not isinstance(thing, (list, dict))


def _changes(attribute: str, user: UserCode) -> Iterator[Location]:
    """The lines of the user's files that replace, remove or move elements of an attribute of this name."""
    sources = Sources()
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    for file in sorted(each for each in files if isinstance(each, str) and user.owns(each)):
        tree = sources.tree(file)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, (ast.stmt, ast.Call)) and _changes_it(node, attribute):
                yield reading.where(node, file, "", sources)


def _changes_it(node: ast.stmt | ast.Call, attribute: str) -> bool:
    if isinstance(node, ast.Call):
        function = node.func
        return isinstance(function, ast.Attribute) and function.attr in _METHODS and _is(function.value, attribute)
    targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else []
    return any(isinstance(each, ast.Subscript) and _is(each.value, attribute) for each in targets)


def _is(node: ast.expr, attribute: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == attribute
