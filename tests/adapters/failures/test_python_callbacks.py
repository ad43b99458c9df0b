"""The function that is compiled once more, to listen to exceptions in it."""

from __future__ import annotations

import traceback

from tensorwhy.adapters.tensorflow.import_hooks import python_callbacks


class Registry:
    def __call__(self, function, *arguments):  # type: ignore[no-untyped-def]
        if not arguments:
            return "nothing"
        return function(
            *arguments,
        )


def compiled(look):  # type: ignore[no-untyped-def]
    from types import FunctionType

    code = python_callbacks._listening(Registry.__call__)
    assert code is not None
    return FunctionType(code, {**Registry.__call__.__globals__, python_callbacks._LOOK: look})


def shown(call):  # type: ignore[no-untyped-def]
    try:
        call()
    except ZeroDivisionError as error:
        return traceback.format_exception(error)[-3:]


def test_it_does_what_the_function_did() -> None:
    assert compiled(print)(None, None) == "nothing"
    assert compiled(print)(None, max, 1, 3) == 3


def test_an_exception_is_looked_at_and_its_traceback_reads_as_before() -> None:
    seen: list[BaseException] = []
    listening = compiled(seen.append)
    divide = lambda number: 1 / number  # noqa: E731
    assert shown(lambda: listening(None, divide, 0)) == shown(lambda: Registry()(divide, 0))
    assert [type(each) for each in seen] == [ZeroDivisionError]
