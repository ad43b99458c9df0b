"""What each recorded function was called with, so that a step with a bad gradient can be executed once more.

Tensors are held weakly: what a step began with is alive when its gradient is asked for, and the rest is computed again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from types import CodeType, FrameType
from typing import Any, NamedTuple

import torch
from torch.nn.parameter import is_lazy

from tensorwhy.adapters.torch.operations.traits import trait_of
from tensorwhy.adapters.torch.recording.serials import Serials, Weak

MOST = 20_000
"""So many calls are kept; older ones go first."""
AGAIN = 5_000
"""A step of more calls is not executed again."""
_SMALL = 4_096
_RESULTS = 2_000
_COPIES = 512
"""So many small tensors are copied before they are changed in place."""
_DEPTH = 30
LOSSES = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "poisson_nll_loss", "kl_div"})
"""Loss functions that broadcast what they compare."""
BROADCASTING = LOSSES | {
    "add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "pow", "maximum", "minimum", "max",
    "min", "xlogy", "hypot",
}  # fmt: skip
GRAD = "autograd.grad"
SLOPE = "autograd.grad (constant)"
STRAIGHT = "autograd.grad (of a linear function)"
"""A call with `create_graph=True` whose results have no graph."""
KEPT = "ctx"
"""A custom function whose gradient is computed with what `forward` kept, of which there is no graph."""
ONCE = "once"
"""A custom function whose gradient is marked as one that is not differentiated again."""
RECOMPUTED = "CheckpointFunction (computed again)"
"""A reentrant checkpoint whose second run does not use a parameter that its first run used."""
_PLAIN = (int, float, complex, str, bool, type(None), torch.dtype, torch.device, torch.layout, torch.memory_format)
PLAIN = frozenset({*_PLAIN, type(...)})
"""Types of arguments that stay what they are."""


class Ref(NamedTuple):
    """Stands for a tensor among arguments."""

    serial: int


class Opaque(Exception):
    """An argument that a call cannot be made with again."""


class Call(NamedTuple):
    """One call. `outputs` are the numbers of the tensors in its result, in order, 0 for what was known before.

    `args` is None for a call that cannot be made again. `changes`: it changes its first argument in place.
    `keeps`: no graph was kept. `autocast`: the kind of device and the dtype, where autocast was on.
    `owner`: the ready-made module that called it, by its id.
    """

    function: Any
    name: str
    args: tuple[Any, ...] | None
    kwargs: dict[str, Any]
    outputs: tuple[int, ...]
    place: int
    changes: bool = False
    keeps: bool = True
    autocast: tuple[str, torch.dtype] | None = None
    owner: int = 0


class Result(NamedTuple):
    """What a call at a place gave: the shape of its first result, and those of the tensors it was given.

    `bare`: it was given one tensor, and nothing else.
    """

    place: int
    name: str
    shape: tuple[int, ...]
    given: tuple[tuple[int, ...], ...]
    bare: bool


class Slice(NamedTuple):
    """What a target was computed by, in order, and what that began with."""

    calls: tuple[Call, ...]
    given: dict[int, Any]
    leaves: tuple[int, ...]
    targets: tuple[int, ...]
    grads: tuple[Any, ...]
    asked: tuple[Weak, ...]


class Calls:
    """The calls since recording began, the last ones of them."""

    def __init__(self, serials: Serials) -> None:
        self._serials = serials
        self._calls: dict[int, Call] = {}
        self._makers: dict[int, int] = {}
        self._alive: dict[int, Weak] = {}
        self._constants: dict[int, Any] = {}
        self._copies: dict[int, Any] = {}
        self._ended: dict[tuple[int, str], Result] = {}
        self._count = 0
        self.large = False
        """The last slice that was asked for was given up, as it has too many calls."""
        self.shapes: dict[int, tuple[int, ...]] = {}
        self.entered: Counter[int] = Counter()
        """How often a tensor was made of Python's numbers, by place."""
        self.paired: dict[int, None] = {}
        self.unequal: dict[int, None] = {}
        """Results that have one element for each pair of their operands' elements."""

    def clear(self) -> None:
        """Forget everything but what the last calls gave."""
        for call in reversed(self._calls.values()):
            if len(self._ended) < _RESULTS and (call.place, call.name) not in self._ended:
                self._ended[call.place, call.name] = self._result(call)
        for each in (
            self._calls,
            self._makers,
            self._alive,
            self._constants,
            self._copies,
            self.shapes,
            self.paired,
            self.unequal,
        ):
            each.clear()

    @property
    def count(self) -> int:
        """The number of the last call."""
        return self._count

    def maker(self, serial: int) -> tuple[int, Call] | None:
        """Return the call that made a tensor, with its number."""
        at = self._makers.get(serial)
        return (at, self._calls[at]) if at is not None and at in self._calls else None

    def past(self, serial: int, names: Container[str]) -> int:
        """Return what a tensor is but for some functions of one tensor."""
        while (known := self.maker(serial)) is not None and known[1].name in names:
            given = next(references(known[1].args), 0)
            if not given:
                break
            serial = given
        return serial

    def latest(self) -> Iterator[Call]:
        """Yield the calls that are kept, the last one first."""
        yield from reversed(self._calls.values())

    def results(self) -> Iterator[Result]:
        """Yield what calls gave, the last one first; of those that are kept no more, the last one of each place."""
        yield from map(self._result, self.latest())
        yield from self._ended.values()

    def _result(self, call: Call) -> Result:
        given = tuple(tuple(self.shapes.get(each, ())) for each in references((call.args, call.kwargs)))
        bare = len(given) == len(call.args or ()) + len(call.kwargs) == 1
        return Result(call.place, call.name, tuple(self.shapes.get(call.outputs[0], ())), given, bare)

    def behind(self, tensors: Iterable[int], ends: Callable[[Call], bool] = lambda call: False) -> Iterator[Call]:
        """Yield the calls that some tensors are computed by, each once, but for what is behind one that `ends`."""
        stack, seen = [*tensors], set[int]()
        while stack:
            at = self._makers.get(stack.pop())
            if at is not None and at in self._calls and at not in seen:
                seen.add(at)
                yield self._calls[at]
                if not ends(self._calls[at]):
                    stack += references((self._calls[at].args, self._calls[at].kwargs))

    def template(self, value: Any) -> Any:
        """Return arguments with a reference in the place of each tensor. Raises `Opaque`."""
        if isinstance(value, torch.Tensor):
            serial = self._serials.known(value)
            if serial is None:
                raise Opaque
            if serial not in self._alive:
                self._alive[serial] = Weak(value)
                self._shaped(serial, value)
            return Ref(serial)
        kind = type(value)
        number = kind.__module__ == "numpy" and not hasattr(value, "__len__")
        if isinstance(value, _PLAIN) or value is Ellipsis or number:
            return value
        if kind is list or kind is torch.Size or kind is tuple:
            made = [self.template(each) for each in value]
            return made if kind is list else tuple(made)
        if kind is slice:
            return slice(*(self.template(each) for each in (value.start, value.stop, value.step)))
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return kind(*(self.template(each) for each in value))
        if kind is dict:
            return {key: self.template(each) for key, each in value.items()}
        raise Opaque

    def arguments(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...] | None, dict[str, Any]]:
        """Return the arguments of a call that is noted later: None where it cannot be made again."""
        try:
            return tuple(map(self.template, args)), {k: self.template(v) for k, v in (kwargs or {}).items()}
        except Opaque:
            return None, {}

    def note(
        self,
        function: Any,
        name: str,
        args: Any,
        kwargs: Any,
        outputs: tuple[int, ...],
        made: list[Any],
        place: int,
        changes: bool = False,
        frame: FrameType | None = None,
    ) -> None:
        """Keep what a function was called with, and what it `made`."""
        for each in made:
            number = self._serials.known(each) or 0
            self._alive[number] = Weak(each)
            self._shaped(number, each)
        keeps = any(each.requires_grad for each in made)
        self._count += 1
        for number in outputs:
            if number:
                self._makers[number] = self._count
        self._calls[self._count] = Call(
            function, name, args, kwargs, outputs, place, changes, keeps, autocast(), _owner(frame)
        )
        if function is None:
            self.entered[place] += 1
        if name in BROADCASTING and args is not None:
            self.pair(args, kwargs, outputs[0])
        if args is None and not keeps and _is_small(made[0]):
            with torch._C.DisableTorchFunction():
                self._constants[outputs[0]] = made[0].detach().clone()
        if len(self._calls) > MOST:
            self.evict()

    def changing(self, tensor: Any) -> None:
        """A tensor is about to be changed in place: copy a small one that calls have read, as it is gone after that."""
        for each in (tensor, tensor._base):
            number = self._serials.known(each) if each is not None and not each.requires_grad else None
            if number is not None and number in self._alive and number not in self._copies and _is_small(each):
                with torch._C.DisableTorchFunction():
                    self._copies[number] = each.detach().clone()
        while len(self._copies) > _COPIES:
            del self._copies[next(iter(self._copies))]

    def evict(self) -> None:
        """Forget the oldest call."""
        old = self._calls.pop(self._count - len(self._calls) + 1)  # to search a dict for its first key takes long
        for number in old.outputs:
            self._makers.pop(number, None)
            self._alive.pop(number, None)
            self._constants.pop(number, None)
            self.shapes.pop(number, None)
            self.paired.pop(number, None)
            self.unequal.pop(number, None)

    def _shaped(self, serial: int, tensor: Any) -> None:
        if not is_lazy(tensor) and not tensor.is_nested:  # they have no shape
            self.shapes[serial] = tensor.shape

    def pair(self, args: tuple[Any, ...], kwargs: dict[str, Any], made: int) -> None:
        """Note what was made of two operands that have as many elements and differ in their number of axes, and a loss
        of as many samples of which one side has less values for each."""
        given = [self.shapes.get(each.serial, ()) for each in (*args, *kwargs.values()) if type(each) is Ref]
        if len(given) != 2 or given[0] == given[1] or not all(given):
            return
        first, second = ([size for size in shape if size != 1] for shape in given)
        if len(given[0]) != len(given[1]):
            if first and first == second:
                self.paired[made] = None
        elif given[0][0] == given[1][0] > 1 and (known := self.maker(made)) is not None and known[1].name in LOSSES:
            self.unequal[made] = None

    def slice(self, targets: tuple[Any, ...], grads: tuple[Any, ...]) -> Slice | None:
        """Return what some tensors were computed by; None where it is large, or a part was not seen or is gone."""
        self.large = False
        known = [self._serials.known(each) for each in targets]
        numbers = tuple(each for each in known if each is not None)
        if len(numbers) < len(targets) or not numbers:
            return None
        wanted, stack = set[int](), list(numbers)
        given: dict[int, Any] = {}
        seen = set(numbers)
        while stack:
            serial = stack.pop()
            tensor = self.living(serial)
            if tensor is None:
                tensor = self._copies.get(serial)
            at = self._makers.get(serial)
            if at is None or (tensor is not None and (not tensor.requires_grad or tensor.is_leaf)):
                if tensor is None or (tensor.requires_grad and not tensor.is_leaf):
                    return None  # made out of sight
                given[serial] = tensor
                continue
            call = self._calls[at]
            if call.args is None:
                if serial not in self._constants:
                    return None
                given[serial] = self._constants[serial]
                continue
            wanted.add(at)
            if len(wanted) > AGAIN or len(stack) > 2 * AGAIN:
                self.large = True
                return None
            for each in references((call.args, call.kwargs)):
                if each not in seen:
                    seen.add(each)
                    stack.append(each)
        leaves = tuple(serial for serial, each in given.items() if each.requires_grad)
        calls = tuple(self._calls[at] for at in sorted(wanted))
        return Slice(calls, given, leaves, numbers, grads, tuple(map(Weak, targets)))

    def with_background(self, sliced: Slice) -> Slice:
        """Return a slice with what its constants were computed by, as far as that can be had."""
        given = dict(sliced.given)
        known = {each for call in sliced.calls for each in call.outputs} | given.keys()
        added = dict[int, bool]()

        def resolved(serial: int, depth: int) -> bool:
            if serial in known:
                return True
            tensor = self.living(serial)
            if tensor is not None:
                known.add(serial)
                given[serial] = tensor
                reach(serial, depth)
            return tensor is not None or reach(serial, depth)

        def reach(serial: int, depth: int) -> bool:
            at = self._makers.get(serial, 0)
            call = self._calls.get(at)
            if call is None or call.args is None or depth > _DEPTH or trait_of(call.name) == "random":
                return False
            if at not in added:
                added[at] = False
                added[at] = all(resolved(each, depth + 1) for each in references((call.args, call.kwargs)))
                if added[at]:
                    known.update(call.outputs)
            return added[at]

        for serial in sliced.given:
            reach(serial, 0)
        wanted = {self._makers[each] for call in sliced.calls for each in call.outputs if each in self._makers}
        calls = sorted({*wanted, *(at for at, good in added.items() if good)})
        return sliced._replace(calls=tuple(self._calls[at] for at in calls), given=given)

    def living(self, serial: int) -> Any | None:
        """Return a tensor by its number, while it is alive."""
        reference = self._alive.get(serial)
        tensor = reference() if reference is not None else None
        return tensor if tensor is not None and self._serials.known(tensor) == serial else None


_MODULES = f"{os.sep}torch{os.sep}nn{os.sep}modules{os.sep}"


def _owner(frame: FrameType | None) -> int:
    """The id of the ready-made module in whose `forward` a frame is, or in that of its caller."""
    for _ in range(3):
        if frame is None:
            break
        if is_ready_made(frame.f_code):
            return id(frame.f_locals.get("self"))
        frame = frame.f_back
    return 0


def is_ready_made(code: CodeType) -> bool:
    """Return whether code computes what a ready-made module does."""
    return code.co_name in ("forward", "_conv_forward") and _MODULES in code.co_filename


def autocast() -> tuple[str, torch.dtype] | None:
    """The kind of device and the dtype, where autocast is on."""
    if not is_autocast():
        return None
    if hasattr(torch, "get_autocast_dtype"):
        device = "cpu" if torch.is_autocast_enabled("cpu") else "cuda"
        return device, torch.get_autocast_dtype(device)
    if torch.is_autocast_cpu_enabled():
        return "cpu", torch.get_autocast_cpu_dtype()
    return "cuda", torch.get_autocast_gpu_dtype()


def _is_small(tensor: Any) -> bool:
    """Whether a copy of a tensor costs nothing. What stands for many inside of a transform has no values."""
    plain = type(tensor) is torch.Tensor and tensor.layout is torch.strided and tensor.numel() <= _SMALL
    return plain and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)


is_autocast: Callable[[], bool] = getattr(
    torch._C, "_is_any_autocast_enabled", lambda: torch.is_autocast_enabled() or torch.is_autocast_cpu_enabled()
)


def references(value: Any) -> Iterator[int]:
    """The numbers of the tensors among arguments."""
    found = list[int]()
    _refer(value, found)
    return iter(found)


def _refer(value: Any, found: list[int]) -> None:
    kind = type(value)
    if kind is Ref:
        found.append(value.serial)
    elif kind is dict:
        for each in value.values():
            _refer(each, found)
    elif kind is slice:
        for each in (value.start, value.stop, value.step):
            _refer(each, found)
    elif kind is list or isinstance(value, tuple):
        for each in value:
            _refer(each, found)


def fill(value: Any, replace: Any) -> Any:
    """Return arguments with what `replace` gives for each reference."""
    if isinstance(value, Ref):
        return replace(value.serial)
    if isinstance(value, tuple):
        made = [fill(each, replace) for each in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, list):
        return [fill(each, replace) for each in value]
    if isinstance(value, dict):
        return {key: fill(each, replace) for key, each in value.items()}
    if isinstance(value, slice):
        return slice(*(fill(each, replace) for each in (value.start, value.stop, value.step)))
    return value
