"""Looks at exceptions in `py_function`, `numpy_function` and generators of datasets where they are raised.

TensorFlow runs these on threads of its own, and hands on a status with a text: the exception that fails the program has
neither frames nor causes of the user's. So what there is to say is worked out at once, as facts, and the exception is
let go. The probes find the facts again if the program fails of it.

The text holds the traceback, line by line, so a wrapper would show in it. Instead, TensorFlow's own function is
compiled once more with an `except` around its body, and with its file, lines and columns: its frame looks as it did.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

from tensorwhy.adapters.tensorflow.failures import called_python, on_threads
from tensorwhy.recording.locations import UserCode

_LOOKED_AT = (TypeError, AttributeError, ValueError, NotImplementedError, RuntimeError)
_MOST = 50
_LOOK, _NOTE = "__tensorwhy_look__", "__tensorwhy_note__"


def install(user: UserCode) -> Callable[[], None]:
    """Listen in the function through which TensorFlow calls Python."""
    from tensorflow.python.ops.script_ops import FuncRegistry

    original: Any = FuncRegistry.__call__
    code = _listening(original)
    if code is None:
        return lambda: None
    looks = 0

    def look(error: BaseException) -> None:
        nonlocal looks
        looks += 1
        if looks <= _MOST and not isinstance(error, (StopIteration, GeneratorExit)):
            _look(error, user)

    original.__globals__[_LOOK], original.__globals__[_NOTE] = look, called_python.note
    listening = FunctionType(code, original.__globals__, original.__name__, original.__defaults__, original.__closure__)
    FuncRegistry.__call__ = listening

    def uninstall() -> None:
        if FuncRegistry.__call__ is listening:
            FuncRegistry.__call__ = original
        for name in (_LOOK, _NOTE):
            original.__globals__.pop(name, None)
        on_threads.forget()
        called_python.forget()

    return uninstall


def _listening(function: Any) -> CodeType | None:
    """The function's code with `except BaseException as error: look(error); raise` around its body.

    What it returns of a function that gives arrays is noted.
    """
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return None
    tree = ast.parse(textwrap.dedent("".join(lines)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or function.__closure__:
        return None
    handler = ast.parse(f"try:\n  pass\nexcept BaseException as error:\n  {_LOOK}(error)\n  raise").body[0]
    assert isinstance(handler, ast.Try)
    last = definition.body[-1]
    for node in ast.walk(handler):
        if isinstance(node, (ast.stmt, ast.expr, ast.excepthandler)):
            ast.copy_location(node, last)
    noting = {"func", "token"} <= {*function.__code__.co_varnames}
    for node in [each for each in ast.walk(definition) if isinstance(each, ast.Return)] if noting else ():
        of_registry = isinstance(node.value, ast.ListComp) or isinstance(
            getattr(node.value, "func", None), ast.Attribute
        )
        if node.value is None or not of_registry:
            continue
        call = ast.parse(f"{_NOTE}(func, token, None)", mode="eval").body
        assert isinstance(call, ast.Call)
        for part in ast.walk(call):
            if isinstance(part, ast.expr):
                ast.copy_location(part, node.value)
        call.args[2], node.value = node.value, call
    handler.body, definition.body = definition.body, [handler]
    indent = len(lines[0]) - len(lines[0].lstrip())
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.expr, ast.excepthandler)):
            node.col_offset += indent
            node.end_col_offset = (node.end_col_offset or 0) + indent
    ast.increment_lineno(tree, first - 1)
    module = compile(tree, function.__code__.co_filename, "exec")
    return next((each for each in module.co_consts if isinstance(each, CodeType)), None)


def _look(error: BaseException, user: UserCode) -> None:
    try:
        from tensorwhy.adapters.failures import live_failure

        live = live_failure(error, user)
        facts = isinstance(error, _LOOKED_AT)
        on_threads.keep(fact for probe in _probes() if facts for fact in probe(live))
        called_python.raised(live, user)
    except Exception:  # the bulkhead: a hook never disturbs the program
        on_threads.forget()


def _probes() -> Iterator[Callable[..., Any]]:
    from tensorwhy.adapters.tensorflow.probes import consumed_tape, eager_only_in_graph, leaked_tensor

    for module in (leaked_tensor, eager_only_in_graph, consumed_tape):
        yield module.probe
