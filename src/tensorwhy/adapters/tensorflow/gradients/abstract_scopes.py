"""What a gradient function's names stand for while it is read: scopes, joined where ways through the code meet."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tensorwhy.adapters.tensorflow.gradients.abstract_values import (
    NONE,
    UNKNOWN,
    VALUE,
    Abstract,
    Gradient,
    Seq,
    Star,
    is_none,
    join,
    join_all,
)

Scope = dict[str, Abstract]


@dataclass
class Question:
    """What is known of the op, and, in `asked`, which attributes its gradient function looked at.

    `inputs` and `outputs` hold a real dtype, or None, for each; `outputs` is None where their number is not known.
    """

    name: str
    inputs: Sequence[Any]
    outputs: Sequence[Any] | None
    attributes: Mapping[str, Any]
    certain_gradients: bool = True
    asked: set[str] = field(default_factory=set)


@dataclass
class Frame:
    """One run of a function: its module's names, and the scopes in which it returned, broke off or went on."""

    module: Mapping[str, Any]
    returns: list[Abstract] = field(default_factory=list)
    breaks: list[Scope] = field(default_factory=list)
    continues: list[Scope] = field(default_factory=list)


class NotUnderstood(Exception):
    """A construct that the interpreter does not follow."""


def loaded(node: ast.expr) -> ast.expr:
    """The target of an augmented assignment, as an expression that is read."""
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    raise NotUnderstood("augmented assignment to a part of something")


def short(value: Seq) -> Seq:
    """At most one Star: neighbours of a second one are joined with it."""
    stars = [i for i, item in enumerate(value.items) if isinstance(item, Star)]
    if len(stars) < 2:
        return value
    first, last = stars[0], stars[-1]
    middle = [item.element if isinstance(item, Star) else item for item in value.items[first : last + 1]]
    return Seq((*value.items[:first], Star(join_all(middle)), *value.items[last + 1 :]))


def merge(scopes: Sequence[Scope | None]) -> Scope | None:
    """One scope for several ways to the same place."""
    alive = [scope for scope in scopes if scope is not None]
    if not alive:
        return None
    merged = dict(alive[0])
    for other in alive[1:]:
        # A name that one way leaves unbound has the other way's value wherever it can be read without an error.
        for name, value in other.items():
            merged[name] = join(merged[name], value) if name in merged else value
    return merged


def narrow(test: ast.expr, scope: Scope, outcome: bool) -> None:
    """In the branches of `if x is None`, x is known better."""
    if not (isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and len(test.ops) == 1):
        return
    right = test.comparators[0]
    if not (isinstance(right, ast.Constant) and right.value is None):
        return
    if not isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        return
    value = scope.get(test.left.id, UNKNOWN)
    if is_none(value) is not None:
        return
    none = outcome == isinstance(test.ops[0], ast.Is)
    if none:
        scope[test.left.id] = NONE
    else:
        scope[test.left.id] = Gradient(True) if isinstance(value, Gradient) else VALUE
