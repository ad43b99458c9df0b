"""Counts the calls of traced functions: most of them are counted, and nothing else is done.

After a call somebody may have to look: at the variables, after ever more calls; at the window of steps, after a few.
When that will be is known beforehand. So a function that was looked at is granted a number of calls that are only
counted. Who wants to know how often something ran calls `settle` first. Of a training step that is known by then, those
calls leave no rows in the journal.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tensorwhy.adapters.tensorflow.call_budgets import CallBudgets, left, spent
from tensorwhy.recording.hot_path import compiled, is_compiled

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder

_OFTEN, _FIRST, _RARELY = 16, 64, 64
"""So many calls are told of together: among the first ones, and later."""

Ran = Callable[[int, int, Any], int]
"""Told of a function by its id, how often it ran, and what the last call was given (None where that was only counted).

Returns how many calls may come before it has to be told again.
"""


class Calls:
    """Calls of traced functions that are within no other one. `running` holds the function that runs now.

    `ran` is told of the calls of each function, while `result` has what that one returned; `together` of how many there
    were of all, after a number of them. `is_known` is asked whether the calls of a function may go unwritten from now
    on, while they are only counted.
    """

    def __init__(self, recorder: Recorder, ran: Ran) -> None:
        self.running: list[int] = []
        self.together: Callable[[int], None] = lambda times: None
        self.is_known: Callable[[int], bool] = lambda owner: False
        self.result: Any = None
        self._ran = ran
        self._budgets = CallBudgets()
        self._count = self._untold = 0
        self._recorder = recorder

    def install(self) -> None:
        """Replace what is called for a function that TensorFlow traces."""
        self._recorder.patches.replace(_function_class(), "__call__", self._wrap)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, running, slots, after = self._recorder, self.running, self._budgets.slots, self._after
        unwritten = recorder.unwritten

        def __call__(this: Any, /, *args: Any, **kwargs: Any) -> Any:
            if running or not recorder.active:
                return original(this, *args, **kwargs)
            owner = id(this)
            running.append(owner)
            recorder.silent = threading.get_ident() if owner in unwritten and left(slots, owner) > 0 else 0
            try:
                result = original(this, *args, **kwargs)
            finally:
                running.clear()
                recorder.silent = 0
            if recorder.active and not spent(slots, owner):
                after(result, this, *args, **kwargs)
            return result

        wrapper = recorder.around("CALLED", original, after, (running, slots)) or __call__
        return functools.update_wrapper(wrapper, original)

    def _after(self, result: Any, this: Any, /, *args: Any, **kwargs: Any) -> None:
        try:
            owner = id(this)
            self._budgets.settle(owner)
            self.result = result
            try:
                free = self._ran(owner, 1, (args, kwargs))
            finally:
                self.result = None
            self._count += 1
            self._untold += 1
            together = _OFTEN if self._count <= _FIRST else _RARELY
            if self._untold >= together:
                times, self._untold = self._untold, 0
                self.together(times)
            self._budgets.give(
                this, min(free, together - self._untold - 1), functools.partial(self._were_counted, owner)
            )
            if self.is_known(owner):
                self._recorder.leave_out(owner)
            else:
                self._recorder.write(owner)
        except Exception as error:
            self._recorder.fail(error)

    def _were_counted(self, owner: int, times: int) -> None:
        try:
            self._count += times
            self._untold += times
            self._ran(owner, times, None)
        except Exception as error:
            self._recorder.fail(error)

    def settle(self) -> None:
        """Tell of the calls that were only counted; the next call of each function is looked at again."""
        self._budgets.settle_all()


def gated(original: Callable[..., Any], before: Callable[[Any], None], slots: list[int]) -> Callable[..., Any]:
    """A method around `original` that calls `before` with its object, unless this call is one that is only counted.

    `slots` are those of the `CallBudgets` that say so.
    """
    if is_compiled():
        wrapper: Callable[..., Any] = compiled.gate(original, before, slots)
        return functools.update_wrapper(wrapper, original)

    @functools.wraps(original)
    def gate(this: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not spent(slots, id(this)):
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
