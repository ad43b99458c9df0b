"""Functions that may be traced, as far as the text of their file tells."""

from __future__ import annotations

from tensorwhy.source.scopes import Scope

_TRACED_BY_KERAS = ("call", "train_step", "test_step", "compute_loss")


def may_be_traced(scope: Scope | None) -> bool:
    """True if a scope may be part of a graph, as far as its file tells: decorated, or a method that Keras traces."""
    while scope is not None:
        if getattr(scope.node, "decorator_list", ()) or getattr(scope.node, "name", "") in _TRACED_BY_KERAS:
            return True
        scope = scope.outer
    return False
