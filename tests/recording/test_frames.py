"""The variables of a running function are read without a trace."""

from __future__ import annotations

import sys
import weakref
from types import FrameType

from tensorwhy.recording.frames import locals_of


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
