"""Layers that were to take the place of others, and that `forward` never calls: it still calls the others."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_ADDS = ("setattr", "add_module", "register_module", "__setitem__", "update")


class Missed(NamedTuple):
    """A layer of a class that is never called, and why. `location` is where it is put, or created."""

    kind: str
    why: str
    fix: str
    location: Location | None


def find(recording: Recording, number: int, used: set[int], sources: Sources) -> Missed | None:
    """The layer to which an unused parameter belongs, where the loss used what that was to replace."""
    reference = recording.recorder.parameters.get(number)
    parameter = reference() if reference is not None else None
    modules, known = recording.modules, recording.recorder.serials.known
    if parameter is None:
        return None

    def is_used(module: Any) -> bool:
        return any(known(each) in used for each in module.parameters())

    for owner in modules.alive():
        for key, child in owner._modules.items():
            real = _resolved(owner, key) if "." in key and child is not None else None
            if real not in (None, child) and _has(child, parameter) and is_used(real):
                return _beside(key, child, real, _put(recording, child, sources))
    roots = modules.roots()
    root = next((each for each in roots if _has(each, parameter)), None)
    inner = {id(each) for each in root.parameters() if known(each) in used} if root is not None else set[int]()
    others = [each for each in roots if each is not root]
    if root is None or not any(id(each) in inner for other in others for each in other.parameters()):
        return None
    kind = type(root).__name__
    return Missed(
        kind=kind,
        why="no module lists it, and the model still calls the layer whose parameters it shares",
        fix=f"assign the `{kind}` to the attribute of the model that has the layer: `setattr(parent, name, ...)`",
        location=modules.created(root, sources),
    )


def _beside(key: str, child: Any, real: Any, location: Location | None) -> Missed:
    """A layer that stands under a dotted path as its name, beside the one that is found by this path."""
    parent, _, last = key.rpartition(".")
    return Missed(
        kind=type(child).__name__,
        why=f"`{key}` is only its name here, and `{_path(key)}` is still the `{type(real).__name__}` that is called",
        fix=f"replace the layer in its own parent: `setattr(model.get_submodule({parent!r}), {last!r}, layer)`",
        location=location,
    )


def _has(module: Any, parameter: Any) -> bool:
    return any(each is parameter for each in module.parameters())


def _resolved(owner: Any, key: str) -> Any:
    """What PyTorch finds under a dotted path."""
    found = owner
    for name in key.split("."):
        found = getattr(found, "_modules", {}).get(name)
    return found


def _path(key: str) -> str:
    first, *rest = key.split(".")
    return first + "".join(f"[{each}]" if each.isdigit() else f".{each}" for each in rest)


def _put(recording: Recording, module: Any, sources: Sources) -> Location | None:
    """The only statement of the function that creates a module by which it is put somewhere, else where it is made."""
    made = recording.modules.created(module, sources)
    function = sources.function(made) if made is not None else None
    names = sources.names(made) if made is not None else ()
    if made is None or len(names) != 1:
        return made
    nodes = ast.walk(function) if function is not None else iter(sources.nodes(made.file))
    found = [each for each in nodes if isinstance(each, ast.stmt) and _puts(each, names[0])]
    return sources.place(made.file, found[0]) if len(found) == 1 else made


def _puts(statement: ast.stmt, name: str) -> bool:
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Assign) and isinstance(value, ast.Name):
        return value.id == name and not isinstance(statement.targets[0], ast.Name)
    if not isinstance(statement, ast.Expr) or not isinstance(value, ast.Call):
        return False
    called = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    return called in _ADDS and name in {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
