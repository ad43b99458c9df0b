"""Which operation's gradient PyTorch refused to compute because its tensors have several dtypes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import torch

from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch.operations import graphs
from tensorwhy.adapters.torch.operations.kinds import CAST_CALLS
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.source.files import Sources


class Mixed:
    """Asks the nodes of a live graph, each alone, whether they refuse what they saved."""

    def __init__(self, recording: Recording, stack: Stack) -> None:
        self._recording = recording
        self._stack = stack
        self._sources = Sources()

    def facts(self, targets: Any) -> Iterator[Observed]:
        """The first node that refuses, with tensors that differ in their dtypes."""
        for node in graphs.nodes(targets):
            saved = _saved(node)
            if len({each.dtype for each in saved}) > 1 and _refuses(node, self._stack.exception):
                yield from self._told(node, saved)
                return

    def _told(self, node: Any, saved: list[Any]) -> Iterator[Observed]:
        tracked = next((each for each in saved if each.requires_grad), None)
        other = next((e for e in saved if tracked is not None and e.dtype != tracked.dtype), None)
        own = self._stack.own
        if tracked is None or other is None or own is None:
            return
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(node).__name__.partition("Backward")[0]).lower()
        made = self._recording.recorder.event(node)
        place = self._recording.journal.location(made.place) if made is not None else None
        text = self._name(other)
        wanted, has = (str(each.dtype).removeprefix("torch.") for each in (tracked, other))
        call = self._sources.expression(place) if place is not None else ""
        what = f"`{call}`" if 0 < len(call) <= 60 else f"`{name}`"
        cast = CAST_CALLS.get(tracked.dtype, f"to({tracked.dtype})")
        fix = f"use `{text}.{cast}` in this call" if text else f"convert the {has} tensor: `.{cast}`"
        seen: dict[str, Any] = {
            "what": what,
            "one": f"`{text}`" if text else "one of its tensors",
            "has": has,
            "wanted": wanted,
        }
        lines, error = {"asked": own.location}, type(self._stack.exception).__name__
        key = "mixed" if place is not None else "mixed-somewhere"
        yield say(key, place or own.location, lines, name=name, fix=fix, error=error, **seen)

    def _name(self, tensor: Any) -> str:
        """What a frame of the program calls a tensor."""
        for frame in reversed(self._stack.frames):
            if frame.user:
                names = [name for name, held in frame.frame.f_locals.items() if held is tensor]
                if names:
                    return names[0]
        return ""


def _saved(node: Any) -> list[Any]:
    """The floating-point tensors that a node of PyTorch's own saved; none where they were freed."""
    found = []
    for name in dir(type(node)) if type(node).__module__ == "builtins" else ():
        if name.startswith("_saved_"):
            try:
                each = getattr(node, name)
            except RuntimeError:  # freed
                return []
            if isinstance(each, torch.Tensor) and each.is_floating_point():
                found.append(each)
    return found


def _refuses(node: Any, error: BaseException) -> bool:
    """Return whether the gradient of this operation alone fails in the same way. Nothing else runs, and no hook."""
    metadata = getattr(node, "_input_metadata", None)
    if metadata is None:  # older versions do not tell what a node is given
        return False
    given = [torch.zeros(each.shape, dtype=each.dtype, device=each.device) for each in metadata]
    with torch.no_grad(), torch._C.DisableTorchFunction():
        try:
            node(*given)
        except RuntimeError as again:
            return str(again) == str(error)
    return False
