"""Which change of a failed call decided, and what that says of the operand, of the layer, and of what to do."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import torch

from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.torch.failures.failed_call import Failed
from tensorwhy.adapters.torch.failures.remade import remade
from tensorwhy.adapters.torch.failures.trials import INDEXING, Accepted, Trials, changed, declared, dtype_name
from tensorwhy.adapters.torch.operations.kinds import is_in_place

_RUNS = ("squeeze", "flatten", "permute", "transpose")


def best(trials: Trials, failed: Failed) -> list[Accepted]:
    """The changes to tell: what decided first, then a way to keep all elements."""
    accepted, operands = trials.accepted(), trials.operands
    sizes = [each for each in accepted if each.how == "size"]
    moves = [each for each in accepted if each.how in ("shape", "argument")]
    asked = [each for each in moves if each.how == "argument"]
    others = [each for each in accepted if each.how not in ("size", "alike", "kernel", "shape", "argument")]
    wholes = [each for each in accepted if each.how in ("kernel", "alike")]
    if others:
        own = [each for each in others if not isinstance(operands[each.operand], torch.nn.Parameter)]
        floats = [each for each in own if each.dtype is not None and each.dtype.is_floating_point]
        return (floats or own or others)[:1]
    decided = max(sizes, key=lambda each: _weight(each, trials, failed), default=None)
    kept = _kept(moves, operands) if failed.name not in INDEXING else None
    return [each for each in (decided, kept) if each is not None] or wholes[:1] or asked[:1]


def _weight(one: Accepted, trials: Trials, failed: Failed) -> int:
    """How much speaks for a size being the one that was wanted."""
    weight = 2 * (trials.mutual(one) is not None)
    weight += 3 * (one.size in declared(failed.module).values())
    return weight - isinstance(trials.operands[one.operand], torch.nn.Parameter)


def _kept(moves: list[Accepted], operands: list[Any]) -> Accepted | None:
    """The likeliest rearrangement; None where several are as likely."""
    for name in (*_RUNS, "(", "unsqueeze"):
        fitting = [each for each in moves if each.text.startswith(name)]
        if name == "unsqueeze":  # beside an axis of size 1, either side gives the same
            fitting = [*{(each.operand, changed(each, operands[each.operand])): each for each in fitting}.values()]
        if len(fitting) > 1:
            agreeing = [_agreement(each, operands) for each in fitting]
            fitting = [each for each, weight in zip(fitting, agreeing) if weight == max(agreeing)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _agreement(move: Accepted, operands: list[Any]) -> int:
    """How many axes have the same size as those of another tensor in the call."""
    shape = changed(move, operands[move.operand])
    others = [each for at, each in enumerate(operands) if at != move.operand]
    return max((sum(one == two for one, two in zip(shape, other.shape)) for other in others), default=0)


_OF_CLASSES = (
    "if each row has one class, pass its index: `{}.argmax(1)`",
    "or, if a row may have several, use `binary_cross_entropy_with_logits` with `{}.float()`",
)


def _are_classes(failed: Failed, thing: Any, accepted: Any) -> bool:
    """Whether these are integers where floats would be accepted, which are taken for probabilities of classes."""
    cross_entropy = isinstance(failed.module, torch.nn.CrossEntropyLoss) or failed.name == "cross_entropy"
    return cross_entropy and accepted.is_floating_point and not thing.dtype.is_floating_point and thing.ndim > 1


def told_by(found: list[Accepted], trials: Trials, failed: Failed, path: str) -> Native:
    """What the changes that made the call succeed say of its operands. `path` is the layer in the user's words."""
    first, operands, module = found[0], trials.operands, failed.module
    thing = operands[first.operand]
    others = [each for each in operands if each is not thing]
    sides: tuple[NativeSide, ...] = ()
    advice: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    takes, relation = "", "!="
    if first.how == "device":
        other = next(each for each in trials.everything() if each.device != thing.device)
        sides = (NativeSide(thing, "device", str(thing.device)), _side(other, module, "device", str(other.device)))
        advice = (f"move both to one device: `{{}}.to({str(other.device)!r})`",) if other.device.type != "meta" else ()
    elif first.how == "dtype":
        other = next((each for each in trials.everything() if each is not thing and each.dtype == first.dtype), None)
        wanted = dtype_name(first.dtype)
        sides = (NativeSide(thing, "dtype", dtype_name(thing.dtype)), _side(other, module, "dtype", wanted))
        if failed.name in INDEXING and thing.dtype in (torch.uint8, torch.bool) and not first.dtype.is_floating_point:
            sides = (
                NativeSide(thing, "dtype", f"{dtype_name(thing.dtype)}, which selects as a mask"),
                NativeSide(None, "", f"{wanted}, which counts positions"),
            )
        advice = _OF_CLASSES if _are_classes(failed, thing, first.dtype) else (f"pass `{{}}.{first.text}`",)
    elif first.how == "graph":
        sides = (NativeSide(thing, "requires_grad", "True"), NativeSide(None, "", "False"))
        advice = ("pass `{}.detach()`, unless gradients should flow through it",)
    elif first.how == "layout":
        sides = (
            NativeSide(thing, "stride()", str(thing.stride())),
            NativeSide(None, "", str(_ordered(tuple(thing.shape)))),
        )
        advice = ("use `reshape`, or call `contiguous()` on it first",)
    elif first.how == "size":
        axis, actual = first.axis, thing.shape[first.axis]
        names = [name for name, size in declared(module).items() if size == first.size]
        partner = NativeSide(module, names[0], str(first.size)) if names else _partner(first, trials, module)
        if len(names) == 1 and "[" not in names[0]:
            advice = (f"create `{{module}}` with `{names[0]}={actual}`, if its input is right",)
        sides = (NativeSide(thing, f"shape[{axis}]", str(actual)), partner)
        again = remade(thing, first.axis, first.size)
    elif first.how == "alike":
        other = next(each for each in operands if tuple(each.shape) == first.shape)
        sides = tuple(NativeSide(each, "shape", str(tuple(each.shape))) for each in (thing, other))
    elif first.how == "kernel":
        axes = thing.ndim - len(module.kernel_size)
        sizes = str(tuple(thing.shape)[axes:])
        sides = (
            NativeSide(thing, f"shape[{axes}:]", sizes),
            NativeSide(module, "kernel_size", str(module.kernel_size)),
        )
    elif first.how == "values":
        sides, relation = _range(first, thing, trials, module)
    moved = next((each for each in found if each.how in ("shape", "argument")), None)
    rearranged = operands[moved.operand] if moved is not None else None
    if moved is not None and rearranged is not None and moved.how == "shape":
        shape = changed(moved, rearranged)
        sure = moved.text.startswith(_RUNS) or len(operands) > 1
        if rearranged is thing:
            takes = f"{dtype_name(thing.dtype)} {shape}"
            takes = takes if sure else f"{len(shape)} axes, such as {takes}"
        if sure:
            advice = (f"pass `{{moved}}.{moved.text}`",)  # likelier than a layer of another size
    elif moved is not None:
        takes = f"`{failed.name}{moved.text}`"
    if first.how == "argument":
        sides = elements(thing, failed)
        samples = _samples_in(thing, failed) if sides else 0
        if samples:
            each = f"{samples} samples of {math.prod(thing.shape[1:])} elements"
            sides = (sides[0], msgspec.structs.replace(sides[1], value=f"{sides[1].value}, which is {each}"))
            advice, takes = (f"keep the axis of the batch: `{{}}.{failed.name}({{}}.shape[0], -1)`",), ""
    index = first.how == "dtype" and failed.name in INDEXING and thing is not failed.args[0]
    return Native(
        thing=thing,
        by=f"torch: {failed.name or type(module).__name__}",
        others=tuple(others),
        owner=module,
        owner_text=path,
        sides=sides,
        advice=()
        if path and module is None and not index and is_in_place(failed.name)
        else again or advice,  # what an assignment changes cannot be another tensor
        takes=takes,
        moved=rearranged,
        relation=relation,
    )


def _ordered(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous tensor."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def elements(thing: Any, failed: Failed) -> tuple[NativeSide, ...]:
    """How many elements there are, and how many the sizes in the call ask for."""
    rest = failed.args[1:]
    sizes = rest[0] if len(rest) == 1 and isinstance(rest[0], (tuple, list)) else rest
    wanted = math.prod(each for each in sizes if each != -1)
    value = f"a multiple of {wanted}" if -1 in sizes else str(wanted)
    fits = thing.numel() % wanted == 0 if -1 in sizes and wanted else thing.numel() == wanted
    return () if fits else (NativeSide(thing, "numel()", str(thing.numel())), NativeSide(None, "", value))


def _samples_in(thing: Any, failed: Failed) -> int:
    """How many samples the sizes in a call ask for, which are more than one, and not as many as there are; else 0."""
    rest = failed.args[1:]
    sizes = rest[0] if len(rest) == 1 and isinstance(rest[0], (tuple, list)) else rest
    wanted, one = math.prod(each for each in sizes if each != -1), math.prod(thing.shape[1:])
    fits = failed.name in ("view", "reshape") and thing.ndim > 1 and one > 1 and wanted % one == 0
    return wanted // one if fits and wanted // one not in (0, 1, thing.shape[0]) else 0


def _side(other: Any, module: Any, text: str, value: str) -> NativeSide:
    """One side that is a tensor of the call, or of the layer."""
    if other is None:
        return NativeSide(None, "", value)
    held = next((name for name, each in module.named_parameters() if each is other), "") if module is not None else ""
    return NativeSide(module, f"{held}.{text}", value) if held else NativeSide(other, text, value)


def _partner(first: Accepted, trials: Trials, module: Any) -> NativeSide:
    """The axis of another tensor that has the wanted size."""
    found = [
        (each, axis)
        for each in trials.everything()
        if each is not trials.operands[first.operand]
        for axis, size in enumerate(each.shape)
        if size == first.size
    ]
    mutual = trials.mutual(first)
    if mutual is not None:
        found = [(trials.operands[mutual.operand], mutual.axis)]
    if len(found) == 1:
        return _side(found[0][0], module, f"shape[{found[0][1]}]", str(first.size))
    return NativeSide(None, "", str(first.size))


def _range(first: Accepted, thing: Any, trials: Trials, module: Any) -> tuple[tuple[NativeSide, ...], str]:
    """A value that is too small or too large, the limit, and how they relate."""
    with torch.no_grad(), torch._C.DisableTorchFunction():
        low, high, lost = thing.min().item(), thing.max().item(), int((~thing.isfinite()).sum())
    if first.low is None and first.high is None:
        return (
            NativeSide(thing, "isfinite().sum()", str(thing.numel() - lost)),
            NativeSide(None, "", str(thing.numel())),
        ), "!="
    if first.low is not None and low < first.low:
        return (NativeSide(thing, "min()", f"{low:.4g}"), NativeSide(None, "", f"{first.low:g}")), "floor"
    if first.size < 0:
        return (NativeSide(thing, "max()", f"{high:.4g}"), NativeSide(None, "", f"{first.high:g}")), "ceiling"
    attribute = next((name for name, size in declared(module).items() if size == first.size), "")
    limit = NativeSide(module, attribute, str(first.size)) if attribute else _partner(first, trials, module)
    return (NativeSide(thing, "max()", str(high)), limit), "limit"
