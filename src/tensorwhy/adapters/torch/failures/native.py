"""Why a call of PyTorch failed below Python: by what it was given, and by trying what it does take."""

from __future__ import annotations

import ast
from typing import Any

import msgspec
import torch

from tensorwhy.adapters.refusal import operations, way
from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.failures import (
    constrained,
    failed_call,
    failed_texts,
    mapped,
    one_value,
    unlike_state,
    unloadable,
)
from tensorwhy.adapters.torch.failures.decided import best, elements, told_by
from tensorwhy.adapters.torch.failures.failed_call import Failed
from tensorwhy.adapters.torch.failures.refusal_rules import RULES
from tensorwhy.adapters.torch.failures.trials import Trials
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_OTHERS = 3


def native(stack: Stack, sources: Sources, user: UserCode) -> Native | None:
    """What a call of PyTorch could not take, by trying what it does take."""
    loaded = unloadable.find(stack, sources) or unlike_state.find(stack, sources) or constrained.find(stack)
    loaded = loaded or _in_two_groups(stack)
    if loaded is not None:
        return loaded
    alone = one_value.find(stack)
    if alone is not None:
        return msgspec.structs.replace(alone, owner_text=failed_texts.path(alone.owner, stack, sources))
    failed = failed_call.of(stack, sources)
    if failed is None:
        return None
    if failed.module is not None and not isinstance(failed.args[0], torch.Tensor):
        return _no_tensor(failed, stack, sources)
    sample = mapped.find(failed, stack)
    if sample is not None:
        path = failed_texts.path(failed.module, stack, sources)
        return msgspec.structs.replace(sample, owner_text=path, names=failed_texts.given(failed, stack, sources))
    trials, below = Trials(failed, stack.exception), failed_call.raised_below(stack, sources)
    found = best(trials, failed)
    ruled = any(rule.fits(frame) for rule in RULES for frame in stack.inner)
    if not found and (ruled or not below or not trials.operands):
        return None
    path = (
        failed_texts.path(failed.module, stack, sources)
        if failed.module is not None
        else failed_texts.operator(failed, stack, sources)
    )
    first = told_by(found, trials, failed, path) if found else _together(trials, failed, stack, path)
    told = msgspec.structs.replace(first, names=failed_texts.given(failed, stack, sources), below=below)
    own = stack.own
    if not failed.direct and not path and own is not None:
        node = way.expression(own, sources)
        told = msgspec.structs.replace(told, owner_text=ast.unparse(node) if isinstance(node, ast.BinOp) else "")
    if found and found[0].how == "dtype" and (advice := _in_backward(stack)):
        told = msgspec.structs.replace(told, advice=advice)
    return told


def _together(trials: Trials, failed: Failed, stack: Stack, path: str) -> Native:
    """All tensors that take part, where no single change makes the call succeed, and what it says itself."""
    sizes = elements(trials.operands[0], failed) if failed.name in ("view", "reshape") else ()
    thing, *others = trials.everything()
    return Native(
        thing=thing,
        by="torch: " + failed.name if sizes else "",
        others=tuple(others[:_OTHERS]),
        owner=failed.module,
        owner_text=path,
        sides=sizes,
        says="" if sizes else operations.sentence(str(stack.exception)),
    )


def _in_backward(stack: Stack) -> tuple[str, ...]:
    """What mixes dtypes in the `backward` of a custom function: autocast is on in `forward` only."""
    frames = [each for each in stack.frames if each.user and each.function == "backward"]
    contexts = [held for each in frames for held in each.frame.f_locals.values() if hasattr(held, "_forward_cls")]
    if not contexts:
        return ()
    kind = contexts[-1]._forward_cls.__name__
    device = "device_type='cpu'"
    return (
        f"decorate `forward` of `{kind}` with `torch.amp.custom_fwd({device}, cast_inputs=torch.float32)`, and"
        f" `backward` with `torch.amp.custom_bwd({device})`: autocast is off in `backward`",
        "or convert what was saved: `saved.to(grad.dtype)`",
    )


def _no_tensor(failed: Failed, stack: Stack, sources: Sources) -> Native:
    """A layer that was given something else than a tensor."""
    thing, path = failed.args[0], failed_texts.path(failed.module, stack, sources)
    own = stack.own
    written = way.calls(way.expression(own, sources), ()) if own is not None else []
    direct = [call for call in written if ast.unparse(call.func) == path and call.args]
    first = (
        next((each for each in thing if isinstance(each, torch.Tensor)), None)
        if isinstance(thing, (list, tuple))
        else None
    )
    advice: tuple[str, ...] = ()
    shapes = {getattr(each, "shape", None) for each in thing} if first is not None else set()
    if isinstance(thing, list) and len(thing) > 1 and len(shapes) == 1:
        advice = ("make one batch of it: `torch.stack({})`",)
    elif first is not None:
        advice = ("pass one of its elements: `{}[0]`",)
    elif type(thing).__module__ == "numpy":
        advice = ("pass `torch.as_tensor({})`",)
    elif thing is None and direct and isinstance(direct[0].args[0], ast.Call):
        advice = (f"let `{ast.unparse(direct[0].args[0].func)}` return its result",)
    return Native(
        thing=thing,
        by=f"torch: {type(failed.module).__name__}",
        owner=failed.module,
        owner_text=path,
        sides=(NativeSide(thing, "", type(thing).__name__), NativeSide(None, "", "Tensor"))
        if thing is not None
        else (),
        relation="type",
        advice=advice,
        names={id(thing): ast.unparse(direct[0].args[0])} if direct else {},
    )


def _in_two_groups(stack: Stack) -> Native | None:
    """A parameter that an optimizer was given in two groups."""
    found = stack.first("add_param_group", "optim/optimizer.py")
    optimizer, added = (found[1].local("self"), found[1].local("param_group")) if found is not None else (None, None)
    if not isinstance(optimizer, torch.optim.Optimizer) or not isinstance(added, dict):
        return None
    for at, group in enumerate(optimizer.param_groups):
        for each in added.get("params") or ():
            if isinstance(each, torch.Tensor) and any(each is other for other in group["params"]):
                names = [f"`{name}`" for name in _names(each)]
                shared = f"{' and '.join(names)} are one parameter" if len(names) > 1 else "it is in both"
                return Native(
                    thing=each,
                    by="torch: add_param_group",
                    sides=(NativeSide(each, "", f"in group {at} and in group {len(optimizer.param_groups)}"),),
                    advice=(f"leave it out of one of the groups: {shared}",),
                    names={id(each): names[0].strip("`") if names else ""},
                )
    return None


def _names(parameter: Any) -> list[str]:
    """All names that a model has for one parameter."""
    recording = current.recording()
    for root in recording.modules.roots() if recording is not None else ():
        found = [name for name, each in root.named_parameters(remove_duplicate=False) if each is parameter]
        if found:
            return found
    return []
