"""What Python itself, or a kernel below it, refused: there is no condition to read, only the operands of the line."""

from __future__ import annotations

import ast
import difflib
import inspect
import types
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.refusal import anatomy, values, way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.described import Described, array
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.refusal import Check, RefusedObject, Thing
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import call_at

_OPERANDS = 4
_TRACE = ("File ", "(0)", "(1)", "2 root error")
_ACTING = ("model", "layer", "optimizer", "callback")
_LEAVING = ("item", "numpy", "tolist")
"""The methods with which a tensor of either framework becomes a plain value."""
_PLAIN = (int, float, complex, list, tuple)
_CHANGE = "item assignment"
_NEAR = 0.85


def of_python(own: Frame, exception: BaseException, context: Context) -> RefusedObject | None:
    """The operand of the user's own line that Python could not use."""
    node = way.expression(own, context.sources)
    if own.location is None or node is None or isinstance(node, ast.Raise):
        return None
    if not isinstance(exception, (TypeError, AttributeError)):
        return None
    for operation, each in _assigned(node, own, context.sources) or _operated(node, own, exception):
        thing = exception.obj if isinstance(exception, AttributeError) else values.value(each, own.frame)
        described = (context.describe(thing) or _container(thing, context)) if thing is not MISSING else None
        if isinstance(each, ast.Name) and (thing is None or _taken_for_a_tensor(thing, exception, context)):
            return _plain(operation, each, thing, own, context)
        if described is None or (operation == "a call" and callable(thing)):
            continue
        return RefusedObject(
            thing=context.thing(thing, described, None, text=ast.unparse(each)),
            used=own.location,
            call=operation,
            how="operand",
            advice=(described.instead,)
            if described.instead and operation == _CHANGE
            else _used(each, described) or _elsewhere(thing, exception, ast.unparse(each), context),
        )
    return None


def _taken_for_a_tensor(thing: Any, error: BaseException, context: Context) -> bool:
    """Return whether a plain number, list or array has not what the tensors of a framework have."""
    name = getattr(error, "name", None)
    classes = [each.tensor for each in context.vocabularies if each.tensor is not None]
    plain = isinstance(thing, _PLAIN) or type(thing).__module__ == "numpy"
    return plain and isinstance(name, str) and any(hasattr(each, name) for each in classes)


def _plain(operation: str, node: ast.Name, held: Any, own: Frame, context: Context) -> RefusedObject | None:
    """A name that stands for None, because a call gave that, or for a plain value instead of a tensor."""
    made = anatomy.definition(node.id, own, context.sources)
    call = made if isinstance(made, ast.Call) else None
    if made is None or own.location is None or (held is None and call is None):
        return None
    advice: tuple[str, ...] = ()
    if held is None and call is not None:
        advice = (f"let `{ast.unparse(call.func)}` return its result: what it returns here is None",)
    elif (left := _left_by(made)) is not None:
        method, kept = left.attr, ast.unparse(left.value)
        advice = (f"keep the tensor: use `.{method}()` only where the number is shown, and `{kept}` here",)
    described = array(held)
    detail = described.detail if described is not None else "" if held is None else _brief(held)
    what = described.what if described is not None else type(held).__name__
    thing = Thing(text=node.id, what=what, detail=detail, made=context.sources.place(own.location.file, made))
    return RefusedObject(thing=thing, used=own.location, call=operation, how="operand", advice=advice)


def _left_by(made: ast.expr) -> ast.Attribute | None:
    """The one method in an expression that makes a plain value of a tensor, where it is the last that is called."""
    called = [each.func for each in ast.walk(made) if isinstance(each, ast.Call)]
    leaving = [each for each in called if isinstance(each, ast.Attribute) and each.attr in _LEAVING]
    return leaving[0] if len(leaving) == 1 and leaving[0] is getattr(made, "func", None) else None


def _brief(held: Any) -> str:
    return f"of {len(held)} elements" if isinstance(held, (list, tuple)) else f"{held:.4g}"


def _elsewhere(thing: Any, error: BaseException, text: str, context: Context) -> tuple[str, ...]:
    """Where a missing attribute is: under a name that is nearly the same, or in the one object held that has it."""
    name = getattr(error, "name", None)
    if not isinstance(name, str) or not isinstance(error, AttributeError):
        return ()
    public = [each for cls in type(thing).__mro__ for each in vars(cls) if not each.startswith("_")]
    if near := difflib.get_close_matches(name, public, n=1, cutoff=_NEAR):
        return (f"it is called `{near[0]}` there: `{text}.{near[0]}`",)
    kept = getattr(thing, "__dict__", None)
    held = kept.items() if isinstance(kept, dict) else ()
    owners = {key: each for key, each in held if context.describe(each) is not None and _has(each, name)}
    named = [each for key in owners if (each := key.removeprefix("_")) == key or each in public]
    return (f"`{text}.{named[0]}` has it: `{text}.{named[0]}.{name}`",) if len(owners) == 1 and named else ()


def _has(thing: Any, name: str) -> bool:
    return inspect.getattr_static(thing, name, MISSING) is not MISSING


def _used(node: ast.expr, described: Described) -> tuple[str, ...]:
    return (described.use.replace("{}", ast.unparse(node)),) if described.use else ()


def _assigned(node: ast.AST, own: Frame, sources: Sources) -> list[tuple[str, ast.expr]]:
    statement = sources.statement(own.location) if own.location is not None else None
    targets = [statement.target] if isinstance(statement, ast.AugAssign) else getattr(statement, "targets", [])
    here = isinstance(node, ast.Subscript) or node is statement
    return [(_CHANGE, target.value) for target in targets if isinstance(target, ast.Subscript) and here]


def _operated(node: ast.AST, own: Frame, error: BaseException) -> Iterator[tuple[str, ast.expr]]:
    named = [each for each in ast.walk(node) if isinstance(each, ast.Attribute)]
    named = [each for each in named if isinstance(error, AttributeError) and each.attr == error.name]
    for each in ast.walk(node):
        if isinstance(error, AttributeError):
            if each in named and isinstance(each, ast.Attribute):
                held = values.value(each.value, own.frame)
                called = any(isinstance(inner, ast.Call) for inner in ast.walk(each.value))
                if held is error.obj or (held is MISSING and (not called or len(named) == 1)):
                    yield f"the attribute `{each.attr}`", each.value
        elif isinstance(each, ast.Call):
            yield "a call", each.func
            if isinstance(each.func, ast.Name) and values.value(each.func, own.frame) in (float, int, len, range):
                yield from ((f"`{each.func.id}`", given) for given in each.args)
        elif isinstance(each, ast.BinOp):
            yield "this operator", each.left
            yield "this operator", each.right
        elif isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load):
            yield "an index", each.slice
            yield "indexing", each.value


def of_operands(context: Context, check: Check) -> RefusedObject | None:
    """All that the user's line handed over, where nothing tells which of it was refused."""
    own = context.stack.own
    if own is None or _calls_no_function(context):
        return None
    written, plain = context.written(own), calls_library(own, context)
    handed: list[ast.AST] = [written] if written is not None else []
    if isinstance(written, ast.Call) and own.location is not None and own.location.column is None:
        handed = [*written.args, *written.keywords]
    library = check.by.partition(":")[0]
    things: dict[int, Thing] = {}
    numbers: list[Thing] = []
    inner = [part for outer in handed for part in ast.walk(outer)]
    if isinstance(written, ast.BinOp):  # what a call in it was given is no operand
        calls = [each for each in inner if isinstance(each, ast.Call)]
        within = {id(part) for each in calls for part in ast.walk(each)}
        inner = [each for each in inner if id(each) not in within]
    for each in inner:
        if isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)):
            thing = values.value(each, own.frame)
            described = (context.describe(thing) or _container(thing, context, plain)) if thing is not MISSING else None
            if described is not None and described.detail and described.what not in _ACTING:
                things.setdefault(id(thing), context.thing(thing, described, None, text=ast.unparse(each)))
            elif isinstance(each, ast.Name) and type(thing) in (int, float):
                numbers.append(Thing(text=each.id, what=type(thing).__name__, detail=repr(thing)))
            elif described is None and _is_object_of(library, thing) and not _is_constant(each, own):
                things.setdefault(
                    id(thing), context.thing(thing, Described(what=type(thing).__name__), None, text=ast.unparse(each))
                )
    if not things or own.location is None:
        return None
    first, *others = (*things.values(), *{each.text: each for each in numbers}.values())
    return RefusedObject(
        thing=first,
        others=tuple(others[: _OPERANDS - 1]),
        used=own.location,
        call=context.called(own),
        how="operand",
        check=check,
        sure=not check.by or not others,
    )


def _calls_no_function(context: Context) -> bool:
    """Return whether a library failed as it called something of its own that is no function, such as None."""
    raised = context.stack.raised
    called = call_at(raised.at, context.sources) if not raised.user else None
    held = values.value(called.func, raised.frame) if called is not None else MISSING
    return held is not MISSING and not callable(held)


def calls_library(own: Frame, context: Context) -> bool:
    """Return whether the user's line calls a function by its module: `torch.tensor(rows)`."""
    node = context.written(own)
    root = node.func if isinstance(node, ast.Call) else None
    while isinstance(root, ast.Attribute):
        root = root.value
    held = values.value(root, own.frame)
    return getattr(held, "__name__", "").partition(".")[0] in context.libraries


def _is_object_of(library: str, thing: Any) -> bool:
    """Return whether this is an object of the library's own, which nobody has words for but its class."""
    named = isinstance(thing, (type, types.ModuleType)) or callable(thing)
    return bool(library) and not named and type(thing).__module__.partition(".")[0] == library


def _is_constant(node: ast.expr, own: Frame) -> bool:
    """Return whether an expression names something that a module has for all: a dtype."""
    return isinstance(node, ast.Attribute) and isinstance(values.value(node.value, own.frame), types.ModuleType)


def _container(thing: Any, context: Context, plain: bool = False) -> Described | None:
    """A list or dict of tensors, by what they are; with `plain`, of anything."""
    if type(thing) not in (list, tuple, dict) or not thing or (len(thing) > _OPERANDS and not plain):
        return None
    named = list(thing.items()) if isinstance(thing, dict) else [("", each) for each in thing]
    found = [(key, context.describe(each)) for key, each in named]
    details = [f"{key!r}: {each.detail}" if key else each.detail for key, each in found if each is not None]
    if len(details) != len(thing):
        details = [_kind(each) for _, each in named] if plain else []
    kinds = details if len(details) <= _OPERANDS else [*dict.fromkeys(details)][:_OPERANDS]
    return Described(what=type(thing).__name__, detail=f"of {', '.join(kinds)}") if kinds else None


def _kind(thing: Any) -> str:
    kind = type(thing).__name__
    return f"a {kind} of {len(thing)}" if isinstance(thing, (list, tuple)) else kind


def sentence(text: str) -> str:
    """A kernel's own words: only it knows what it checks. The one place where a message is read."""
    _, node, behind = text.rpartition("\nNode: ")  # older versions write it behind where that node was made
    text = behind.partition("\n")[2] if node else text
    parts = [part.strip() for part in text.split("\n\n")]
    parts = [
        part for part in parts if part and not part.startswith(("Graph execution", "Detected at", "Original stack"))
    ]
    lines = [line.strip() for part in parts for line in part.splitlines() if not line.lstrip().startswith(_TRACE)]
    text = next((line for line in lines if line), "")
    for cut in (" [Op:", " [[", " for '{{", "{{"):
        head, found, rest = text.partition(cut)
        text = (head or rest.partition("}}")[2]) if found else text
    return (
        text.partition(" transformation with iterator: ")[2].rpartition("::")[2].partition(": ")[2].strip()[:200]
        or (text.strip()[:200])
    )
