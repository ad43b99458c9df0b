"""Tells why a function of TensorFlow refused, by the condition under which its own source raises."""

from __future__ import annotations

import ast

from tensorwhy.adapters.stack import Frame
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def refuses_eager(frame: Frame, sources: Sources) -> bool:
    """True if the frame stands at a `raise` that is there for eager execution: `if executing_eagerly(): raise ...`."""
    tree = sources.defined(frame.frame.f_code.co_filename, frame.frame.f_code.co_firstlineno)
    if tree is None:
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _asks_eager(node.test):
            for inner in (each for statement in node.body for each in ast.walk(statement)):
                if isinstance(inner, ast.Raise) and reading.on_line(inner, frame.at.line):
                    return True
    return False


def _asks_eager(test: ast.expr) -> bool:
    conditions = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(
        isinstance(each, ast.Call)
        and reading.callee(each) in ("executing_eagerly", "executing_eagerly_outside_functions")
        for each in conditions
    )
