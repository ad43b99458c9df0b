"""The variables of a running function are read without a trace."""

from __future__ import annotations

import sys
import weakref
from types import FrameType

import pytest

from tensorwhy.recording import hot_path
from tensorwhy.recording.frames import locals_of, nearest


class Thing:
    pass


def test_what_the_function_deletes_later_is_freed() -> None:
    thing = Thing()
    gone = weakref.ref(thing)
    assert locals_of(sys._getframe())["thing"] is thing
    del thing
    assert gone() is None


def test_a_dict_that_the_program_got_from_locals_keeps_its_values() -> None:
    number = 3
    own = locals()
    assert locals_of(sys._getframe())["number"] == number
    assert own["number"] == 3


def test_the_namespace_of_a_class_body_stays_whole() -> None:
    class Body:
        first = 1
        names = sorted(name for name in locals_of(sys._getframe()) if not name.startswith("__"))

    assert (Body.first, Body.names) == (1, ["first"])


def test_under_a_tracer_which_writes_back_to_the_frame_every_variable_stays() -> None:
    def tracer(frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code is traced.__code__:
            locals_of(frame)
        return tracer

    def traced() -> int:
        number = 3
        other = number + 1
        return number + other

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        found = traced()
    finally:
        sys.settrace(before)
    assert found == 7


@pytest.mark.parametrize("compiled", [False, True])
def test_the_nearest_frame_in_a_file_of_the_users(compiled: bool) -> None:
    if compiled and hot_path.compiled is None:
        pytest.skip("it was not built")
    find = hot_path.compiled.nearest if compiled else nearest
    space: dict[str, object] = {"find": find}
    exec(compile("def called(back):\n    return back()", "<library>", "exec"), space)

    class Files(dict[str, bool]):
        def __missing__(self, file: str) -> bool:
            found = self[file] = file == __file__
            return found

    files = Files()
    found = space["called"](lambda: find(sys._getframe(1), files))  # type: ignore[operator]
    assert found is sys._getframe()
    assert find(None, files) is None
    assert find(found, _every_file(found)) is None


def _every_file(frame: FrameType | None) -> dict[str, bool]:
    found = {}
    while frame is not None:
        found[frame.f_code.co_filename] = False
        frame = frame.f_back
    return found
