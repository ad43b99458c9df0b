"""An exception that came from a worker process, or another thread, and was raised again in this one.

PyTorch hands over its type and its traceback as a text; the objects are gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import torch

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch.operations.graphs import tensors
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix

_DETACH = (
    Fix(
        summary="give the dataset tensors that require no gradient: `detach()` them, as workers copy what they return",
        caveat="unless the data are to be trained; then index them in this process",
    ),
)
_ENTRY = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>.+)$', re.MULTILINE)


def probe(live: LiveFailure) -> Iterator[Fact]:
    """The program's own line that raised there, with what it raised."""
    stack = live.stacks[0]
    again = stack.first("reraise", "torch/_utils.py")
    wrapper = again[1].local("self") if again is not None else None
    if not isinstance(wrapper, torch._utils.ExceptionWrapper):
        return
    entries = [each for each in _ENTRY.finditer(wrapper.exc_msg) if live.user.owns(each["file"])]
    at = [Location(file=each["file"], line=int(each["line"]), function=each["function"]) for each in entries]
    raised = wrapper.exc_msg.strip().rpartition("\n")[2]
    own = stack.own.location if stack.own is not None else None
    lines = {"asked": own if at else None}
    label = "it was raised from this line there" if at else "what this line waits for failed there"
    loader = stack.first("next__", "torch/utils/data/dataloader.py")
    data = vars(loader[1].local("self")).get("_dataset") if loader is not None else None
    while isinstance(data, torch.utils.data.Subset):
        data = data.dataset
    held = tensors([*vars(data).values()]) if hasattr(data, "__dict__") else ()
    followed = not at and any(each.requires_grad for each in held)
    yield say("raised-elsewhere", at[-1] if at else own, lines, fixes=_DETACH if followed else (), where=wrapper.where,
              raised=raised, label=label)  # fmt: skip
