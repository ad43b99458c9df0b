"""tensorwhy explains, with evidence, why a gradient is None or zero, or why a tensor lost its history or its graph.

Importing it imports no framework. The public names are loaded when they are first used.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_PUBLIC: dict[str, str] = {}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        import importlib

        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'tensorwhy' has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext tensorwhy`: explain cells that fail or get a None gradient."""
    from tensorwhy.integrations.jupyter import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext tensorwhy`."""
    from tensorwhy.integrations.jupyter import unload

    unload(shell)


def __dir__() -> list[str]:
    return sorted(__all__)
