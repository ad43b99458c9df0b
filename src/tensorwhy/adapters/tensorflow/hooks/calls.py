"""Counts the calls of traced functions: most of them are counted, and nothing else is done.

After a call somebody may have to look: at the variables, after ever more calls; at the window of steps, after a few.
When that will be is known beforehand. So a function that was looked at is given a number of calls that only take one
from it. Who wants to know how often something ran calls `settle` first.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tensorwhy.adapters.tensorflow.hooks.fast_path import compiled, is_compiled
from tensorwhy.adapters.tensorflow.hooks.window import CALLS

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder

Ran = Callable[[int, int, Any], int]
"""Told of a function by its id, how often it ran, and what the last call was given (None where that was only counted).

Returns how many calls may come before it has to be told again.
"""


class Calls:
    """Calls of traced functions that are within no other one. `running` holds the function that runs now.

    `ran` is told of the calls of each function, `often` of every `CALLS` of them.
    """

    def __init__(self, recorder: Recorder, ran: Ran) -> None:
        self.running: list[int] = []
        self.often: Callable[[], None] = lambda: None
        self._ran = ran
        self._free = [0, 0]  # a function, and how many calls of it are still to be counted only
        self._granted = 0
        self._function: weakref.ref[Any] | None = None
        self._count = 0
        self._recorder = recorder

    def install(self) -> None:
        """Replace what is called for a function that TensorFlow traces."""
        self._recorder.patches.replace(_function_class(), "__call__", self._wrap)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, running, free, after = self._recorder, self.running, self._free, self._after

        def __call__(this: Any, /, *args: Any, **kwargs: Any) -> Any:
            if running or not recorder.active:
                return original(this, *args, **kwargs)
            owner = id(this)
            running.append(owner)
            try:
                result = original(this, *args, **kwargs)
            finally:
                running.clear()
            if free[0] == owner and free[1] > 0:
                free[1] -= 1
            elif recorder.active:
                after(result, this, *args, **kwargs)
            return result

        wrapper = recorder.fast_path.around("CALLED", original, after, (running, free)) or __call__
        return functools.update_wrapper(wrapper, original)

    def _after(self, _: Any, this: Any, /, *args: Any, **kwargs: Any) -> None:
        try:
            self.settle()
            owner = id(this)
            self._function = weakref.ref(this, self._forget)  # another function may come to lie where this one did
            free = self._ran(owner, 1, (args, kwargs))
            self._count += 1
            left = -self._count % CALLS
            if not left:
                self.often()
            self._granted = min(free, (left or CALLS) - 1)
            self._free[:] = owner, self._granted
        except Exception as error:
            self._recorder.fail(error)

    def _forget(self, reference: weakref.ref[Any]) -> None:
        if reference is self._function:
            try:
                self.settle()
            except Exception as error:
                self._recorder.fail(error)

    def settle(self) -> None:
        """Tell of the calls that were only counted; the next call is looked at again."""
        owner, left = self._free
        times = self._granted - left
        self._free[:] = 0, 0
        self._granted = 0
        if times:
            self._count += times
            self._ran(owner, times, None)


def gated(original: Callable[..., Any], before: Callable[[Any], None], free: list[int]) -> Callable[..., Any]:
    """A method around `original` that calls `before` with its object, unless this call is one that is only counted.

    `free` holds the id of an object, and how many calls of it are still to be counted only.
    """
    if is_compiled():
        wrapper: Callable[..., Any] = compiled.gate(original, before, free)
        return functools.update_wrapper(wrapper, original)

    @functools.wraps(original)
    def gate(this: Any, /, *args: Any, **kwargs: Any) -> Any:
        if free[0] == id(this) and free[1] > 0:
            free[1] -= 1
        else:
            before(this)
        return original(this, *args, **kwargs)

    return gate


def _function_class() -> Any:
    """The class behind `tf.function`, wherever this TensorFlow keeps it."""
    try:
        from tensorflow.python.eager.polymorphic_function import polymorphic_function as home
    except ImportError:
        from tensorflow.python.eager import def_function as home
    return home.Function
