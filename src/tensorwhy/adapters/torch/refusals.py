"""What PyTorch's objects are called where something refuses them, and where they came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from tensorwhy.adapters.refusal.described import Described, Earlier, Vocabulary
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.failures.native import native
from tensorwhy.adapters.torch.failures.refusal_rules import RULES
from tensorwhy.adapters.torch.failures.trials import dtype_name
from tensorwhy.adapters.torch.recording.calls import Result, references
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_CHANGE = "change a copy: `x = x.clone()` before this line"
_BEHIND = 27


def describe(thing: Any, user: UserCode) -> Described | None:
    """A tensor by its dtype and shape, a layer by its settings; None for anything else."""
    if isinstance(thing, torch.Tensor):
        with torch._C.DisableTorchFunction():
            device = f" on {thing.device}" if thing.device.type != "cpu" else ""
            detail = f"{dtype_name(thing.dtype)} {tuple(thing.shape)}{device}"
        noun = "parameter" if isinstance(thing, torch.nn.Parameter) else "tensor"
        return Described(what=noun, name=_name(thing), detail=detail, made=_made(thing), instead=_CHANGE)
    if isinstance(thing, torch.nn.Module):
        return Described(what="layer", detail=f"{type(thing).__name__}({_settings(thing)})", made=_made_module(thing))
    if isinstance(thing, torch.optim.Optimizer):
        return Described(what="optimizer", detail=type(thing).__name__)
    return None


def _settings(module: Any) -> str:
    """What a layer of PyTorch's says of itself; nothing of one that is long, or not complete."""
    try:
        text = str(module.extra_repr()) if type(module).__module__.startswith("torch.nn") else ""
    except Exception:  # its constructor has failed, or left it as it was
        return ""
    return text if len(text) <= 60 else ""


def kind(cls: type) -> str:
    """The noun for the objects of a class of PyTorch."""
    if not isinstance(cls, type):
        return ""
    nouns = ((torch.nn.Parameter, "parameter"), (torch.Tensor, "tensor"), (torch.nn.Module, "layer"))
    return next((noun for known, noun in nouns if issubclass(cls, known)), "")


def _name(tensor: Any) -> str:
    recording = current.recording()
    number = recording.recorder.serials.known(tensor) if recording is not None else None
    if recording is None or number is None:
        return ""
    recording.modules.learn()
    return recording.modules.named(Sources()).get(number, "")


def _made(tensor: Any) -> Location | None:
    recording = current.recording()
    number = recording.recorder.serials.known(tensor) if recording is not None else None
    if recording is None or number is None or torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return None  # a transform wraps a tensor anew for each call
    rows = recording.lineage().makers(number)
    place = rows[-1].place if rows else recording.recorder.made.get(number, -1)
    return recording.journal.location(place)


def _made_module(module: Any) -> Location | None:
    recording = current.recording()
    if recording is None or not any(each is module for each in recording.modules.alive()):
        return None
    return recording.modules.created(module, Sources())


def _behind(thing: Any, user: UserCode) -> Iterator[Any]:
    """The tensors that one was computed from, nearest first, as far as they are alive."""
    recording = current.recording()
    number = recording.recorder.serials.known(thing) if recording is not None else None
    waiting, seen = [number] if number is not None else [], set[int]()
    while recording is not None and waiting and len(seen) < _BEHIND:
        known = recording.recorder.calls.maker(waiting.pop(0))
        for each in references((known[1].args, known[1].kwargs)) if known is not None else ():
            if each not in seen:
                seen.add(each)
                waiting.append(each)
                if (alive := recording.recorder.calls.living(each)) is not None:
                    yield alive


def _earlier(given: Sequence[tuple[Location, tuple[int, ...]]]) -> tuple[int, Earlier] | None:
    """What the last call on each line gave in another run of it: of the first line where that had another rank."""
    recording = current.recording()
    if recording is None or not given:
        return None
    lines: dict[tuple[str, int], list[int]] = {}
    for turn, (at, _) in enumerate(given):
        for line in range(at.line, (at.end_line or at.line) + 1):
            lines.setdefault((at.file, line), []).append(turn)
    turns: dict[int, set[int]] = {}
    last, found = dict[int, Result](), dict[int, Earlier]()
    for result in recording.recorder.calls.results():
        if result.place not in turns:
            chain = [each.location for each in recording.journal.chain(result.place)]
            turns[result.place] = {turn for each in chain for turn in lines.get((each.file, each.line), ())}
        for turn in turns[result.place] - found.keys():
            newest = last.setdefault(turn, result)
            same = (newest.place, newest.name) == (result.place, result.name)
            if same and result.shape and len(result.shape) != len(given[turn][1]):
                found[turn] = Earlier(result.shape, _squeezed(result))
    return min(found.items()) if found else None


def _squeezed(result: Result) -> tuple[str, ...]:
    """What to do about a `squeeze` that takes every axis of size 1."""
    axes = [axis for axis, size in enumerate(result.given[0]) if size == 1] if result.bare else []
    named = result.name == "squeeze" and len(axes) == 1
    return (f"name the axis that has to go: `squeeze({axes[0]})`",) if named else ()


VOCABULARY = Vocabulary(
    describe=describe,
    libraries=("torch",),
    rules=RULES,
    kind=kind,
    native=native,
    behind=_behind,
    earlier=_earlier,
    tensor=torch.Tensor,
)
