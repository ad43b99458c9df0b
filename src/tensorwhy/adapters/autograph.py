"""From AutoGraph's generated code back to the line that the user wrote.

TensorFlow rewrites the body of a tf.function into a temporary file. Its own transpiler keeps, for each converted
function, the map from generated lines to original ones; it is reached through the transpiler's cache, so this works
for any frame, without parsing an exception's text.

TensorFlow takes the first line of what a decorator wraps (`__wrapped__`) for that of the wrapper: all lines of such a
map are off by the same number, which the text of the lines tells, that the map holds as well.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from tensorwhy.model import source_text
from tensorwhy.model.location import Location


def is_generated(file: str) -> bool:
    """Return whether a code object's file is one that AutoGraph wrote."""
    return "__autograph_generated_file" in file


def original(file: str, line: int) -> Location | None:
    """Where the user wrote what stands at this line of a generated file; None when AutoGraph does not know."""
    api = sys.modules.get("tensorflow.python.autograph.impl.api")
    cache = getattr(getattr(getattr(api, "_TRANSPILER", None), "_cache", None), "_cache", None)
    if cache is None:
        return None
    for code, factories in list(cache.items()):
        for factory in list(factories.values()):
            if getattr(factory.module, "__file__", None) == file:
                return _location(factory.source_map, file, line, code)
    return None


def offset(source_map: dict[Any, Any]) -> int:
    """What must be added to the original lines of a map, so that they are those with the text that it holds."""
    if not source_map:
        return 0
    first, last = (end(source_map.values(), key=lambda origin: origin.loc.lineno) for end in (min, max))
    ends = [(origin.loc.lineno, origin.source_code_line.strip()) for origin in (first, last)]
    lines = source_text.lines(first.loc.filename)

    def fits(by: int) -> bool:
        return all(0 < at + by <= len(lines) and lines[at + by - 1].strip() == text for at, text in ends)

    if not lines or fits(0):
        return 0
    others = [by for number in range(1, len(lines) + 1) if fits(by := number - ends[0][0])]
    return others[0] if len(others) == 1 else 0


def _location(source_map: dict[Any, Any], file: str, line: int, code: Any) -> Location | None:
    for generated, origin in source_map.items():
        if generated.lineno == line and generated.filename == file:
            name = getattr(code, "co_qualname", None) or getattr(code, "co_name", origin.function_name)
            at = origin.loc.lineno + offset(source_map)
            return Location(file=os.path.abspath(origin.loc.filename), line=at, function=str(name))
    return None


def unwrapped(function: Any) -> Any:
    """The user's function inside what AutoGraph or a TensorFlow decorator made of it."""
    for _ in range(10):
        inner = None
        for attribute in ("ag_original", "__wrapped__", "_tf_decorator"):
            candidate = getattr(function, attribute, None)
            if attribute == "_tf_decorator":
                candidate = getattr(candidate, "decorated_target", None)
            if callable(candidate) and candidate is not function:
                inner = candidate
                break
        if inner is None:
            return function
        function = inner
    return function
