"""What a refused call would take: it is tried again with one thing changed, where possible on shapes alone.

PyTorch's own code runs on copies, without values (`meta` tensors) where those would be large; nothing of the program's.
The change that makes the call succeed is what decided, whatever the exception says.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import math
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec
import torch

from tensorwhy.adapters.torch.failures.failed_call import Failed, leaves
from tensorwhy.adapters.torch.operations import kinds
from tensorwhy.adapters.torch.recording.calls import BROADCASTING

INDEXING = ("getitem", "__getitem__", "__setitem__")
_MOST_NUMBERS = 1 << 18
_SECONDS = 3.0
_AXES = 6
_ELEMENT_BY_ELEMENT = BROADCASTING | {"truediv", "iadd", "isub", "imul", "itruediv"}
_OPERANDS = 5
_DTYPES = (torch.float32, torch.int64, torch.bool)
_RANGES = ((0.0, 1.0), (0.0, None), (-1.0, 1.0))
How = Literal["device", "dtype", "graph", "layout", "size", "alike", "kernel", "shape", "argument", "values"]
Change = Callable[[Any], Any]
Trial = tuple["Accepted", "Change | None", Any]


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """A change with which the call succeeded. `operand` is its place among the tensors; `text` the method, where one
    does it; `axis` and `size` what a "size" changed, `low` and `high` a range of "values"."""

    how: How
    operand: int
    text: str = ""
    shape: tuple[int, ...] = ()
    dtype: Any = None
    axis: int = -1
    size: int = -1
    low: float | None = None
    high: float | None = None


class Trials:
    """Runs one failed call again and again. `operands` are the tensors that it was given, each once."""

    def __init__(self, failed: Failed, error: BaseException) -> None:
        self._failed, self._error = failed, error
        self._found: list[Accepted] = []
        found = {id(each): each for each in leaves(failed) if isinstance(each, torch.Tensor)}
        kinds = {(tuple(each.shape), each.dtype, each.device): each for each in reversed(found.values())}
        self.operands = list(found.values()) if len(found) <= _OPERANDS else list(reversed(kinds.values()))
        self._until = 0.0
        self._meta = True

    def runs(self) -> bool:
        """Return whether the call succeeds as it is."""
        self._meta = False
        with self._apart():
            return self._run({}, None) is None

    @contextlib.contextmanager
    def _apart(self) -> Iterator[None]:
        """Let nothing of a trial be seen outside: no warning, no random number, no graph."""
        with (
            warnings.catch_warnings(),
            torch.random.fork_rng(devices=[]),
            torch.set_grad_enabled(self._leaves_torch()),
            torch._C.DisableTorchFunction(),
        ):
            warnings.simplefilter("ignore")
            yield

    def accepted(self) -> list[Accepted]:
        """The changes of one kind that make the call succeed; of the first kind that does."""
        with self._apart():
            if not self._fails_again():
                return []
            warnings.simplefilter("error", UserWarning)  # a loss that only broadcasts warns, and is no answer
            shapes = (self._devices, self._graphs, self._dtypes, self._layouts, self._shapes)
            for kind in (self._values,) if self._values_decide() else shapes:
                self._found = [each[0] for each in kind() if self._succeeds(*each)]
                if self._found and kind == self._dtypes:
                    self._found = self._rather_sizes(self._found)
                if self._found:
                    return self._found
        return []

    def _leaves_torch(self) -> bool:
        """Return whether the call gives no tensor: such a one is refused only while graphs are kept."""
        return self._failed.module is None and kinds.kind_of(self._failed.function).code == kinds.EXIT

    def _rather_sizes(self, dtypes: list[Accepted]) -> list[Accepted]:
        """Sizes that fit to each other, where those decide: a mask that is cast to numbers means something else.

        What has other numbers than 0 and 1 is no mask.
        """
        index = self.operands[dtypes[0].operand] if self._failed.name in INDEXING and dtypes[0].operand else None
        if index is not None and index.dtype is torch.uint8 and bool((index > 1).any()):
            return dtypes
        self._found = [each[0] for each in self._shapes() if self._succeeds(*each)]
        return self._found if any(self.mutual(each) is not None for each in self._found) else dtypes

    def mutual(self, one: Accepted) -> Accepted | None:
        """The one axis of another tensor that would have to be as long as this one is."""
        actual = self.operands[one.operand].shape[one.axis] if one.how == "size" else -1
        fitting = [
            each
            for each in self._found
            if each.how == "size"
            and each.operand != one.operand
            and each.size == actual
            and self.operands[each.operand].shape[each.axis] == one.size
        ]
        return fitting[0] if len(fitting) == 1 else None

    def _fails_again(self) -> bool:
        """Return whether the call fails alike on copies, or on shapes alone where copies are large."""
        if len(self.operands) > _OPERANDS:
            return False
        everything = self.everything()
        if len({each.device for each in everything}) > 1:
            return True
        numbers = sum(each.numel() for each in everything)
        self._meta = numbers > _MOST_NUMBERS or any(each.device.type != "cpu" for each in everything)
        again = self._run({}, None)
        self._until = time.process_time() + _SECONDS
        return type(again) is type(self._error) and (self._meta or str(again) == str(self._error))

    def _values_decide(self) -> bool:
        """Return whether the same call succeeds with zeros, or with ones."""
        plain: tuple[Change, ...] = (torch.zeros_like, torch.ones_like)
        return not self._meta and any(
            self._run({id(each): _like(one) for each in self.operands}, None) is None for one in plain
        )

    def everything(self) -> list[Any]:
        """All tensors that take part, those of the layer included."""
        module = self._failed.module
        return [
            *self.operands,
            *(module.parameters() if module is not None else ()),
            *(module.buffers() if module is not None else ()),
        ]

    # -- what is changed -----------------------------------------------------------------------------------------

    def _devices(self) -> Iterator[Trial]:
        if len({each.device for each in self.everything()}) > 1:
            for at, each in enumerate(self.operands):
                others = {other.device for other in self.everything() if other is not each}
                if others != {each.device}:
                    yield Accepted(how="device", operand=at), None, None

    def _dtypes(self) -> Iterator[Trial]:
        known = list(dict.fromkeys([*(each.dtype for each in self.everything()), *_DTYPES]))
        for at, each in enumerate(self.operands):
            for dtype in known:
                if dtype != each.dtype:
                    text = kinds.CAST_CALLS.get(dtype, f"to({dtype})")
                    yield Accepted(how="dtype", operand=at, text=text, dtype=dtype), _method("to", dtype), None

    def _graphs(self) -> Iterator[Trial]:
        if not self._meta:
            for at, each in enumerate(self.operands):
                if each.requires_grad:
                    yield Accepted(how="graph", operand=at, text="detach()"), _method("detach"), None

    def _layouts(self) -> Iterator[Trial]:
        for at, each in enumerate(self.operands):
            if each.layout is torch.strided and not each.is_contiguous():
                yield Accepted(how="layout", operand=at, text="contiguous()"), _method("contiguous"), None

    def _shapes(self) -> Iterator[Trial]:
        for at, each in enumerate(self.operands):
            shape = tuple(each.shape)
            alike = self._failed.name.strip("_") in _ELEMENT_BY_ELEMENT
            for text, change in _rearranged(shape):
                if alike and not text.startswith(("squeeze", "unsqueeze")):
                    continue  # elements that belong together would no more meet
                yield Accepted(how="shape", operand=at, text=text), change, None
            for axis in range(min(len(shape), _AXES)):
                for size in self._sizes(each):
                    if size != shape[axis]:
                        sized = (*shape[:axis], size, *shape[axis + 1 :])
                        found = Accepted(how="size", operand=at, axis=axis, size=size, shape=sized)
                        yield found, _method("new_zeros", sized), None
            yield from self._whole(at, shape)
        yield from self._arguments()

    def _whole(self, at: int, shape: tuple[int, ...]) -> Iterator[Trial]:
        """Several axes at once: the shape of another operand, or room for the kernel of a layer."""
        for other in self.operands:
            if tuple(other.shape) != shape:
                wanted = tuple(other.shape)
                yield Accepted(how="alike", operand=at, shape=wanted), _method("new_zeros", wanted), None
        kernel = getattr(self._failed.module, "kernel_size", None)
        if isinstance(kernel, tuple) and all(type(each) is int for each in kernel) and len(shape) > len(kernel):
            room = tuple(max(pair) for pair in zip(shape[-len(kernel) :], kernel))
            wanted = (*shape[: -len(kernel)], *room)
            if wanted != shape:
                yield Accepted(how="kernel", operand=at, shape=wanted), _method("new_zeros", wanted), None

    def _sizes(self, operand: Any) -> list[int]:
        """The sizes that something else in the call has."""
        found = [size for each in self.everything() if each is not operand for size in each.shape if size != 1]
        return list(dict.fromkeys([*declared(self._failed.module).values(), *found]))[:24] or [1]

    def _arguments(self) -> Iterator[Trial]:
        """Another number in place of one that stands for a size of a single tensor."""
        if self._failed.module is not None or len(self.operands) != 1 or self._failed.kwargs:
            return
        shape = tuple(self.operands[0].shape)
        whole = [math.prod(shape[start:]) for start in range(len(shape))]
        rest = self._failed.args[1:]
        flat = rest[0] if len(rest) == 1 and isinstance(rest[0], (tuple, list)) else rest
        if not all(type(each) is int for each in flat):
            return
        for at, each in enumerate(flat):
            for size in dict.fromkeys([*whole, *shape]):
                if size != each and each != -1:
                    given = (*flat[:at], size, *flat[at + 1 :])
                    text = f"({', '.join(map(str, given))})"
                    yield Accepted(how="argument", operand=0, text=text), None, given

    def _values(self) -> Iterator[Trial]:
        for at, each in enumerate(self.operands):
            if each.dtype in (torch.int64, torch.int32, torch.uint8, torch.int16):
                limit = self._limit(each)
                found = Accepted(how="values", operand=at, low=0, high=limit - 1, size=limit)
                yield found, _method("clamp", 0, limit - 1), None
                yield Accepted(how="values", operand=at, low=1), _method("clamp", 1), None
            elif each.is_floating_point():
                yield Accepted(how="values", operand=at), _method("nan_to_num", 0.0, 0.0, 0.0), None
                for low, high in _RANGES:
                    found = Accepted(how="values", operand=at, low=low, high=high)
                    yield found, _method("clamp", low, high), None

    def _limit(self, operand: Any) -> int:
        """The least number that is too large for the call."""
        fits, large = 0, max(int(operand.max()), 0) + 1
        while large - fits > 1:
            middle = (fits + large) // 2
            if self._run({id(operand): _method("clamp", 0, middle)}, None) is None:
                fits = middle
            else:
                large = middle
        return large

    # -- running -------------------------------------------------------------------------------------------------

    def _succeeds(self, wanted: Accepted, change: Change | None, arguments: Any) -> bool:
        if time.process_time() > self._until:
            return False
        changes = {id(self.operands[wanted.operand]): change} if change is not None else {}
        return self._run(changes, arguments) is None

    def _run(self, changes: dict[int, Change], arguments: Any) -> BaseException | None:
        made: dict[int, Any] = {}

        def copied(thing: Any) -> Any:
            if isinstance(thing, torch.Tensor):
                if id(thing) not in made:
                    one = self._copy(thing)
                    made[id(thing)] = changes[id(thing)](one) if id(thing) in changes else one
                return made[id(thing)]
            if isinstance(thing, (list, tuple)) and type(thing) in (list, tuple):
                return type(thing)(copied(each) for each in thing)
            if type(thing) is dict:
                return {key: copied(each) for key, each in thing.items()}
            return thing

        try:
            args = copied(self._failed.args)
            if arguments is not None:
                args = (args[0], *arguments)
            kwargs = copied(self._failed.kwargs)
            module = self._failed.module
            if module is None:
                self._failed.function(*args, **kwargs)
            else:
                again = _copied(module, self._copy)
                type(module).forward(again, *args, **kwargs)
        except Exception as error:  # that is what a trial finds out
            return error
        return None

    def _copy(self, tensor: Any) -> Any:
        if not self._meta:
            return tensor.detach().clone(memory_format=torch.preserve_format).requires_grad_(tensor.requires_grad)
        if tensor.layout is not torch.strided:
            return tensor.to("meta")
        return torch.empty_strided(tuple(tensor.shape), tensor.stride(), dtype=tensor.dtype, device="meta")


def _copied(module: Any, copying: Callable[[Any], Any]) -> Any:
    """A layer of the same settings with copies of what it holds."""
    again = copy.copy(module)
    again.__dict__ = dict(vars(module))
    for kept in ("_parameters", "_buffers"):
        again.__dict__[kept] = {
            name: None if each is None else copying(each) for name, each in vars(module)[kept].items()
        }
    again.__dict__["_modules"] = {
        name: None if each is None else _copied(each, copying) for name, each in module._modules.items()
    }
    if "_flat_weights" in vars(module):
        held = again.__dict__["_parameters"]
        again.__dict__["_flat_weights"] = [held.get(name) for name in module._flat_weights_names]
    return again


def declared(module: Any) -> dict[str, int]:
    """The sizes that a layer was made with, by the names of its attributes."""
    found: dict[str, int] = {}
    for name, each in vars(module).items() if module is not None else ():
        if type(each) is int and each > 0 and not name.startswith("_"):
            found[name] = each
        elif name == "normalized_shape" and isinstance(each, tuple) and each:
            found[f"{name}[-1]"] = each[-1]
    return found


def _rearranged(shape: tuple[int, ...]) -> Iterator[tuple[str, Change]]:
    """The same elements in another shape, likeliest first."""
    for axis, size in enumerate(shape):
        if size == 1:
            yield f"squeeze({axis})", _method("squeeze", axis)
    for start in range(1, len(shape) - 1):
        yield f"flatten({start})", _method("flatten", start)
    if len(shape) >= 4:
        order = (*range(len(shape) - 3), len(shape) - 1, len(shape) - 3, len(shape) - 2)
        yield f"permute{order}", _method("permute", order)
    for one, other in itertools.combinations(range(min(len(shape), _AXES)), 2):
        yield f"transpose({one}, {other})", _method("transpose", one, other)
    for axis in range(len(shape) + 1):
        yield f"unsqueeze({axis})", _method("unsqueeze", axis)


def changed(move: Accepted, tensor: Any) -> tuple[int, ...]:
    """The shape that a rearrangement gives a tensor."""
    empty = torch.empty(tuple(tensor.shape), device="meta")
    return next(
        (tuple(change(empty).shape) for text, change in _rearranged(tuple(tensor.shape)) if text == move.text), ()
    )


def _like(values: Change) -> Change:
    return lambda tensor: values(tensor).requires_grad_(tensor.requires_grad)


def _method(name: str, *args: Any) -> Change:
    return lambda tensor: getattr(tensor, name)(*args)


def dtype_name(dtype: Any) -> str:
    """A dtype as a reader knows it: `float32`."""
    return str(dtype).removeprefix("torch.")
