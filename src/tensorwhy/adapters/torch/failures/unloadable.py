"""What could not be loaded: samples that make no batch, and what was saved of another model or optimizer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch.training.renaming import other_names
from tensorwhy.source.files import Sources

_LONG = 40
_ALIKE = {"": "one type", "shape": "one shape", "__len__()": "one length", "keys()": "the same keys"}


def find(stack: Stack, sources: Sources) -> Native | None:
    """Samples or weights that were refused; None where something else was."""
    return _collated(stack) or _weights(stack, sources) or _optimizer(stack, sources)


def _collated(stack: Stack) -> Native | None:
    """Samples of a data set that a loader cannot put into one batch: the first that is unlike the first of all."""
    fetching, inner = stack.first("fetch", "data/_utils/fetch.py"), stack.raised
    inside = (each.local("batch") for each in reversed(stack.inner) if each.file.endswith("data/_utils/collate.py"))
    batch = next((each for each in inside if isinstance(each, (list, tuple)) and each), None)
    if batch is None or fetching is None:
        return None
    places, dataset = fetching[1].local("possibly_batched_index"), getattr(fetching[1].local("self"), "dataset", None)
    if not isinstance(places, list) or len(places) != len(batch) or dataset is None:
        return None
    for part, seen in _parts(batch):
        other = next((at for at, each in enumerate(seen) if each != seen[0]), None)
        if other is None:
            continue
        first, other = (other, 0) if batch[0] is None else (0, other)
        longer = part == "shape" and len(seen[0]) == len(seen[other]) and seen[0][1:] == seen[other][1:]
        pad = "pad them to one length with a `collate_fn`: `torch.nn.utils.rnn.pad_sequence`"
        advice = pad if longer else f"give all samples of the data set {_ALIKE[part]}"
        sides = tuple(NativeSide(batch[at], part, str(seen[at])) for at in (first, other))
        break
    else:
        if not isinstance(inner.local("elem_type"), type):
            return None
        first, other, advice = (
            0,
            0,
            "return tensors, numbers, strings, or lists and dicts of them, or pass a `collate_fn`",
        )
        sides = (NativeSide(batch[0], "", type(batch[0]).__name__), NativeSide(None, "", "what makes a batch"))
    samples = fetching[1].local("data")
    return Native(
        thing=batch[other],
        by="torch: collate",
        sides=sides,
        advice=(advice,),
        names={
            id(batch[at]): f"{type(dataset).__name__}[{places[at]}]" + (_way(samples[at], batch[at]) or "")
            for at in (first, other)
        },
    )


def _parts(batch: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """What must be alike of all samples, as it is written after one."""
    kinds = [type(each).__name__ for each in batch]
    yield "", kinds
    if all(hasattr(each, "shape") for each in batch):
        yield "shape", [tuple(each.shape) for each in batch]
    elif all(isinstance(each, (list, tuple)) for each in batch):
        yield "__len__()", [len(each) for each in batch]
    elif all(isinstance(each, dict) for each in batch):
        yield "keys()", [", ".join(map(repr, each)) for each in batch]


def _way(whole: Any, part: Any, depth: int = 3) -> str | None:
    """How a sample leads to one of its parts."""
    if whole is part:
        return ""
    if isinstance(whole, (list, tuple, dict)) and depth:
        for key, each in whole.items() if isinstance(whole, dict) else enumerate(whole):
            if (way := _way(each, part, depth - 1)) is not None:
                return f"[{key!r}]{way}"
    return None


class _Load(NamedTuple):
    """A call of `load_state_dict`: who was to load, and what, each as the user's line has it."""

    into: Any
    owner: str
    saved: Mapping[str, Any]
    text: str


def _load(stack: Stack, sources: Sources, file: str) -> _Load | None:
    found, own = stack.first("load_state_dict", file), stack.own
    if found is None or own is None:
        return None
    given = found[1].local("state_dict")
    call = next(iter(way.calls(way.expression(own, sources), stack.frames[stack.frames.index(own) + 1 :])), None)
    if not isinstance(given, Mapping) or call is None or not isinstance(call.func, ast.Attribute):
        return None
    argument = next(
        (each.value for each in call.keywords if each.arg == "state_dict"), call.args[0] if call.args else None
    )
    if argument is None:
        return None
    held = values.value(argument, own.frame)
    saved = held if isinstance(held, Mapping) else given
    return _Load(found[1].local("self"), ast.unparse(call.func.value), saved, ast.unparse(argument))


def _optimizer(stack: Stack, sources: Sources) -> Native | None:
    """The saved state of an optimizer that had other groups of parameters."""
    load = _load(stack, sources, "optim/optimizer.py")
    if load is None or not isinstance(load.into, torch.optim.Optimizer):
        return None
    lengths = [[len(group["params"]) for group in each["param_groups"]] for each in (load.saved, vars(load.into))]
    saved, own = lengths
    if saved == own:
        return None
    path, sizes = "param_groups", (len(saved), len(own))
    if sizes[0] == sizes[1]:
        at = next(at for at, (one, other) in enumerate(zip(*lengths)) if one != other)
        path, sizes = f"param_groups[{at}]['params']", (saved[at], own[at])
    inner = load.saved["param_groups"]
    return Native(
        thing=load.saved,
        by="torch: load_state_dict",
        owner=load.into,
        owner_text=load.owner,
        sides=(
            NativeSide(inner, "", f"a list of {sizes[0]}"),
            NativeSide(load.into, path, f"a list of {sizes[1]}"),
        ),
        advice=("create `{module}` with the same groups of parameters as the one that was saved",),
        names={id(load.saved): load.text, id(inner): f"{load.text}['param_groups']{path.removeprefix('param_groups')}"},
    )


def _weights(stack: Stack, sources: Sources) -> Native | None:
    """Saved weights under other names or in other shapes than those of the model."""
    load = _load(stack, sources, "nn/modules/module.py")
    if load is None or not isinstance(load.into, torch.nn.Module):
        return None
    model, owner, given, text = load.into, load.owner, load.saved, load.text
    thing, wanted = given, dict(_kept(load.into))
    names = {id(thing): text if len(text) <= _LONG else "", id(model): owner}
    if set(given) == set(wanted):
        return _shapes(given, wanted, text, owner, names)
    if set(given) & set(wanted):
        return None
    renaming = other_names(given, wanted)
    if renaming is None or (renaming.how != "inside" and not renaming.matched == len(given) == len(wanted)):
        return None
    sides = (NativeSide(thing, "keys()", _listed(given)), NativeSide(model, "state_dict().keys()", _listed(wanted)))
    return Native(thing=thing, by="torch: load_state_dict", sides=sides, advice=(renaming.advice(text),), names=names)


def _shapes(
    given: Mapping[str, Any], wanted: Mapping[str, Any], text: str, owner: str, names: dict[int, str]
) -> Native | None:
    for key, own in wanted.items():
        one = given[key]
        if isinstance(one, torch.Tensor) and one.shape != own.shape:
            path = "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in key.split("."))
            return Native(
                thing=one,
                by="torch: load_state_dict",
                sides=(
                    NativeSide(one, "shape", str(tuple(one.shape))),
                    NativeSide(own, "shape", str(tuple(own.shape))),
                ),
                names={**names, id(one): f"{text}[{key!r}]", id(own): f"{owner}{path}"},
            )
    return None


def _kept(model: Any) -> Iterator[tuple[str, Any]]:
    """The weights of a model by the names under which they are saved; nothing of the program's runs."""
    for path, module in model.named_modules():
        skipped = getattr(module, "_non_persistent_buffers_set", ())
        for name, each in (*module._parameters.items(), *module._buffers.items()):
            if each is not None and name not in skipped:
                yield f"{path}.{name}" if path else name, each


def _listed(keys: Mapping[Any, Any]) -> str:
    first = repr(next(iter(keys), ""))
    return first if len(keys) == 1 else f"{first} and {len(keys) - 1} more"
