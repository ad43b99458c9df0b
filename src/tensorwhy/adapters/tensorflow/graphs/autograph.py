"""From AutoGraph's generated code back to the line that the user wrote.

TensorFlow rewrites the body of a tf.function into a temporary file. Its own transpiler keeps, for each converted
function, the map from generated lines to original ones; it is reached through the transpiler's cache, so this works
for any frame, without parsing an exception's text.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from tensorwhy.model.location import Location


def is_generated(file: str) -> bool:
    """Whether a code object's file is one that AutoGraph wrote."""
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


def _location(source_map: dict[Any, Any], file: str, line: int, code: Any) -> Location | None:
    for generated, origin in source_map.items():
        if generated.lineno == line and generated.filename == file:
            name = getattr(code, "co_qualname", None) or getattr(code, "co_name", origin.function_name)
            return Location(file=os.path.abspath(origin.loc.filename), line=origin.loc.lineno, function=str(name))
    return None
