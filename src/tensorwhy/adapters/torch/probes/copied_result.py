"""`copy.deepcopy` met a tensor that is a result, with a graph: where is it kept, and what made it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts import Fact
from tensorwhy.source.files import Sources

_DEPTH = 4


def probe(live: LiveFailure) -> Iterator[Fact]:
    """The object that holds the tensor, and the line that gave it to that; told as an answer at the end."""
    stack, recording = live.stacks[0], current.recording()
    refused = next((frame.local("self") for _, frame in stack.find("deepcopy__", "torch/_tensor.py")), None)
    own = stack.own
    if not isinstance(refused, torch.Tensor) or refused.is_leaf or own is None:
        return
    number = recording.recorder.serials.known(refused) if recording is not None else None
    rows = recording.lineage().makers(number) if recording is not None and number is not None else []
    made = recording.journal.location(rows[-1].place) if recording is not None and rows else None
    path = ""
    for _, frame in reversed([*stack.find("deepcopy")]):
        found = _held(frame.local("x"), refused, "")
        if found is not None:
            path = found
            break
    attribute = path.rpartition(".")[2]
    text = Sources().expression(own.location)
    fact = say(
        "result-copied" if made is not None else "result-copied-somewhere",
        made or own.location,
        {"asked": own.location if made is not None else None},
        text=text if len(text) <= 40 else "copy.deepcopy",
        keeps=f"the copied object keeps it as `{path}`: " if path else "",
        attribute=attribute or "it",
    )
    if recording is not None:
        recorder = recording.recorder
        question = Asked.refused("copy", live.exceptions[0], recorder, recorder.place(own.frame))
        recording.asking.moment = question, (fact,)
    yield from ()


def _held(thing: Any, wanted: Any, path: str, depth: int = 0) -> str | None:
    """The way from an object to a tensor that it holds."""
    if isinstance(thing, torch.nn.Module):
        for name, module in thing.named_modules():
            for attribute, value in [*vars(module).items(), *module._buffers.items()]:
                inside = isinstance(value, (list, tuple, dict)) and _held(value, wanted, "", 1) is not None
                if attribute[:1] != "_" and (value is wanted or inside):
                    return ".".join(filter(None, (path, name, attribute)))
        return None
    if depth >= _DEPTH or isinstance(thing, torch.Tensor):
        return None
    parts = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, (list, tuple)) else ()
    parts = parts or (vars(thing).items() if hasattr(thing, "__dict__") and not isinstance(thing, type) else ())
    for key, value in parts:
        if value is wanted:
            return f"{path}.{key}".strip(".")
        found = _held(value, wanted, f"{path}.{key}".strip("."), depth + 1)
        if found is not None:
            return found
    return None
