"""What was refused below the library's Python: by trying the call, by a kernel, or by Python itself."""

from __future__ import annotations

import ast
import functools
import inspect

from tensorwhy.adapters.refusal import chain, handed, inside, kernels, native, operations, values, way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.described import Vocabulary
from tensorwhy.model.facts.refusal import Check, RefusedObject

_BELOW = (ValueError, TypeError, IndexError, RuntimeError)


def tried(context: Context) -> tuple[bool, RefusedObject | None]:
    """What a library's call could not take by trying it, and whether no Python decided that."""
    asked = (
        each.native(context.stack, context.sources, context.user)
        for each in context.vocabularies
        if each.native is not None
    )
    first = next((each for each in asked if each is not None), None)
    if first is None or context.stack.own is None:
        return False, None
    return first.below, native.told(first, context)


def of_python(context: Context, below: bool) -> RefusedObject | None:
    """What the user's own line does, and Python or a function without a frame refused."""
    own, exception = context.stack.own, context.stack.exception
    if own is None or not (below or isinstance(exception, AttributeError)):
        return None
    found = handed.find(context) or operations.of_python(own, exception, context)
    if found is not None or not below or not isinstance(exception, _BELOW):
        return found
    node = way.expression(own, context.sources)
    called = values.value(node.func, own.frame) if isinstance(node, ast.Call) else None
    code = getattr(called, "__code__", None)
    if (
        isinstance(node, ast.Raise)
        or handed.is_taken_apart(exception)
        or isinstance(called, type)
        or (code and not code.co_filename.startswith("<"))
    ):
        return None
    return operations.of_operands(context, Check(condition=operations.sentence(chain.message(exception))))


def is_kernels(context: Context) -> bool:
    """Return whether an operation below Python failed."""
    return any(_is_kernels(vocabulary, each) for vocabulary in context.vocabularies for each in _raised(context))


def kernel(context: Context) -> RefusedObject | None:
    """The operation that failed below Python, or the operands of the user's line."""
    for vocabulary in context.vocabularies:
        failed = [each for each in _raised(context) if _is_kernels(vocabulary, each)]
        if not failed:
            continue
        told = next((text for each in failed if (text := operations.sentence(chain.message(each)))), "")
        read = vocabulary.kernel
        found = read(context.live.exceptions, context.live.joined(), context.user) if read is not None else None
        if found is None:
            bare = None if _calls_own(context) else kernels.failed(told, context)
            return operations.of_operands(context, Check(condition=told)) or inside.within(bare, context)
        operands = functools.partial(operations.of_operands, context, Check(condition=told))
        return kernels.of_node(found, told, context, operands) or operands()
    return None


def _raised(context: Context) -> tuple[BaseException, ...]:
    """The exception as it was raised first, and as the program got it."""
    return context.stack.exception, context.live.exceptions[0]


def _is_kernels(vocabulary: Vocabulary, exception: BaseException) -> bool:
    return vocabulary.is_kernel_error is not None and vocabulary.is_kernel_error(exception)


def _calls_own(context: Context) -> bool:
    """Return whether the line that failed calls a function of the program's: the operation is in there."""
    own = context.stack.own
    node = context.written(own) if own is not None else None
    called = values.value(node.func, own.frame) if own is not None and isinstance(node, ast.Call) else None
    code = getattr(inspect.unwrap(called) if callable(called) else None, "__code__", None)
    return code is not None and context.user.owns(code.co_filename)
