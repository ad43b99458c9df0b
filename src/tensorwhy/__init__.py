"""Explain, with evidence, why a gradient is None, zero or NaN, or why a tensor lost its history or its graph.

Importing tensorwhy imports no framework. The public names are loaded when they are first used.

PYTEST_DONT_REWRITE: `tensorwhy run -m pytest` loads the package before pytest, which would otherwise warn about that.
"""

from __future__ import annotations

from typing import Any

from tensorwhy.model import views

__version__ = "0.1.0"

_PUBLIC: dict[str, str] = {
    **dict.fromkeys(("explain_gradient", "history", "install", "record", "why"), "tensorwhy.integrations.answers"),
    **dict.fromkeys(
        ("assert_all_trained", "assert_gradients_flow", "assert_no_leaks"), "tensorwhy.integrations.asserts"
    ),
    "summary": "tensorwhy.integrations.summary",
}
# Not for people: what IPython calls for `%load_ext tensorwhy` and `%unload_ext tensorwhy`.
_CALLED_BY_IPYTHON = dict.fromkeys(
    ("load_ipython_extension", "unload_ipython_extension"), "tensorwhy.integrations.jupyter"
)

__all__ = ["__version__", *_PUBLIC]


def _load(module: str) -> Any:
    import importlib

    return importlib.import_module(module)


views.presenter = lambda: _load("tensorwhy.pipeline.presenting")


def __getattr__(name: str) -> Any:
    module = _PUBLIC.get(name) or _CALLED_BY_IPYTHON.get(name)
    if module is not None:
        return getattr(_load(module), name)
    raise AttributeError(f"module 'tensorwhy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
