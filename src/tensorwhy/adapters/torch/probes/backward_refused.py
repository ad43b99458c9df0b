"""`backward` or `autograd.grad` was refused, and the recording does not tell why: what the moment itself tells.

What is found here is kept for the end, where it is told as an answer to what the program asked.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import msgspec
import torch

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack, UserFrame
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.explaining import hooked, reshaped
from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.explaining.mixed import Mixed
from tensorwhy.adapters.torch.explaining.spent import Spent
from tensorwhy.adapters.torch.explaining.without_graph import within, without_graph
from tensorwhy.adapters.torch.operations import graphs
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.seen import Recording, reference
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.adapters.torch.words.words import operation
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_ENGINE = (
    ("engine_run_backward", "torch/autograd/graph.py"),
    (("backward", "grad"), "torch/autograd/__init__.py"),  # before PyTorch 2.3
)


_REFUSES = "torch::autograd::Error"
"""What `once_differentiable` puts into a graph: a node that raises when a gradient comes to it."""
_TWICE = {
    "scaled_dot_product_attention": (
        Fix(
            summary="use the implementation that can be differentiated twice: compute it under `with"
            " torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):`",
            caveat="it needs more memory",
        ),
    )
}


def probe(live: LiveFailure) -> Iterator[Fact]:
    """Where graphs were off, or which operation was given tensors of several dtypes."""
    recording = current.recording()
    stack = live.stacks[0]
    index, engine = next((each for name, file in _ENGINE for each in stack.find(name, file)), (0, None))
    recomputed = stack.raised.name == "backward" and stack.raised.file.endswith("torch/utils/checkpoint.py")
    if recording is None or engine is None:
        return
    refusals = (recording.asking.refused, recording.asking.late)
    error, explaining = id(live.exceptions[0]), Explaining(recording)
    asked = next((each for each in refusals if each is not None and each.exception == error), None)
    if not (engine is stack.raised or recomputed):
        breaks = tuple(hooked.facts(recording, stack, asked, explaining)) if asked is not None and asked.whole else ()
        if asked is not None and breaks:
            recording.asking.moment = asked, breaks
        return
    targets, facts = engine.local("t_outputs") or engine.local("tensors") or (), tuple[Observed, ...]()
    off = recording.asking.off_within == error or (asked is not None and asked.switch is not None)
    if off and engine is stack.raised and not any(each.requires_grad for each in targets):
        found = within(recording, stack, explaining)
        if found is not None:
            recording.asking.refused, recording.asking.moment = None, (found[0], found[1:])
            return
    if asked is None:
        return
    asker = stack.first("grad", "torch/autograd/__init__.py")  # `backward` has no `inputs` there
    inputs = tuple(graphs.tensors([asker[1].local("inputs")])) if asker is not None else ()
    if transformed := tuple(_within_transform(recording, stack, [*targets, *inputs], asked)):
        recording.asking.refused, recording.asking.moment = None, (asked, transformed)
        return
    if engine is stack.raised and (frozen := _frozen_within(recording, stack.caller(index), inputs, explaining)):
        recording.asking.refused, recording.asking.moment = None, frozen
        return
    if asked.stale:
        Spent(recording, explaining.sources).find_keepers(asked)
    if recomputed:
        facts = tuple(_without_graph_again(recording, stack.raised.local("ctx"), asked))
    elif any(each.requires_grad for each in targets):
        facts = tuple(Mixed(recording, stack).facts(targets))
        if not asked.stale:
            facts = facts or tuple(reshaped.facts(recording, stack, targets, asked, explaining.sources))
            facts = facts or tuple(_ready_twice(recording, targets, asked, explaining.sources))
            facts = facts or tuple(_without_second(recording, targets, asked))
            facts = facts or tuple(_once_only(recording, targets, asked, explaining.sources))
        if not facts and not asked.stale:
            at = recording.journal.location(asked.place)
            facts = tuple(recording.asking.custom.refused(targets, asked.problem, at, explaining.sources))
    else:
        if not any(group.facts for group in explaining.refused(asked)):
            facts = tuple(without_graph(recording, asked, explaining))
    if facts:
        recording.asking.moment = asked, facts
    yield from ()


def _within_transform(recording: Recording, stack: Stack, given: list[Any], asked: Asked) -> Iterator[Observed]:
    """Gradients that are asked of the engine for tensors which a transform of `torch.func` made, with graphs apart."""
    outer = next((each for each in enumerate(stack.frames) if "/torch/_functorch/" in each[1].file), None)
    caller = stack.caller(outer[0]) if outer is not None else None
    if caller is not None and any(map(torch._C._functorch.is_functorch_wrapped_tensor, graphs.tensors(given))):
        yield say("within-transform", recording.journal.location(asked.place), {"made": caller.location})


def _frozen_within(
    recording: Recording, caller: UserFrame | None, inputs: tuple[Any, ...], explaining: Explaining
) -> tuple[Asked, tuple[Fact, ...]] | None:
    """A gradient asked for inside of `backward`, by a `Function` or a hook, of parameters that are frozen."""
    recorder, asked = recording.recorder, recording.asking.refused
    if caller is None or asked is None or recording.journal.location(asked.place) == caller.location:
        return None
    known = [recorder.serials.known(each) for each in inputs if not each.requires_grad]
    numbers = [each for each in known if each in recorder.frozen]
    asked = msgspec.structs.replace(asked, place=recorder.place(caller.frame))
    return (asked, (explaining.frozen("frozen-asked", asked, numbers),)) if numbers else None


def _without_graph_again(recording: Recording, ctx: Any, asked: Asked) -> Iterator[Observed]:
    """A reentrant checkpoint gave a result with a graph, and what it computed again in `backward` has none."""
    event, at = recording.recorder.event(ctx), recording.journal.location
    place = at(asked.place)
    lines = {"asked": place if event is not None else None}
    yield say("recomputed-without-graph", at(event.place) if event is not None else place, lines)


def _without_second(recording: Recording, targets: Any, asked: Asked) -> Iterator[Observed]:
    """A gradient with a graph, of an operation whose gradient PyTorch cannot differentiate."""
    at, made = recording.journal.location, recording.recorder.event
    for node in graphs.nodes(targets):
        edges = {each for each, _ in node.next_functions} if node.name().endswith("NotImplemented") else ()
        for each in edges:  # the operation leads where its gradient leads, too
            behind = {one for one, _ in each.next_functions} if each is not None else set()
            if behind and behind <= {*edges} and (event := made(each)) is not None:
                name = recording.journal.names[event.name].partition("|")[0]
                fixes = _TWICE.get(name, (Fix(summary=f"compute {operation(name)} from simpler operations"),))
                lines = {"asked": at(asked.place)}
                yield say("gradient-without-gradient", at(event.place), lines, fixes=fixes, name=operation(name))
                return


def _once_only(recording: Recording, targets: Any, asked: Asked, sources: Sources) -> Iterator[Observed]:
    """A gradient with a graph, of a custom function whose `backward` is marked as one that has none."""
    at, custom, lineage = recording.journal.location, recording.asking.custom, recording.lineage()
    behind = lineage.ancestors(asked.targets, asked.event)
    refusing = any(node.name() == _REFUSES for node in graphs.nodes(targets))
    for row, name in custom.once.items() if refusing else ():
        event = recording.journal.event(row)
        if behind.intersection(event.outputs):
            lines = {"used": at(event.place), "asked": at(asked.place)}
            yield say("once-only", custom.marked_once(row, sources) or at(event.place), lines, name=name)
            return


def _ready_twice(recording: Recording, targets: Any, asked: Asked, sources: Sources) -> Iterator[Observed]:
    """A `DistributedDataParallel` ran `forward` once, and `backward` through it comes a second time."""
    at, asking, known = recording.journal.location, recording.asking, recording.recorder.serials.known
    ends = {id(each) for each in graphs.leaves(targets)}
    for module, (number, place) in recording.modules.forwarded.items():
        shared = [each for each in module.parameters() if id(each) in ends]
        if asking.number - number < 2 or "ready" not in asked.problem or not shared:
            continue
        first = next((each for each in asking.after(number) if each.number < asking.number), None)
        if first is not None:
            behind = recording.lineage().ancestors(first.targets, first.event)
            shared = [each for each in shared if known(each) in behind]
        recording.modules.learn()
        names, variables = recording.modules.named(sources), recording.lineage().rules.variables
        numbers = [each for each in map(known, shared) if each is not None and each in variables]
        refs = [reference(variables[each], names.get(each, "")) for each in numbers]
        here, before = at(asked.place), at(first.place) if first is not None else None
        lines = {"used": at(place), "asked": before if before != here else None}
        label = "this `backward()` comes a second time" if before == here else "this is the second `backward()`"
        call = call_at(sources, at(place))
        owner = ast.unparse(call.func) if call is not None else "model"
        name = f"`{refs[0].name}`" if refs else "the same parameters"
        yield say("ready-twice", here, lines, refs, name=name, owner=owner, label=label)
        return
