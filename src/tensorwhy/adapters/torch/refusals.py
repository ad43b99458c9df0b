"""What PyTorch's objects are called where something refuses them, and why a call below Python did."""

from __future__ import annotations

import ast
import math
import types
from collections.abc import Iterator
from typing import Any

import msgspec
import torch

from tensorwhy.adapters.refusal import operations, values, way
from tensorwhy.adapters.refusal.described import Described, Native, NativeSide, Vocabulary
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.failures import failed_call, one_value, unlike_state, unloadable
from tensorwhy.adapters.torch.failures.failed_call import Failed
from tensorwhy.adapters.torch.failures.refusal_rules import RULES
from tensorwhy.adapters.torch.failures.remade import remade
from tensorwhy.adapters.torch.failures.trials import INDEXING, Accepted, Trials, changed, declared
from tensorwhy.adapters.torch.recording.calls import references
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_CHANGE = "change a copy: `x = x.clone()` before this line"
_LONG, _OTHERS = 60, 3
_RUNS = ("squeeze", "flatten", "permute", "transpose")


# -- words for objects ---------------------------------------------------------------------------------------------


def describe(thing: Any, user: UserCode) -> Described | None:
    """A tensor by its dtype and shape, a layer by its settings; None for anything else."""
    if isinstance(thing, torch.Tensor):
        with torch._C.DisableTorchFunction():
            detail = _dtype(thing.dtype) + f" {tuple(thing.shape)}" + _device(thing)
        noun = "parameter" if isinstance(thing, torch.nn.Parameter) else "tensor"
        return Described(what=noun, name=_name(thing), detail=detail, made=_made(thing), instead=_CHANGE)
    if isinstance(thing, torch.nn.Module):
        return Described(what="layer", detail=f"{type(thing).__name__}({_settings(thing)})", made=_made_module(thing))
    if isinstance(thing, torch.optim.Optimizer):
        return Described(what="optimizer", detail=type(thing).__name__)
    return None


def _settings(module: Any) -> str:
    """What a layer of PyTorch's says of itself; nothing of one that is long, or not complete."""
    try:
        text = str(module.extra_repr()) if type(module).__module__.startswith("torch.nn") else ""
    except Exception:  # its constructor has failed, or left it as it was
        return ""
    return text if len(text) <= 60 else ""


def kind(cls: type) -> str:
    """The noun for the objects of a class of PyTorch."""
    if not isinstance(cls, type):
        return ""
    nouns = ((torch.nn.Parameter, "parameter"), (torch.Tensor, "tensor"), (torch.nn.Module, "layer"))
    return next((noun for known, noun in nouns if issubclass(cls, known)), "")


def _dtype(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def _device(tensor: Any) -> str:
    return f" on {tensor.device}" if tensor.device.type != "cpu" else ""


def _name(tensor: Any) -> str:
    recording = current.recording()
    number = recording.recorder.serials.known(tensor) if recording is not None else None
    if recording is None or number is None:
        return ""
    recording.modules.learn()
    return recording.modules.named(Sources()).get(number, "")


def _made(tensor: Any) -> Location | None:
    recording = current.recording()
    number = recording.recorder.serials.known(tensor) if recording is not None else None
    if recording is None or number is None or torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return None  # a transform wraps a tensor anew for each call
    rows = recording.lineage().makers(number)
    place = rows[-1].place if rows else recording.recorder.made.get(number, -1)
    return recording.journal.location(place)


def _made_module(module: Any) -> Location | None:
    recording = current.recording()
    if recording is None or not any(each is module for each in recording.modules.alive()):
        return None
    return recording.modules.created(module, Sources())


# -- a call that failed below Python -------------------------------------------------------------------------------


def native(stack: Stack, sources: Sources, user: UserCode) -> Native | None:
    """What a call of PyTorch could not take, by trying what it does take."""
    loaded = unloadable.find(stack, sources) or unlike_state.find(stack, sources) or _in_two_groups(stack)
    if loaded is not None:
        return loaded
    alone = one_value.find(stack)
    if alone is not None:
        return msgspec.structs.replace(alone, owner_text=_path(alone.owner, stack, sources))
    failed = failed_call.of(stack, sources)
    if failed is None:
        return None
    if failed.module is not None and not isinstance(failed.args[0], torch.Tensor):
        return _no_tensor(failed, stack, sources)
    trials, below = Trials(failed, stack.exception), failed_call.raised_below(stack, sources)
    found = _best(trials, failed)
    ruled = any(rule.fits(frame) for rule in RULES for frame in stack.inner)
    if not found and (ruled or not below or not trials.operands):
        return None
    path = _path(failed.module, stack, sources) if failed.module is not None else _operator(failed, stack, sources)
    first = _told(found, trials, failed, path) if found else _together(trials, failed, stack, path)
    told = msgspec.structs.replace(first, names=_texts(failed, stack, sources), below=below)
    own = stack.own
    if not failed.direct and not path and own is not None:
        node = way.expression(own, sources)
        told = msgspec.structs.replace(told, owner_text=ast.unparse(node) if isinstance(node, ast.BinOp) else "")
    if found and found[0].how == "dtype" and (advice := _in_backward(stack)):
        told = msgspec.structs.replace(told, advice=advice)
    return told


def _together(trials: Trials, failed: Failed, stack: Stack, path: str) -> Native:
    """All tensors that take part, where no single change makes the call succeed, and what it says itself."""
    elements = _elements(trials.operands[0], failed) if failed.name in ("view", "reshape") else ()
    thing, *others = trials.everything()
    return Native(
        thing=thing,
        by="torch: " + failed.name if elements else "",
        others=tuple(others[:_OTHERS]),
        owner=failed.module,
        owner_text=path,
        sides=elements,
        says="" if elements else operations.sentence(str(stack.exception)),
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


def _texts(failed: Failed, stack: Stack, sources: Sources) -> dict[int, str]:
    """The texts for what the program's own line gives the call, which may itself be results of calls."""
    own = stack.own
    node: ast.AST | None = _subscript(failed, stack, sources) if failed.direct and failed.name in INDEXING else None
    node = node or (way.expression(own, sources) if own is not None else None)
    pairs: list[tuple[Any, ast.expr]] = []
    if isinstance(node, ast.Subscript) and len(failed.args) > 1:
        given = failed.args[1] if isinstance(failed.args[1], tuple) else (failed.args[1],)
        pairs = [*zip(given, node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
    elif (
        isinstance(node, ast.Call) and own is not None and not any(isinstance(each, ast.Starred) for each in node.args)
    ):
        called = values.value(node.func, own.frame)
        if called is failed.module if failed.module is not None else reading.callee(node) == failed.name:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            module = owner is None or isinstance(values.value(owner, own.frame), types.ModuleType)
            method = failed.module is None and not module and owner is not None
            pairs = [*zip(failed.args, [owner, *node.args] if method and owner is not None else node.args)]
            pairs += [(failed.kwargs[each.arg], each.value) for each in node.keywords if each.arg in failed.kwargs]
    elif isinstance(node, ast.expr) and failed.direct and len(failed.args) == 1:
        pairs = [(failed.args[0], node)]
    held = [(thing, each, values.value(each, own.frame)) for thing, each in pairs] if own is not None else []
    return {
        id(thing): text
        for thing, each, known in held
        if isinstance(thing, torch.Tensor) and (known is thing or known is values.MISSING)
        if len(text := way.written(each)) <= _LONG
    }


def _operator(failed: Failed, stack: Stack, sources: Sources) -> str:
    """The whole expression, where it is no call of the function that failed: `total += f(x)`."""
    own = stack.own
    text = sources.expression(own.location) if own is not None else ""
    if failed.direct and failed.name in INDEXING and len(text) > 60:
        node = _subscript(failed, stack, sources)
        owner = ast.unparse(node.value) if node is not None else ""
        return f"{owner}[...]" if 0 < len(owner) <= 40 else "an index"
    return text if failed.direct and failed.name not in text and len(text) <= 60 else ""


def _subscript(failed: Failed, stack: Stack, sources: Sources) -> ast.Subscript | None:
    """What is indexed, or assigned to, at the user's line: the only one with as many indices as the call had."""
    own = stack.own
    node = way.expression(own, sources) if own is not None else None
    statement = sources.statement(own.location) if own is not None and node is None else node
    count = len(failed.args[1]) if len(failed.args) > 1 and isinstance(failed.args[1], tuple) else 1
    found = [
        each
        for each in (ast.walk(statement) if statement is not None else ())
        if isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Store if failed.name == "__setitem__" else ast.Load)
        and (len(each.slice.elts) if isinstance(each.slice, ast.Tuple) else 1) == count
    ]
    return found[0] if len(found) == 1 else None


def _no_tensor(failed: Failed, stack: Stack, sources: Sources) -> Native:
    """A layer that was given something else than a tensor."""
    thing, path = failed.args[0], _path(failed.module, stack, sources)
    own = stack.own
    written = way.calls(way.expression(own, sources), ()) if own is not None else []
    direct = [call for call in written if ast.unparse(call.func) == path and call.args]
    first = next((each for each in thing if isinstance(each, torch.Tensor)), None) if _is_sequence(thing) else None
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


def _is_sequence(thing: Any) -> bool:
    return isinstance(thing, (list, tuple))


def _path(module: Any, stack: Stack, sources: Sources) -> str:
    """How the user's line would name a layer: by what it calls, and from there."""
    own = stack.own
    if module is None or own is None:
        return ""
    for call in way.calls(way.expression(own, sources), ()):
        called = values.value(call.func, own.frame)
        for name, each in called.named_modules() if isinstance(called, torch.nn.Module) else ():
            if each is module:
                steps = (f"[{step}]" if step.isdigit() else f".{step}" for step in name.split(".") if step)
                return ast.unparse(call.func) + "".join(steps)
    return ""


def _best(trials: Trials, failed: Failed) -> list[Accepted]:
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


def _told(found: list[Accepted], trials: Trials, failed: Failed, path: str) -> Native:
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
        wanted = _dtype(first.dtype)
        sides = (NativeSide(thing, "dtype", _dtype(thing.dtype)), _side(other, module, "dtype", wanted))
        if failed.name in INDEXING and thing.dtype in (torch.uint8, torch.bool) and not first.dtype.is_floating_point:
            sides = (
                NativeSide(thing, "dtype", f"{_dtype(thing.dtype)}, which selects as a mask"),
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
            takes = f"{_dtype(thing.dtype)} {shape}"
            takes = takes if sure else f"{len(shape)} axes, such as {takes}"
        if sure:
            advice = (f"pass `{{moved}}.{moved.text}`",)  # likelier than a layer of another size
    elif moved is not None:
        takes = f"`{failed.name}{moved.text}`"
    if first.how == "argument":
        sides = _elements(thing, failed)
        samples = samples_in(thing, failed) if sides else 0
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
        if path and module is None and not index
        else again or advice,  # what an assignment changes cannot be another tensor
        takes=takes,
        moved=rearranged,
        relation=relation,
    )


def _ordered(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous tensor."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _elements(thing: Any, failed: Failed) -> tuple[NativeSide, ...]:
    """How many elements there are, and how many the sizes in the call ask for."""
    rest = failed.args[1:]
    sizes = rest[0] if len(rest) == 1 and isinstance(rest[0], (tuple, list)) else rest
    wanted = math.prod(each for each in sizes if each != -1)
    value = f"a multiple of {wanted}" if -1 in sizes else str(wanted)
    fits = thing.numel() % wanted == 0 if -1 in sizes and wanted else thing.numel() == wanted
    return () if fits else (NativeSide(thing, "numel()", str(thing.numel())), NativeSide(None, "", value))


def samples_in(thing: Any, failed: Failed) -> int:
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


def _behind(thing: Any, user: UserCode) -> Iterator[Any]:
    """The tensors that one was computed from, nearest first, as far as they are alive."""
    recording = current.recording()
    number = recording.recorder.serials.known(thing) if recording is not None else None
    waiting, seen = [number] if number is not None else [], set[int]()
    while recording is not None and waiting and len(seen) < _OTHERS**3:
        known = recording.recorder.calls.maker(waiting.pop(0))
        for each in references((known[1].args, known[1].kwargs)) if known is not None else ():
            if each not in seen:
                seen.add(each)
                waiting.append(each)
                if (alive := recording.recorder.calls.living(each)) is not None:
                    yield alive


VOCABULARY = Vocabulary(describe=describe, libraries=("torch",), rules=RULES, kind=kind, native=native, behind=_behind)
