"""`backward` was refused by a graph that expects other shapes than its parameters have by now."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import torch

from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch.operations import graphs
from tensorwhy.adapters.torch.operations.rules import STORE
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import TensorRef
from tensorwhy.source.files import Sources


def facts(recording: Recording, stack: Stack, targets: Any, asked: Asked, sources: Sources) -> Iterator[Observed]:
    """The parameters whose shape was changed past the graph, while something kept what collects their gradients."""
    found = [(node.variable, shape) for node in graphs.nodes(targets) if (shape := _expected(node)) is not None]
    if not found:
        return
    recording.modules.learn()
    names, known = recording.modules.named(sources), recording.recorder.serials.known
    tensor, before = found[0]
    number = known(tensor) or -1
    refs = [
        TensorRef(name=names.get(known(each) or -1, ""), kind="variable", shape=tuple(each.shape)) for each, _ in found
    ]
    at = recording.journal.location(asked.place)
    where = _changed(recording, stack, number, names.get(number, ""), sources)
    held = _holder(stack, [each for each, _ in found], targets)
    lines = {"asked": at, "kept": sources.assignment(at, {held}) if at is not None and held else None}
    kept = f"`{held}`" if held else "a result"
    name = f"`{refs[0].name}`" if refs[0].name else "a parameter"
    text = _written(sources, where) or "the parameter"
    seen: dict[str, Any] = {"name": name, "before": before, "now": tuple(tensor.shape), "kept": kept, "text": text}
    yield say("reshaped", where or at, lines if where is not None else {"kept": lines["kept"]}, refs, **seen)


def _expected(node: Any) -> Any:
    """The shape that what collects the gradients of a leaf was made for, if the leaf has another one."""
    leaf, metadata = getattr(node, "variable", None), getattr(node, "_input_metadata", None)
    if leaf is None or not metadata or leaf.layout is not torch.strided:
        return None
    shape = tuple(metadata[0].shape)
    return shape if shape != tuple(leaf.shape) else None


def _changed(recording: Recording, stack: Stack, number: int, name: str, sources: Sources) -> Location | None:
    """Where `.data` of a parameter was set last: as it was recorded, else the only line that may have done it."""
    journal = recording.journal
    places = [e.place for e in journal.events() if journal.names[e.name] == f"{STORE}data =" and e.inputs[0] == number]
    if places:
        return journal.location(places[-1])
    files = {each.location.file for each in stack.frames if each.user and each.location is not None}
    made = journal.location(recording.recorder.made.get(number, -1))
    if made is not None:
        files.add(made.file)
    every = [
        (file, node, ast.unparse(target.value))
        for file in files
        for node in sources.nodes(file)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr == "data"
    ]
    own = [each for each in every if each[2].rpartition(".")[2] == name.rpartition(".")[2]] or every
    return sources.place(own[0][0], own[0][1]) if len(own) == 1 else None


def _written(sources: Sources, where: Location | None) -> str:
    """What a line calls the parameter whose `.data` it sets."""
    statement = sources.statement(where) if where is not None else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return ast.unparse(target.value) if isinstance(target, ast.Attribute) else ""


def _holder(stack: Stack, changed: list[Any], targets: Any) -> str:
    """What a frame calls a result that keeps the old graph alive; the target's own name, as its old value did."""
    wanted, same = {id(each) for each in changed}, ""
    for frame in reversed(stack.frames):
        for name, value in frame.frame.f_locals.items() if frame.user else ():
            if not isinstance(value, torch.Tensor) or value.grad_fn is None:
                continue
            if any(value is each for each in targets):
                same = same or name
            elif name != same and wanted & set(map(id, graphs.leaves((value,)))):
                return name
    return same
