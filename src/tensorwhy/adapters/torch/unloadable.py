"""What could not be loaded: samples that make no batch, and saved weights that do not fit a model."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.stack import Stack
from tensorwhy.source.files import Sources

_LONG = 40


def find(stack: Stack, sources: Sources) -> Native | None:
    """Samples or weights that were refused; None where something else was."""
    return _collated(stack) or _weights(stack, sources)


def _collated(stack: Stack) -> Native | None:
    """Samples of a data set that a loader cannot put into one batch."""
    found = stack.first("collate_tensor_fn", "data/_utils/collate.py")
    fetching = stack.first("fetch", "data/_utils/fetch.py")
    batch = found[1].local("batch") if found is not None else None
    if not isinstance(batch, (list, tuple)) or fetching is None:
        return None
    places, dataset = fetching[1].local("possibly_batched_index"), getattr(fetching[1].local("self"), "dataset", None)
    if not isinstance(places, list) or len(places) != len(batch) or dataset is None:
        return None
    other = next((at for at, each in enumerate(batch) if each.shape != batch[0].shape), None)
    if other is None:
        return None
    one, another = batch[0], batch[other]
    longer = one.ndim == another.ndim and one.shape[1:] == another.shape[1:]
    pad = "pad them to one length with a `collate_fn`: `torch.nn.utils.rnn.pad_sequence`"
    return Native(
        thing=another,
        by="torch: collate_tensor_fn",
        sides=tuple(NativeSide(each, "shape", str(tuple(each.shape))) for each in (one, another)),
        advice=(pad if longer else "give all samples of the data set one shape",),
        names={id(each): f"{type(dataset).__name__}[{places[at]}]" for at, each in ((0, one), (other, another))},
    )


def _weights(stack: Stack, sources: Sources) -> Native | None:
    """Saved weights under other names or in other shapes than those of the model."""
    found, own = stack.first("load_state_dict", "nn/modules/module.py"), stack.own
    if found is None or own is None:
        return None
    model, given = found[1].local("self"), found[1].local("state_dict")
    call = next(iter(way.calls(way.expression(own, sources), stack.frames[stack.frames.index(own) + 1 :])), None)
    if not isinstance(model, torch.nn.Module) or not isinstance(given, Mapping) or call is None:
        return None
    argument = next(
        (each.value for each in call.keywords if each.arg == "state_dict"), call.args[0] if call.args else None
    )
    if argument is None or not isinstance(call.func, ast.Attribute):
        return None
    held = values.value(argument, own.frame)
    thing = held if isinstance(held, Mapping) else given
    text, owner = ast.unparse(argument), ast.unparse(call.func.value)
    wanted = dict(_kept(model))
    names = {id(thing): text if len(text) <= _LONG else "", id(model): owner}
    if set(given) == set(wanted):
        return _shapes(given, wanted, text, owner, names)
    if set(given) & set(wanted):
        return None
    advice = _renaming(given, wanted, text)
    if not advice:
        return None
    sides = (NativeSide(thing, "keys()", _listed(given)), NativeSide(model, "state_dict().keys()", _listed(wanted)))
    return Native(thing=thing, by="torch: load_state_dict", sides=sides, advice=(advice,), names=names)


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


def _renaming(given: Mapping[str, Any], wanted: Mapping[str, Any], text: str) -> str:
    """How the weights would get the names of the model; empty where no simple way does it."""
    for key, inner in given.items():
        if isinstance(inner, Mapping) and set(inner) & set(wanted):
            return f"pass the weights in it: `{text}[{key!r}]`"
    first, own = next(iter(given), ""), next(iter(wanted), "")
    if (
        isinstance(first, str)
        and first.endswith(own)
        and own
        and {key.removeprefix(first.removesuffix(own)) for key in given} == set(wanted)
    ):
        prefix = first.removesuffix(own)
        return f"remove the prefix: `{{key.removeprefix({prefix!r}): value for key, value in {text}.items()}}`"
    if (
        isinstance(first, str)
        and own.endswith(first)
        and first
        and {f"{own.removesuffix(first)}{key}" for key in given} == set(wanted)
    ):
        return f"add the prefix: `{{{own.removesuffix(first)!r} + key: value for key, value in {text}.items()}}`"
    return ""


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
