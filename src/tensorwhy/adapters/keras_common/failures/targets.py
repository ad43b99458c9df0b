"""Reads a failure in `fit` or `evaluate` whose targets have names that no output of the model has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.data import Misnamed
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LOSSES = ("compile_utils.py", "engine/training.py", "trainers/trainer.py")


def misnamed(stack: Stack, index: int, frame: Frame, model: Any) -> Iterator[Misnamed]:
    """The targets of a training call, where the outputs were compared with them and have other names."""
    caller, inside = stack.caller(index), stack.frames[index + 1 :]
    compared = any(each.file.endswith(_LOSSES) and each.local("y_pred") is not None for each in inside)
    keys, names = _keys(_targets(frame)), _names(model, inside)
    if caller is None or not compared or not names or not keys or not keys - names:
        return
    sources = Sources()
    call = reading.call_at(caller.location, sources)
    given = frame.local("y") is not None
    written = reading.argument(call, *((1, "y") if given else (0, "x"))) if call is not None else None
    yield Misnamed(
        call=frame.name,
        text=ast.unparse(written) if written is not None else "",
        used=caller.location,
        made=_written(
            {each.location.file for each in stack.frames if each.location is not None}, keys - names, sources
        ),
        model=creations.made(model),
        dataset=not given,
        keys=tuple(sorted(keys)),
        inputs=tuple(sorted(names)),
        targets=True,
    )


def _targets(frame: Frame) -> Any:
    """The targets that `fit` was given, or the declared ones of its dataset."""
    spec = getattr(frame.local("x"), "element_spec", None)
    given = frame.local("y")
    return given if given is not None else spec[1] if isinstance(spec, tuple) and len(spec) > 1 else None


def _keys(targets: Any) -> set[str]:
    keys = set(targets) if isinstance(targets, dict) else set()
    return keys if all(isinstance(each, str) for each in keys) else set()


def _names(model: Any, inside: tuple[Frame, ...]) -> set[str]:
    """The names that targets may have: the keys of the outputs, or the names of the layers that give them."""
    given = next((keys for each in inside if (keys := _keys(each.local("y_pred")))), set())
    held = getattr(model, "output_names", None)
    return given or {each for each in held or () if isinstance(each, str)}


def _written(files: set[str], names: set[str], sources: Sources) -> Location | None:
    """The one dict in the program that has such a key."""
    found = [
        sources.place(file, key)
        for file in files
        for node in sources.nodes(file)
        for key in (node.keys if isinstance(node, ast.Dict) else ())
        if isinstance(key, ast.Constant) and key.value in names
    ]
    return found[0] if len(found) == 1 else None
