"""Why a target has no graph, where the recording does not show how it was computed."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.utils.checkpoint

from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words import words
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix


def without_graph(recording: Recording, asked: Asked, explaining: Explaining) -> Iterator[Observed]:
    """Graphs are off where it was asked, or were when the target was computed; or that is not known."""
    at = recording.journal.location
    target, place = explaining.target(asked), at(asked.place)
    if asked.switch is not None and asked.switch.place >= 0:
        call, where = words.switch(asked.switch.word)
        fixes = words.without_switch(asked.switch.word, f"compute {target} outside of {call}")
        lines = {"asked": place}
        yield say(
            "target-without-graph", at(asked.switch.place), lines, fixes=fixes, target=target, how=f"{where} {call}"
        )
    elif not asked.whole and asked.call == "backward":
        yield say("target-not-seen", place, target=target)
    elif asked.call == "backward" and (found := _of_plain_tensors(recording, asked, explaining)) is not None:
        yield found


def within(recording: Recording, stack: Stack, explaining: Explaining) -> tuple[Asked, Observed] | None:
    """Graphs are off where it was asked because PyTorch runs a part of a `Function`, or a hook, without them."""
    own, last = stack.own, stack.innermost_user()
    for index in range(last or 0, 0, -1):
        where = _where(stack.frames[index - 1], stack.frames[index])
        if where and own is not None:
            break
        if _switches_on(stack.frames[index]):  # and something else switched them off again
            return None
    else:
        return None
    recorder = recording.recorder
    asked = Asked.refused("", stack.exception, recorder, recorder.place(own.frame))
    at, outside = stack.below(index - 1)[0].location, stack.caller(index)
    apart = (at.file, at.line) != (own.location.file, own.location.line)
    lines = {"used": outside.location if outside is not None else None, "asked": own.location if apart else None}
    fixes = (Fix(summary="pass `use_reentrant=False` to `checkpoint`, which keeps a graph"),) if where == _FIRST else ()
    return asked, say("target-within", at, lines, fixes=fixes, target=explaining.target(asked), where=where)


_FIRST = "the first run of a reentrant `checkpoint`"


def _where(caller: Frame, called: Frame) -> str:
    """What PyTorch runs without a graph, if this is how it is called."""
    kind, node = caller.local("cls"), caller.local("self")
    if kind is torch.utils.checkpoint.CheckpointFunction:
        return _FIRST
    if caller.name in ("apply", "apply_boxed"):
        forward = isinstance(kind, type) and issubclass(kind, torch.autograd.Function) and called.function == "forward"
        kind = kind if forward else getattr(node, "_forward_cls", None)
        return f"`{kind.__name__}.{called.function}`" if kind is not None else ""
    if caller.name == "engine_run_backward":
        return f"the hook `{called.function}`" if called.user else ""
    return ""


def _switches_on(frame: Frame) -> bool:
    """Whether the code of a frame names something that switches graphs on."""
    return not {"enable_grad", "set_grad_enabled"}.isdisjoint(frame.frame.f_code.co_names)


def _of_plain_tensors(recording: Recording, asked: Asked, explaining: Explaining) -> Observed | None:
    """Nothing that the target is computed from was ever told to require a gradient."""
    at, lineage, target = recording.journal.location, recording.lineage(), explaining.target(asked)
    behind = lineage.ancestors(asked.targets, asked.event)
    if recording.recorder.holes & behind or any(map(recording.recorder.serials.requires, behind)):
        return None
    given = recording.training.given()
    places = [at(event.place) for number in sorted(behind & set(given)) for event in lineage.makers(number)[:1]]
    made = next((each for each in places if each is not None), None)
    names = explaining.sources.names(made) if made is not None else ()
    name = f"`{names[0]}`" if len(names) == 1 else "the tensor that is to learn"
    lines = {"asked": at(asked.place) if made is not None else None}
    key = "target-of-plain-tensors" if made is not None else "target-of-nothing"
    return say(key, made or at(asked.place), lines, target=target, name=name)
