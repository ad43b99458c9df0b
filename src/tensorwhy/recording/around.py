"""Hooks around methods in which many operations run.

For each operation TensorFlow looks up the line of every Python frame that it stands under. A wrapper in Python is one
more: three around an optimizer's update cost a fiftieth of a training step. The compiled wrapper has no frame.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

from tensorwhy.recording.hot_path import compiled, is_compiled

Before = Callable[..., "tuple[tuple[Any, ...], dict[str, Any], Any] | None"]
"""Given what a method is called with; returns what to call it with and a state, or None to be told of no end."""
After = Callable[[Any, "BaseException | None", Any], None]
"""Given that state, what the method raised, if it did, and what it returned, if it did."""


def around(original: Callable[..., Any], before: Before, after: After) -> Callable[..., Any]:
    """A method that calls `before`, `original` and `after`. What these two raise is nobody's business but theirs."""
    if is_compiled():
        return _signed(compiled.around(original, before, after), original)

    @functools.wraps(original)
    def method(*args: Any, **kwargs: Any) -> Any:
        try:
            begun = before(*args, **kwargs)
        except Exception:  # the bulkhead: what does not fit is for the method to refuse
            begun = None
        if begun is None:
            return original(*args, **kwargs)
        args, kwargs, state = begun
        raised: BaseException | None = None
        result = None
        try:
            result = original(*args, **kwargs)
            return result
        except BaseException as error:
            raised = error
            raise
        finally:
            try:
                after(state, raised, result)
            except Exception:  # the bulkhead
                pass

    return method


def told(original: Callable[..., Any], after: Callable[..., None], unless: type | None = None) -> Callable[..., Any]:
    """A method that calls `original`, and then `after` with the result and the arguments. `after` may raise nothing.

    Of objects whose type is `unless` nothing is told.
    """
    if is_compiled():
        return _signed(compiled.told(original, after, unless), original)

    @functools.wraps(original)
    def method(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if not args or type(args[0]) is not unless:
            _tell(after, result, *args, **kwargs)
        return result

    return method


class Running(threading.local):
    """`running`: the objects whose method is being called in this thread, outermost first."""

    def __init__(self) -> None:
        self.running: list[Any] = []


def within(original: Callable[..., Any], inside: Running, after: Callable[..., None]) -> Callable[..., Any]:
    """The same as `told`; meanwhile, and when `after` is called, the object is the last one `inside`."""
    if is_compiled():
        return _signed(compiled.within(original, inside, after), original)

    @functools.wraps(original)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        running = inside.running
        depth = len(running)
        running.append(self)
        try:
            result = original(self, *args, **kwargs)
            _tell(after, result, self, *args, **kwargs)
            return result
        finally:
            del running[depth:]

    return method


def _tell(after: Callable[..., None], *args: Any, **kwargs: Any) -> None:
    try:
        after(*args, **kwargs)
    except Exception:  # the bulkhead
        pass


def _signed(wrapper: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    with contextlib.suppress(TypeError, ValueError):  # somebody else's wrapper may have none
        wrapper.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]  # `tf.function` asks for it
    return functools.update_wrapper(wrapper, original)
