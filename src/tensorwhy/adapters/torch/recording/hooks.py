"""Calls that are watched: what is read before and after them, whatever becomes of the reading."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.unseen import Guarded
from tensorwhy.adapters.torch.recording.warned import WARNED


class Call:
    """A call: what it was given, and by whom. `kept` is what was read before it; `before` may change `args`."""

    __slots__ = ("args", "frame", "kept", "kwargs", "result")

    def __init__(self, args: Any, kwargs: Any, frame: FrameType) -> None:
        self.args = args
        self.kwargs = kwargs
        self.frame = frame
        self.kept: Any = None
        self.result: Any = None


Hook = Callable[[Call], object]


def watch(
    recorder: Recorder,
    owner: Any,
    name: str,
    before: Hook | None = None,
    after: Hook | None = None,
    failed: Hook | None = None,
    hidden: bool = False,
    dozes: bool = False,
) -> None:
    """Read something around each call of `owner.name`. With `hidden`, what happens inside is not recorded; what
    `dozes` reads nothing while gradients are not followed."""

    def read(hook: Hook | None, call: Call) -> None:
        if hook is not None and recorder.active:
            with Guarded(recorder.fail):
                hook(call)

    def wrap(original: Any) -> Any:
        static = isinstance(original, staticmethod)
        function = original.__func__ if static else original

        def watched(*args: Any, **kwargs: Any) -> Any:
            if not recorder.active or (dozes and recorder.dozing):
                return function(*args, **kwargs)
            call = Call(args, kwargs, sys._getframe(1))
            on = recorder.hide() if hidden else None
            begun = WARNED.begin()
            try:
                read(before, call)
                call.result = function(*call.args, **kwargs)
            except BaseException:
                read(failed, call)
                raise
            finally:
                WARNED.end(begun)
                recorder.show(on)
            read(after, call)
            return call.result

        WARNED.hidden.add(watched.__code__)
        wrapper = functools.wraps(function)(watched)
        return staticmethod(wrapper) if static else wrapper

    recorder.patches.replace(owner, name, wrap)
