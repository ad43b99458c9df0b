"""Hooks around methods in which many operations run.

For each operation TensorFlow looks up the line of every Python frame that it stands under. A wrapper in Python is one
more: three around an optimizer's update cost a fiftieth of a training step. The compiled wrapper has no frame.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

from tensorwhy.recording.hot_path import compiled, is_compiled

Before = Callable[..., "tuple[tuple[Any, ...], dict[str, Any], Any] | None"]
"""Given what a method is called with; returns what to call it with and a state, or None to be told of no end."""
After = Callable[[Any, "BaseException | None"], None]
"""Given that state, and what the method raised, if it did."""


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
        try:
            return original(*args, **kwargs)
        except BaseException as error:
            raised = error
            raise
        finally:
            try:
                after(state, raised)
            except Exception:  # the bulkhead
                pass

    return method


def told(original: Callable[..., Any], after: Callable[..., None]) -> Callable[..., Any]:
    """A method that calls `original`, and then `after` with the result and the arguments. `after` may raise nothing."""
    if is_compiled():
        return _signed(compiled.told(original, after), original)

    @functools.wraps(original)
    def method(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        try:
            after(result, *args, **kwargs)
        except Exception:  # the bulkhead
            pass
        return result

    return method


def _signed(wrapper: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    with contextlib.suppress(TypeError, ValueError):  # somebody else's wrapper may have none
        wrapper.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]  # `tf.function` asks for it
    return functools.update_wrapper(wrapper, original)
