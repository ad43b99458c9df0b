"""A layer with a full backward hook of which no input requires a gradient: what it was given, and why that has none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from torch.utils.hooks import BackwardHook

from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.recording.calls import references
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Symptom


def facts(recording: Recording, stack: Stack, asked: Asked, explaining: Explaining) -> Iterator[GradientBreak]:
    """Where the graph behind the input of the layer ended whose hook returned a gradient for it."""
    hook = next((each.local("self") for each in reversed(stack.inner) if each.module == "torch.utils.hooks"), None)
    if not isinstance(hook, BackwardHook) or getattr(hook, "input_tensors_index", ()) is not None:
        return
    targets = _given(recording, hook.module)
    behind = recording.lineage().ancestors(targets, asked.event)
    leaves = recording.recorder.leaves.keys() - recording.recorder.frozen.keys()
    sources = sorted(leaves & behind)
    question = asked.about(sources, targets=targets, rooted=False)
    at = recording.journal.location(asked.place)
    symptom = Symptom(kind="exception", message=asked.problem, location=at)
    name = recording.modules.name_of(id(hook.module), explaining.sources)
    target = f"the input of `{name or type(hook.module).__name__}`"
    for group in explaining.explained(question, symptom, error=asked.problem.partition(":")[0]):
        for fact in group.facts:
            if isinstance(fact, GradientBreak):
                yield msgspec.structs.replace(fact, question=msgspec.structs.replace(fact.question, target=target))


def _given(recording: Recording, module: Any) -> tuple[int, ...]:
    """The tensors without a graph that the last run of a layer was given, parameters aside."""
    inside, recorder = {id(each) for each in module.modules()}, recording.recorder
    found, seen = set[int](), set[tuple[int, int]]()
    for call in recorder.calls.latest():
        if call.owner in inside:
            if (call.owner, call.place) in seen:
                break
            seen.add((call.owner, call.place))
            given = {*references((call.args, call.kwargs))} - recorder.parameters.keys()
            if not any(map(recorder.serials.requires, given)):
                found |= given
    return tuple(sorted(found))
