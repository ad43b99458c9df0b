"""Calls that clip gradients, and whether the gradients that a step uses are the ones that were clipped."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.between_steps import Held, held_by, is_same, members
from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_LOOKS = 16
"""So many calls of one place, and so many steps of an optimizer, are looked at."""
_PLACES = 64
_OFTEN = 3
_FAR = 0.1
"""A norm that is so much smaller than its limit was not clipped to that."""


class Clip:
    """The calls of one place. `empty` of them were given no parameter.

    The rest counts steps that followed: `steps` in all; `after` those whose gradients were computed after the last
    call, `spent` those of them before which a call clipped what an earlier step had used. `scaled` has the scale of a
    step that was divided by it after it was clipped, with the norm that was left.
    """

    def __init__(self, place: int) -> None:
        self.place = place
        self.calls = self.empty = self.steps = self.after = self.spent = 0
        self.exhausted = False
        self.scaled: list[tuple[float, float]] = []
        self.limit = 0.0
        self.step = self.backward = -1
        self.last: Last | None = None


class Last(NamedTuple):
    """The last call: after so many calls of `backward`, of which parameters, their norm, and a gradient that it left.

    `first` is the parameter of that gradient.
    """

    number: int
    members: frozenset[int]
    norm: Any = None
    first: int = 0
    left: Held | None = None


class Clipping:
    """Follows `clip_grad_norm_` and `clip_grad_value_`."""

    def __init__(self, recorder: Recorder, backward: Callable[[], tuple[int, int]]) -> None:
        self._recorder = recorder
        self._backward = backward
        self.clips: dict[int, Clip] = {}

    def install(self) -> None:
        """Put the hooks in, under both names of each function."""
        for owner in (torch.nn.utils, torch.nn.utils.clip_grad):
            for name in ("clip_grad_norm_", "clip_grad_value_"):
                self._recorder.patches.replace(owner, name, self._wrap)

    def _wrap(self, original: Any) -> Any:
        recorder = self._recorder

        def clip(*args: Any, **kwargs: Any) -> Any:
            if not recorder.active or not recorder.mine():
                return original(*args, **kwargs)
            seen, parameters = None, list[Any]()
            try:
                args, seen, parameters = self._given(args, kwargs, sys._getframe(1))
            except Exception as error:  # the program goes on whatever happens to the recording
                recorder.fail(error)
            norm = original(*args, **kwargs)
            if seen is not None:
                with torch._C.DisableTorchFunction():
                    first = next((each for each in parameters if each.grad is not None), None)
                    left = held_by(first.grad) if first is not None else None
                seen.last = Last(self._backward()[0], frozenset(map(id, parameters)), norm, id(first), left)
            return norm

        clip.__wrapped__ = original  # type: ignore[attr-defined]
        return clip

    def _given(self, args: Any, kwargs: Any, frame: Any) -> tuple[Any, Clip | None, list[Any]]:
        """Return the arguments, as good as they were, what is known of the place of the call, and the parameters."""
        place = self._recorder.place(frame)
        seen = self.clips.get(place)
        if seen is None and len(self.clips) < _PLACES:
            seen = self.clips[place] = Clip(place)
        if seen is None or seen.calls >= _LOOKS or not args:
            return args, None, []
        given, iterator = args[0], False
        if isinstance(given, torch.Tensor):
            parameters = [given]
        else:
            parameters = list(given)
            iterator = iter(given) is given
        if iterator:  # it can be read only once
            again = (each for each in parameters) if isinstance(given, types.GeneratorType) else iter(parameters)
            args = again, *args[1:]
        seen.calls += 1
        seen.empty += not parameters
        seen.exhausted |= iterator and not parameters
        limit = args[1] if len(args) > 1 else next((v for k, v in kwargs.items() if k in ("max_norm", "clip_value")), 0)
        seen.limit = float(limit)
        return args, seen, parameters

    def step(self, optimizer: Any, used: int, steps: int, place: int, frame: Any) -> None:
        """An optimizer is about to make a step, and its last one came after so many calls of `backward` (`used`)."""
        if steps > _LOOKS or not self.clips:
            return
        number, computed = self._backward()
        given = {id(each): each for each in members(optimizer)}
        for clip in self.clips.values():
            last = clip.last
            if last is None or not last.members & given.keys():
                continue
            clip.steps += 1
            clip.step, clip.backward = place, computed
            first = given.get(last.first)
            same = last.left is not None and first is not None and is_same(held_by(first.grad), last.left)
            if last.number < number and not same:
                clip.after += 1
                clip.spent += 0 < last.number <= used
            elif isinstance(last.norm, torch.Tensor) and float(last.norm) > clip.limit and (scaler := _scaler(frame)):
                left = [p.grad for at, p in given.items() if at in last.members and p.grad is not None]
                norm = float(torch.stack([each.detach().float().norm() for each in left]).norm())
                if norm < _FAR * clip.limit:
                    clip.scaled.append((float(scaler.get_scale()), norm))


def _scaler(frame: Any) -> Any:
    """The scaler that makes the step of a frame."""
    for _ in range(8):
        if frame is None:
            break
        if frame.f_code.co_name == "step" and frame.f_code.co_filename.endswith("grad_scaler.py"):
            return frame.f_locals.get("self")
        frame = frame.f_back
    return None


def facts(clips: Iterable[Clip], journal: j.Journal, sources: Sources) -> Iterator[Observed]:
    """One fact for each place whose calls change nothing, or too much."""
    for clip in clips:
        where, at = journal.location(clip.place), journal.location
        if where is None:
            continue
        call = call_at(sources, where)
        name = f"`{ast.unparse(call.func)}`" if call is not None and len(ast.unparse(call.func)) <= 60 else "this call"
        if clip.calls > 1 and clip.empty == clip.calls:
            yield _nothing(clip, name, call, where, sources)
        elif min(clip.steps, clip.calls) >= _OFTEN and clip.after == clip.steps:
            spent = clip.spent >= clip.steps - 1
            yield Observed(
                slug="loop-misuse",
                message=f"{name} has no effect: "
                + ("it clips gradients that the step before has used" if spent else "it is called before `backward()`"),
                label="the gradients that are clipped here are not the ones that a step uses",
                location=where,
                related=(
                    *marked(at(clip.backward), "the gradients are computed here", "asked"),
                    *marked(at(clip.step), "and used here, as they are", "step"),
                ),
                severity="warning",
                fixes=(Fix(summary="clip the gradients after `backward()` and before `step()`"),),
            )
        elif clip.steps >= _OFTEN and len(clip.scaled) == clip.steps:
            scale, norm = clip.scaled[-1]
            yield Observed(
                slug="loop-misuse",
                message=f"{name} clips scaled gradients: the scaler divides them by {scale:g} after that, and a norm of"
                f" {norm:.2g} is left where the limit is {clip.limit:g}",
                label="gradients that are still scaled are clipped here",
                location=where,
                related=marked(at(clip.step), "they are divided by the scale here, and used", "step"),
                severity="warning",
                fixes=(Fix(summary="call `scaler.unscale_(optimizer)` before the gradients are clipped"),),
            )


def _nothing(clip: Clip, name: str, call: ast.Call | None, where: Location, sources: Sources) -> Observed:
    """All calls were given no parameter."""
    text = ast.unparse(call.args[0]) if call is not None and call.args else ""
    bound = _bound(text, where, sources) if clip.exhausted else None
    why = f"`{text}` is an iterator, and was read to its end before" if clip.exhausted else "it is given no parameter"
    return Observed(
        slug="loop-misuse",
        message=f"{name} clips nothing in all of its {clip.calls} first calls: {why}",
        label=f"`{text}` can be read only once" if bound is not None else "nothing is clipped here",
        location=bound or where,
        related=marked(where, "nothing is left of it here", "clip") if bound is not None else (),
        severity="warning",
        fixes=(
            Fix(
                summary=f"make it a list, which can be read again: `{text} = list(...)`"
                if clip.exhausted
                else "give it the parameters whose gradients are to be clipped"
            ),
        ),
    )


def _bound(name: str, where: Location, sources: Sources) -> Location | None:
    """The only statement of a file that gives something this name."""
    found = [
        sources.place(where.file, node)
        for node in sources.nodes(where.file)
        if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets)
    ]
    return found[0] if len(found) == 1 else None
