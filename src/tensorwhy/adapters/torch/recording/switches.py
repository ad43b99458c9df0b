"""Where graphs are switched off: noted always, and recorded where that is new after recording rests.

What is computed without a graph may be used long after: what a cache got in an evaluation, or all that comes after a
switch that nobody turned back. So an unknown place at which graphs are switched off begins a short recording, until
the next `backward` that succeeds, or the next step of an optimizer.
"""

from __future__ import annotations

import functools
import sys
from threading import get_ident
from types import FrameType
from typing import Any

import torch
from torch.utils import _contextlib

from tensorwhy.adapters.torch.operations.graphs import keeps_graphs
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.rows import Switch
from tensorwhy.adapters.torch.recording.short import NUMBERS

_DEEPEST = 100
_MOST = 1_000
_CONTEXTS = frozenset(
    code.co_filename for code in (torch.no_grad.__exit__.__code__, _contextlib.context_decorator.__code__)
)
_OWN = _CONTEXTS | {torch.optim.Optimizer.step.__code__.co_filename}
"""What switches inside is followed itself, or concerns a step of an optimizer alone, which leaves no rows."""
_CALL, _INFERENCE = "torch.set_grad_enabled", "torch.inference_mode"
_Key = tuple[int, int, int, int] | None


class Switches:
    """Follows `no_grad`, `set_grad_enabled` and `inference_mode`, as contexts, decorators and calls.

    Programs switch often, so that the place of a switch is looked up once for two lines of the stack while recording
    rests.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._entered: list[tuple[int, Switch]] = []
        self._known: dict[_Key, Switch] = {}
        self._called = 0, recorder.switch
        """The `set_grad_enabled` that was made last, and the switch before it."""

    def install(self) -> None:
        """Put the hooks in."""
        replace = self._recorder.patches.replace
        for context in (torch.no_grad, torch.set_grad_enabled, torch.inference_mode):
            replace(context, "__enter__", functools.partial(self._entering, f"torch.{context.__name__}"))
            replace(context, "__exit__", self._leaving)
        replace(torch.set_grad_enabled, "__init__", self._calling)

    def _calling(self, original: Any) -> Any:
        recorder = self._recorder

        def __init__(self_: Any, mode: bool) -> None:
            frame = sys._getframe(1)
            if frame.f_code.co_filename not in _OWN and recorder.active and get_ident() == recorder.thread:
                self._called = id(self_), recorder.switch
                self._turned(bool(mode), _CALL, frame)
            original(self_, mode)

        __init__.__wrapped__ = original  # type: ignore[attr-defined]
        return __init__

    def _entering(self, word: str, original: Any) -> Any:
        recorder = self._recorder

        def __enter__(context: Any) -> Any:
            if recorder.active and get_ident() == recorder.thread:
                called, before = self._called
                self._called = 0, before
                self._entered.append((id(context), before if called == id(context) else recorder.switch))
                mode = bool(getattr(context, "mode", False))
                self._turned(mode != (word == _INFERENCE), word, sys._getframe(1))
            return original(context)

        __enter__.__wrapped__ = original  # type: ignore[attr-defined]
        return __enter__

    def _leaving(self, original: Any) -> Any:
        recorder = self._recorder

        def __exit__(context: Any, *args: Any) -> Any:
            left = original(context, *args)
            if recorder.active and get_ident() == recorder.thread:
                entered = self._entered
                while entered:
                    number, before = entered.pop()
                    if number == id(context):
                        recorder.switch = before
                        break
                if recorder.short.on:
                    recorder.short.lengthen(NUMBERS, keeps_graphs())
            return left

        __exit__.__wrapped__ = original  # type: ignore[attr-defined]
        return __exit__

    def _turned(self, on: bool, word: str, frame: FrameType | None) -> None:
        """Note a switch; where it is an unknown one of the program's, record what comes."""
        recorder = self._recorder
        try:
            if recorder.short.on:
                recorder.short.lengthen(NUMBERS, on and not torch.is_inference_mode_enabled())
            if on:
                return
            key = _key(frame)
            switch = self._known.get(key)
            if switch is None or recorder.armed:
                new, switch = switch is None, Switch(recorder.place(frame), word)
                if len(self._known) < _MOST:
                    self._known[key] = switch
                if new and recorder.gap is not None and not recorder.silent and _is_asked_outside(frame):
                    recorder.short.wake()
            recorder.switch = switch
            if word == _INFERENCE:
                recorder.inferring = switch
            del self._entered[:-_DEEPEST]
        except Exception as error:  # the program goes on whatever happens to the recording
            recorder.fail(error)


def _key(frame: FrameType | None) -> _Key:
    """The nearest two lines outside of what PyTorch puts around a switch."""
    while frame is not None and frame.f_code.co_filename in _CONTEXTS:
        frame = frame.f_back
    outer = frame.f_back if frame is not None else None
    if frame is None or outer is None:
        return None
    return id(frame.f_code), frame.f_lasti, id(outer.f_code), outer.f_lasti


def _is_asked_outside(frame: FrameType | None) -> bool:
    """Return whether it is not PyTorch's own code that computes without a graph."""
    while frame is not None and frame.f_code.co_filename in _CONTEXTS:
        function = frame.f_locals.get("func")
        if str(getattr(function, "__module__", "")).startswith("torch."):
            return False
        frame = frame.f_back
    return frame is not None and not str(frame.f_globals.get("__name__", "")).startswith("torch.")
