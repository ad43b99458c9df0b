"""How an expression ends that hands on no gradient: at which operations, and how several of them come together."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tensorwhy.model.facts.gradient import BreakKind


class End(NamedTuple):
    """One break: `node` is what a run points at. `entry` is where a value came back, `dtype` what it is cast to."""

    kind: BreakKind
    op: str
    node: ast.expr
    dtype: str = ""
    role: str = ""
    chosen: End | None = None
    entry: ast.expr | None = None


class Ending(NamedTuple):
    """What hands on no gradient: a constant, without `ends`, or a value that these are all in the way of.

    `whole`: an integer or a truth value. `python`: an array or a number, outside of TensorFlow. `within`: made of what
    the tape recorded. `sure`: it is certain which breaks those are.
    """

    ends: tuple[End, ...] = ()
    whole: bool = False
    python: Literal["", "array", "number"] = ""
    within: bool = False
    sure: bool = True


def together(parts: Sequence[Ending | None], node: ast.expr) -> Ending | None:
    """What an operation gives, or a list, all parts of which end; None where one of them does not."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not known:
        return None
    found = picked([part for part in known if part.ends])
    if all(part.python for part in known):
        return found._replace(python="array" if any(part.python == "array" for part in known) else "number")
    return back(found, node)._replace(whole=all(part.whole or part.python == "number" for part in known))


def picked(dead: Sequence[Ending]) -> Ending:
    """The one of several on whose way the source is: that of what the tape recorded."""
    if not dead:
        return Ending()
    candidates = [part for part in dead if part.within] or dead
    lines = {tuple((end.kind, end.op, end.node.lineno) for end in part.ends) for part in candidates}
    return candidates[0]._replace(sure=candidates[0].sure and len(lines) == 1)


def back(ending: Ending, node: ast.expr) -> Ending:
    """A value from outside of TensorFlow becomes a tensor in an operation."""
    ends = tuple(
        end._replace(entry=node) if end.kind == "left-framework" and end.entry is None else end for end in ending.ends
    )
    return ending._replace(ends=ends, python="")
