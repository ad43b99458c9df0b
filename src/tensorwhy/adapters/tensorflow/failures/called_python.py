"""What is known of Python functions that TensorFlow calls on threads of its own: results, exceptions, generators.

A failure there reaches the program as a text without frames. So an exception is looked at where it is raised, and of
results the types and shapes are kept; nothing of the program's is.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import anatomy
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import failed_node
from tensorwhy.model.facts.refusal import Caught, Check, Compared, RefusedObject, Thing
from tensorwhy.model.location import Location, Marked
from tensorwhy.recording import locations
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_KEPT, _DEEPEST = 64, 4


class _Result(msgspec.Struct, frozen=True):
    """What a function returned last: a type and a shape for each value."""

    code: types.CodeType | None
    values: tuple[tuple[str, tuple[int, ...]], ...]


_RESULTS: dict[str, _Result] = {}
_LATEST: list[RefusedObject] = []


def forget() -> None:
    """Let go of all that is known."""
    _RESULTS.clear()
    _LATEST.clear()


def note(function: Any, token: Any, result: Any) -> Any:
    """Keep the types of a result, and hand it on."""
    try:
        if len(_RESULTS) < _KEPT or token in _RESULTS:
            found = tuple((str(each.dtype), tuple(each.shape)) for each in _listed(result))
            _RESULTS[str(token)] = _Result(getattr(autograph.unwrapped(function), "__code__", None), found)
    except Exception:  # the bulkhead: a hook never disturbs the program
        _RESULTS.pop(str(token), None)
    return result


def _listed(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (list, tuple)) else [result]


def raised(live: LiveFailure, user: UserCode) -> None:
    """Keep where an exception on a thread of TensorFlow's came from; its `used` is a line of the program there."""
    _LATEST.clear()
    stack = next(iter(live.whole()), None)
    if stack is None or isinstance(stack.exception, StopIteration):
        return
    own = stack.own
    cause = f"{type(stack.exception).__name__}: {stack.exception}".splitlines()[0][:160]
    if own is not None and own.location is not None:
        outermost = next(each for each in stack.frames if each.user)
        thing = Thing(what="function", text=outermost.function.removeprefix("tf__"))
        _LATEST.append(
            RefusedObject(
                thing=thing, used=own.location, call="", how="operand", caught=Caught(at=own.location, said=cause)
            )
        )
    else:
        _LATEST.extend(_of_generator(stack, user, cause))


def _of_generator(stack: Stack, user: UserCode, cause: str) -> Iterator[RefusedObject]:
    """What a generator of the program's yielded last, where TensorFlow does not take that."""
    found = [each for frame in stack.frames for each in _generators(frame, user)]
    if len({id(each) for each in found}) != 1:
        return
    frame, sources = found[0].gi_frame, Sources()
    at = locations.resolve(frame.f_code, frame.f_lasti, frame.f_lineno)
    statement = sources.statement(at)
    yields = [each for each in ast.walk(statement) if isinstance(each, ast.Yield)] if statement is not None else []
    read = anatomy.of(stack, sources, user)
    sides = read.relation.sides if read.relation is not None else ()
    if len(yields) == 1 and yields[0].value is not None:
        yield RefusedObject(
            thing=Thing(what="element", text=ast.unparse(yields[0].value)),
            used=reading.place(yields[0].value, at, sources),
            call="from_generator",
            how="operand",
            check=Check(
                by=stack.frames[read.frame].qualified,
                condition=read.condition,
                known=read.known,
                relation=read.relation.kind if read.relation is not None else "",
                sides=tuple(Compared(text=each.text, value=each.value) for each in sides),
            ),
            marks=tuple(_declared(stack.frames[read.frame], at.file, sources)),
        )


def _declared(check: Frame, file: str, sources: Sources) -> Iterator[Marked]:
    """Where the part that was refused is declared, in the same file as the generator, if nothing else is there."""
    wanted, shapes = check.local("expected_shape"), check.local("flattened_shapes")
    specs = [
        node
        for node in sources.nodes(file)
        if isinstance(node, ast.Call) and reading.callee(node).rpartition(".")[2] == "TensorSpec"
    ]
    if isinstance(shapes, list) and len(shapes) == len(specs):
        specs.sort(key=lambda node: (node.lineno, node.col_offset))
        for node in (spec for spec, shape in zip(specs, shapes) if shape is wanted):
            yield Marked.at(sources.place(file, node), f"declared as {wanted} here", "declared")


def _generators(frame: Frame, user: UserCode) -> Iterator[Any]:
    """Generators of the program's that wait in a `yield`, and that a frame leads to."""
    waiting = [(each, 0) for each in list(frame.frame.f_locals.values())]
    seen: set[int] = set()
    while waiting and len(seen) < 2000:
        thing, depth = waiting.pop(0)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, types.GeneratorType):
            if thing.gi_frame is not None and user.owns(thing.gi_code.co_filename):
                yield thing
        elif depth < _DEEPEST:
            held = list(thing.values()) if isinstance(thing, dict) else list(getattr(thing, "__dict__", {}).values())
            waiting += [(each, depth + 1) for each in held]


def refused(live: LiveFailure, user: UserCode) -> RefusedObject | None:
    """What failed on another thread, told of the line of the program that met it."""
    if not failed_node.is_kernel_error(live.exceptions[0]):
        return None
    stack = live.joined()
    own = next((each for each in reversed(stack.frames) if each.user), None)
    if own is None or own.location is None:
        return None
    if _LATEST:
        latest = _LATEST.pop()
        return msgspec.structs.replace(latest, used=own.location) if latest.caught is not None else latest
    failed = failed_node.failed(live.exceptions, stack)
    return _misreturned(failed[0], user) if failed is not None else None


def _misreturned(operation: Any, user: UserCode) -> RefusedObject | None:
    """What a function returned, beside what the call that wraps it declares."""
    if operation.type not in ("PyFunc", "PyFuncStateless"):
        return None
    result = _RESULTS.get(operation.get_attr("token").decode())
    declared = [each.name for each in operation.get_attr("Tout")]
    at = failed_node.origin(operation, user).location
    if result is None or result.code is None or at is None or not user.owns(result.code.co_filename):
        return None
    sources = Sources()
    name = result.code.co_name
    if len(declared) != len(result.values):
        sides = (
            Compared(text=f"len({name}(...))", value=str(len(result.values))),
            Compared(text="len(Tout)", value=str(len(declared))),
        )
        return _returned(result.code, name, f"{len(result.values)} values", None, at, sides, sources)
    for index, ((dtype, shape), wanted) in enumerate(zip(result.values, declared)):
        if dtype != wanted and not (wanted == "string" and dtype == "object"):
            tout = "Tout" if len(declared) == 1 else f"Tout[{index}]"
            text, place = _expression(result.code, index if len(declared) > 1 else None, sources)
            sides = (
                Compared(text=f"{text or name}.dtype" if text else f"{name}(...).dtype", value=dtype),
                Compared(text=tout, value=wanted),
            )
            return _returned(result.code, text or f"{name}(...)", f"{dtype} {shape}", place, at, sides, sources)
    return None


def _returned(
    code: types.CodeType,
    text: str,
    detail: str,
    place: Location | None,
    at: Location,
    sides: tuple[Compared, ...],
    sources: Sources,
) -> RefusedObject:
    made = place or Location(file=code.co_filename, line=code.co_firstlineno, function=code.co_name)
    call = reading.named_call(at, sources, "numpy_function", "py_func")
    return RefusedObject(
        thing=Thing(what="result", text=text, name=code.co_name, detail=detail, made=made),
        used=call[1] if call is not None else at,
        call=ast.unparse(call[0].func) if call is not None else "numpy_function",
        how="operand",
        check=Check(by="tensorflow: numpy_function", relation="!=", sides=sides),
        advice=("declare in `Tout` what the function returns, or convert there: `np.float32(...)`, `x.astype(...)`",),
    )


def _expression(code: types.CodeType, index: int | None, sources: Sources) -> tuple[str, Location | None]:
    """What a function returns, or one part of it, where it does so in one place."""
    tree = sources.tree(code.co_filename)
    function = reading.definition(tree, code) if tree is not None else None
    returns = reading.returns(function) if function is not None else ()
    if len(returns) != 1:
        return "", None
    value = returns[0]
    if index is not None:
        if not isinstance(value, (ast.Tuple, ast.List)) or index >= len(value.elts):
            return "", sources.place(code.co_filename, value)
        value = value.elts[index]
    return ast.unparse(value), sources.place(code.co_filename, value)
