"""Which call of PyTorch failed below Python, and what it was given: read from the frames, nothing runs."""

from __future__ import annotations

import ast
import inspect
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch

from tensorwhy.adapters import arrivals
from tensorwhy.adapters.refusal import anatomy, values, way
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.torch.operations import kinds
from tensorwhy.recording.locations import is_hook
from tensorwhy.source.files import Sources

_MODULES = "torch.nn.modules"
_ELSEWHERE = (
    "torch.utils.", "torch.optim.", "torch.autograd.", "torch.serialization.", "torch.distributed.", "torch.func.",
    "torch._functorch.",
)  # fmt: skip
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.MatMult: operator.matmul, ast.FloorDiv: operator.floordiv, ast.Pow: operator.pow, ast.Mod: operator.mod,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A call that raised. `module` is the layer whose `forward` it is; else `function` was called, `direct` by the
    program's own line."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    module: Any = None
    function: Any = None
    name: str = ""
    direct: bool = False


def of(stack: Stack, sources: Sources) -> Failed | None:
    """The innermost layer of PyTorch's own that failed, or the outermost function that the program called."""
    last = stack.innermost_user()
    inner = stack.frames if last is None else stack.frames[last + 1 :]
    if any(f"{frame.module}.".startswith(_ELSEWHERE) for frame in inner):
        return None
    found = _layer(inner) or _noted(inner) or _function(inner) or _written(stack, sources)
    return found if found is not None and _can_run_again(found) else None


def raised_below(stack: Stack, sources: Sources) -> bool:
    """Return whether no statement of Python raised the exception."""
    frames = [frame for frame in stack.frames if not is_hook(frame.frame.f_code.co_filename)]
    statement = anatomy.innermost(frames[-1], sources) if frames and not frames[-1].user else None
    if frames and frames[-1].user and frames[-1].location is not None:
        statement = sources.statement(frames[-1].location)
    return not isinstance(statement, (ast.Raise, ast.Assert))


def _layer(inner: tuple[Frame, ...]) -> Failed | None:
    for at in range(len(inner) - 1, -1, -1):
        module = inner[at].local("self")
        if inner[at].function != "forward" or not isinstance(module, torch.nn.Module):
            continue
        if not type(module).__module__.startswith(_MODULES):
            return None
        call = next(
            (each for each in reversed(inner[:at]) if each.function == "_call_impl" and each.local("self") is module),
            None,
        )
        if call is None:
            return None
        return Failed(module=module, args=tuple(call.local("args") or ()), kwargs=dict(call.local("kwargs") or {}))
    return None


def _noted(inner: tuple[Frame, ...]) -> Failed | None:
    """The call that the recorder saw fail."""
    for frame in inner:
        if is_hook(frame.frame.f_code.co_filename) and frame.function == "__torch_function__":
            function = frame.local("func")
            args, kwargs = frame.local("args"), frame.local("kwargs")
            return Failed(
                function=function, args=tuple(args or ()), kwargs=dict(kwargs or {}), name=_name(function),
                direct=frame is inner[0],
            )  # fmt: skip
    return None


def _function(inner: tuple[Frame, ...]) -> Failed | None:
    for frame in inner:
        if is_hook(frame.frame.f_code.co_filename):
            continue
        name, code = frame.function, frame.frame.f_code
        for owner in (frame.frame.f_globals.get(name), vars(torch.Tensor).get(name)):
            function: Any = inspect.unwrap(owner) if callable(owner) else None
            if getattr(function, "__code__", None) is not code or code.co_flags & (4 | 8):
                continue
            held = frame.frame.f_locals
            positional = code.co_varnames[: code.co_argcount]
            keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
            if all(each in held for each in (*positional, *keywords)):
                args, kwargs = tuple(held[each] for each in positional), {each: held[each] for each in keywords}
                return Failed(function=owner, args=args, kwargs=kwargs, name=name)
        return None
    return None


def _written(stack: Stack, sources: Sources) -> Failed | None:
    """What the program's own line calls, where that has no frame of its own."""
    own = stack.own
    if own is None or not (stack.raised.user or is_hook(stack.raised.file)):
        return None
    node = way.expression(own, sources)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        given = [_value(each, own.frame) for each in (node.left, node.right)]
        return _known(_OPERATORS[type(node.op)], given)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        return _known(operator.getitem, [_value(each, own.frame) for each in (node.value, node.slice)])
    if not isinstance(node, ast.Call) or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    args = [_value(each, own.frame) for each in node.args]
    named = {each.arg: _value(each.value, own.frame) for each in node.keywords if each.arg}
    function: Any = values.value(node.func, own.frame)
    if isinstance(node.func, ast.Attribute) and isinstance(
        held := values.value(node.func.value, own.frame), torch.Tensor
    ):
        function, args = getattr(type(held), node.func.attr, None), [held, *args]
    if len(named) != len(node.keywords) or not isinstance(
        function, (types.BuiltinFunctionType, types.MethodDescriptorType)
    ):
        return None
    return _known(function, args, named)


def _known(function: Any, args: list[Any], kwargs: dict[str, Any] | None = None) -> Failed | None:
    kwargs = kwargs or {}
    if any(each is MISSING for each in (*args, *kwargs.values())):
        return None
    return Failed(function=function, args=tuple(args), kwargs=kwargs, name=_name(function))


def _value(node: ast.expr, frame: types.FrameType) -> Any:
    """A value that can be read without running the program: names, numbers, and sizes of tensors."""
    found = values.value(node, frame)
    if found is not MISSING:
        return found
    if isinstance(node, (ast.Tuple, ast.List)):
        parts = [_value(each, frame) for each in node.elts]
        whole = not any(each is MISSING for each in parts)
        return (tuple(parts) if isinstance(node, ast.Tuple) else parts) if whole else MISSING
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand, frame)
        return -inner if isinstance(inner, (int, float)) else MISSING
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _computed(_OPERATORS[type(node.op)], _value(node.left, frame), _value(node.right, frame))
    if (made := _view(node, frame)) is not MISSING:
        return made
    if isinstance(node, ast.Attribute) and node.attr in ("shape", "dtype", "device", "ndim"):
        held = _value(node.value, frame)
        return getattr(held, node.attr) if type(held) in (torch.Tensor, torch.nn.Parameter) else MISSING
    if isinstance(node, ast.Subscript) and (part := _part(node, frame)) is not MISSING:
        return part
    if isinstance(node, ast.Subscript) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size"
    ):
        held = _value(node.value if isinstance(node, ast.Subscript) else node.func.value, frame)  # type: ignore[attr-defined]
        keys = [node.slice] if isinstance(node, ast.Subscript) else node.args
        sizes = getattr(held, "shape", None) if type(held) in (torch.Tensor, torch.nn.Parameter) else held
        if not isinstance(sizes, torch.Size) or (isinstance(node, ast.Subscript) and sizes is not held):
            return MISSING
        at = _value(keys[0], frame) if len(keys) == 1 else None
        return sizes if not keys else sizes[at] if type(at) is int and -len(sizes) <= at < len(sizes) else MISSING
    return MISSING


_TENSORS = (torch.Tensor, torch.nn.Parameter)
_SMALL = 1 << 22
"""Results of so many elements at most are computed again."""
_VIEWS = frozenset(
    {"t", "T", "mT", "transpose", "permute", "view", "reshape", "squeeze", "unsqueeze", "flatten", "detach", "expand"}
)
_CHEAP = _VIEWS | {"float", "double", "half", "long", "int", "bool", "sum", "mean", "argmax", "exp", "log", "abs"}


def _view(node: ast.expr, frame: types.FrameType) -> Any:
    """A tensor that is read in another shape or dtype, or summed up: PyTorch's own cheap methods."""
    method = node.func if isinstance(node, ast.Call) else node
    if not isinstance(method, ast.Attribute) or method.attr not in _CHEAP:
        return MISSING
    held, call = _value(method.value, frame), isinstance(node, ast.Call)
    args = [_value(each, frame) for each in node.args] if isinstance(node, ast.Call) else []
    keywords = node.keywords if isinstance(node, ast.Call) else []
    named = {str(each.arg): _value(each.value, frame) for each in keywords}
    if type(held) not in _TENSORS or not all(type(e) in (int, bool) for e in (*args, *named.values())):
        return MISSING
    return _quietly(lambda: getattr(held, method.attr)(*args, **named) if call else getattr(held, method.attr), held)


def _part(node: ast.Subscript, frame: types.FrameType) -> Any:
    """A part of a tensor, by numbers, slices and new axes."""
    held, key = _value(node.value, frame), _key(node.slice, frame)
    if type(held) not in _TENSORS or key is MISSING:
        return MISSING
    return _quietly(lambda: held[key], held)


def _key(node: ast.expr, frame: types.FrameType) -> Any:
    if isinstance(node, ast.Slice):
        ends = [None if each is None else _value(each, frame) for each in (node.lower, node.upper, node.step)]
        return slice(*ends) if all(each is None or type(each) is int for each in ends) else MISSING
    if isinstance(node, ast.Tuple):
        parts = [_key(each, frame) for each in node.elts]
        return MISSING if any(each is MISSING for each in parts) else tuple(parts)
    found = _value(node, frame)
    return found if found is None or found is Ellipsis or type(found) is int else MISSING


def _computed(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """What an operator makes of two numbers, or of tensors."""
    if type(left) is type(right) is int:
        return function(left, right) if right else MISSING
    given = [each for each in (left, right) if type(each) in _TENSORS]
    if not given or not all(type(each) in (*_TENSORS, int, float) for each in (left, right)):
        return MISSING
    return _quietly(lambda: function(left, right), *given)


def _quietly(compute: Callable[[], Any], *given: Any) -> Any:
    """A result that no mode is told of, and that needs no graph; MISSING where that fails, or would take much room."""
    if any(each.numel() > _SMALL for each in given):
        return MISSING
    try:
        with torch._C.DisableTorchFunction(), torch.no_grad():
            return compute()
    except Exception:  # then that is what failed
        return MISSING


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", ""))


def _can_run_again(failed: Failed) -> bool:
    """Return whether the call only computes: no function of the program's runs, and nothing else is changed."""
    if any(callable(each) and not isinstance(each, (torch.dtype, torch.nn.Module)) for each in leaves(failed)):
        return False
    if failed.module is not None and failed.args and not isinstance(failed.args[0], torch.Tensor):
        return type(failed.args[0]).__name__ != "PackedSequence"
    if not any(isinstance(each, torch.Tensor) for each in leaves(failed)):
        return False
    if failed.module is None:
        own = failed.function in (*_OPERATORS.values(), operator.getitem)
        return own or kinds.kind_of(failed.function).code in (kinds.OP, kinds.IN_PLACE, kinds.EXIT)
    return all(_is_plain(module) for module in failed.module.modules())


def _is_plain(module: Any) -> bool:
    """Return whether a layer is PyTorch's own, without functions of the program's in it."""
    if not type(module).__module__.startswith(_MODULES):
        return False
    held = [each for each in vars(module).values() if isinstance(each, types.FunctionType)]
    lazy = any(isinstance(each, torch.nn.parameter.UninitializedTensorMixin) for each in module.parameters(False))
    return not lazy and all(each.__module__.startswith("torch.") for each in held)


def leaves(failed: Failed) -> Iterator[Any]:
    """Everything that a call was given, out of lists, tuples and dicts."""
    yield from arrivals.leaves((*failed.args, *failed.kwargs.values()), (torch.Size,))
