"""Frames of hooks disappear from tracebacks, at the top, in the middle, and in what an exception was raised from."""

from __future__ import annotations

import traceback

from tensorwhy.recording.unlinking import unlink


def raised(files: list[str]) -> BaseException:
    """An exception that passed one frame for each file, outermost first."""

    def fail() -> None:
        raise ValueError

    call = fail
    for file in reversed(files):
        namespace = {"call": call}
        exec(compile("def step():\n    call()\n", file, "exec"), namespace)
        call = namespace["step"]
    try:
        call()
    except ValueError as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        return error
    raise AssertionError


def files(error: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)][:-1]


def test_hidden_frames_are_removed_wherever_they_stand() -> None:
    error = raised(["hook", "user", "hook", "hook", "library", "hook"])
    unlink(error, "hook".__eq__)
    assert files(error) == ["user", "library"]


def test_what_the_exception_was_raised_from_is_tidied_too() -> None:
    error, cause = raised(["user"]), raised(["hook", "user"])
    error.__cause__, cause.__context__ = cause, error
    unlink(error, "hook".__eq__)
    assert files(cause) == ["user"]
