"""How the program's own line writes what a failed call was given, and the layer or the expression that failed."""

from __future__ import annotations

import ast
import types
from typing import Any

import torch

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch.failures.failed_call import Failed
from tensorwhy.adapters.torch.failures.trials import INDEXING
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LONG = 60


def given(failed: Failed, stack: Stack, sources: Sources) -> dict[int, str]:
    """The texts for what the program's own line gives the call, which may itself be results of calls."""
    own = stack.own
    node: ast.AST | None = _subscript(failed, stack, sources) if failed.direct and failed.name in INDEXING else None
    node = node or (way.expression(own, sources) if own is not None else None)
    pairs: list[tuple[Any, ast.expr]] = []
    if isinstance(node, ast.Subscript) and len(failed.args) > 1:
        each_given = failed.args[1] if isinstance(failed.args[1], tuple) else (failed.args[1],)
        pairs = [*zip(each_given, node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
    elif (
        isinstance(node, ast.Call) and own is not None and not any(isinstance(each, ast.Starred) for each in node.args)
    ):
        called = values.value(node.func, own.frame)
        if called is failed.module if failed.module is not None else reading.callee(node) == failed.name:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            module = owner is None or isinstance(values.value(owner, own.frame), types.ModuleType)
            method = failed.module is None and not module and owner is not None
            pairs = [*zip(failed.args, [owner, *node.args] if method and owner is not None else node.args)]
            pairs += [(failed.kwargs[each.arg], each.value) for each in node.keywords if each.arg in failed.kwargs]
    elif isinstance(node, ast.BinOp) and failed.module is None and len(failed.args) == 2:
        pairs = [*zip(failed.args, (node.left, node.right))]
    elif isinstance(node, ast.expr) and failed.direct and len(failed.args) == 1:
        pairs = [(failed.args[0], node)]
    held = [(thing, each, values.value(each, own.frame)) for thing, each in pairs] if own is not None else []
    return {
        id(thing): text
        for thing, each, known in held
        if isinstance(thing, torch.Tensor) and (known is thing or known is values.MISSING)
        if len(text := way.written(each)) <= _LONG
    }


def operator(failed: Failed, stack: Stack, sources: Sources) -> str:
    """The whole expression, where it is no call of the function that failed: `total += f(x)`."""
    own = stack.own
    text = sources.expression(own.location) if own is not None else ""
    if failed.direct and failed.name in INDEXING and len(text) > 60:
        node = _subscript(failed, stack, sources)
        owner = ast.unparse(node.value) if node is not None else ""
        return f"{owner}[...]" if 0 < len(owner) <= 40 else "an index"
    return text if failed.direct and failed.name not in text and len(text) <= 60 else ""


def _subscript(failed: Failed, stack: Stack, sources: Sources) -> ast.Subscript | None:
    """What is indexed, or assigned to, at the user's line: the only one with as many indices as the call had."""
    own = stack.own
    node = way.expression(own, sources) if own is not None else None
    statement = sources.statement(own.location) if own is not None and node is None else node
    count = len(failed.args[1]) if len(failed.args) > 1 and isinstance(failed.args[1], tuple) else 1
    found = [
        each
        for each in (ast.walk(statement) if statement is not None else ())
        if isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Store if failed.name == "__setitem__" else ast.Load)
        and (len(each.slice.elts) if isinstance(each.slice, ast.Tuple) else 1) == count
    ]
    return found[0] if len(found) == 1 else None


def path(module: Any, stack: Stack, sources: Sources) -> str:
    """How the user's line would name a layer: by what it calls, and from there."""
    own = stack.own
    if module is None or own is None:
        return ""
    for call in way.calls(way.expression(own, sources), ()):
        called = values.value(call.func, own.frame)
        for name, each in called.named_modules() if isinstance(called, torch.nn.Module) else ():
            if each is module:
                steps = (f"[{step}]" if step.isdigit() else f".{step}" for step in name.split(".") if step)
                return ast.unparse(call.func) + "".join(steps)
    return ""
