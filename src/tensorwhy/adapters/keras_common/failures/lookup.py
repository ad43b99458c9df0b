"""The value behind an expression in a live frame, found without running any code of the user."""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.stack import Frame


def value(node: ast.expr, call: Frame) -> Any:
    """What an expression stood for; None where that is unknown. What a layer of Keras gives is known, too."""
    if isinstance(node, ast.Attribute) and node.attr in ("output", "input"):
        owner = value(node.value, call)
        native = packages.kind_of(owner) is not None and packages.native(owner)
        return getattr(owner, node.attr, None) if native else None
    found = values.value(node, call.frame)
    return None if found is values.MISSING else found
