"""A hook on the gradient of a result was refused, or that it is kept: the result has no graph. Why is that?"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import torch

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.explaining.answers import NEEDS_GRAPH, Explaining
from tensorwhy.adapters.torch.explaining.without_graph import without_graph
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.model.facts import Fact
from tensorwhy.source.answers.calls import call_at


def probe(live: LiveFailure) -> Iterator[Fact]:
    """Where the graph behind that tensor ended."""
    recording, own = current.recording(), live.stacks[0].own
    explaining = Explaining(recording) if recording is not None else None
    call = call_at(explaining.sources, own.location) if explaining is not None and own is not None else None
    if recording is None or explaining is None or own is None or call is None or not recording.recorder.is_whole():
        return
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in NEEDS_GRAPH[1:]:
        return
    tensor = values.value(call.func.value, own.frame)
    if not isinstance(tensor, torch.Tensor) or tensor.requires_grad:
        return
    recorder = recording.recorder
    asked = Asked.refused(
        "backward",
        live.exceptions[0],
        recorder,
        recorder.place(own.frame),
        targets=(recorder.serial(tensor),),
        switch=None if torch.is_grad_enabled() else recorder.switch,
    )
    facts = [fact for group in explaining.refused(asked) for fact in group.facts]
    yield from facts or without_graph(recording, asked, explaining)
