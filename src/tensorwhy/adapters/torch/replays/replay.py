"""A recorded step, executed once more on copies, with the gradient of every use of every value."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import torch

from tensorwhy.adapters.torch.operations.elements import Element, first_bad, of_loss
from tensorwhy.adapters.torch.operations.graphs import tensors
from tensorwhy.adapters.torch.operations.numbers import constant, numbers
from tensorwhy.adapters.torch.operations.traits import WITH_BIAS, WITH_NUMBERS, limits_of, together, trait_of
from tensorwhy.adapters.torch.recording.calls import AGAIN, GRAD, Call, Slice, fill
from tensorwhy.adapters.torch.recording.rows import write_into
from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.signal import Node, Walk
from tensorwhy.model.facts.signal import Numbers

_LARGEST = 1 << 28
"""So many elements may be copied."""
HELD = 1 << 24
"""So many numbers are held at a time, in copies for steps that are executed at the end."""
_AWAY = 0.1
"""How far away from its value it is looked whether a source still gets zero, relative to its size."""

_OF_TWO = {"max": "maximum", "min": "minimum"}


class Step(Executed):
    """The numbers of a step, with the place of each operation, and the module that called it, by what it gave."""

    places: dict[int, tuple[int, int]]
    elements: dict[int, Element]
    """The first number that is not finite of a result, by what it is in."""

    def born(self) -> tuple[Node, Numbers] | None:
        """The first operation on the way back that makes NaN of a gradient without, and what it hands on."""
        for at in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[at]
            given = [numbers for each in node.outputs if (numbers := self.arriving(each)) is not None]
            for position in range(len(node.inputs)):
                handed = self._passed.get((at, position))
                if handed is not None and handed.nans and given and not any(each.nans for each in given):
                    return node, handed
        return None


class Held:
    """A step that is executed at the end, with copies of what it began with; `sources` are its bad leaves.

    One with more than `room` numbers is executed at once.
    """

    def __init__(self, sliced: Slice, bad: Collection[int], zero: Collection[int], room: int) -> None:
        self.sources = tuple(bad)
        self._zero = zero
        self._step: Step | None = None
        self.size = _size(sliced)
        self._slice: Slice | None = sliced
        if len(sliced.calls) > AGAIN or self.size > _LARGEST:
            self.drop()
        elif self.size > room:
            self.step()
        else:
            with torch.no_grad(), torch._C.DisableTorchFunction():
                given = {key: _copy(each) for key, each in sliced.given.items()}
                grads = tuple(None if each is None else _copy(each) for each in sliced.grads)
            self._slice = sliced._replace(given=given, grads=grads)

    def step(self) -> Step | None:
        """Execute it, once; None where it cannot be, or comes out otherwise than it did."""
        if self._slice is not None:
            sliced = self._slice
            self.drop()
            with (
                contextlib.suppress(Exception),
                torch.autograd.set_detect_anomaly(False),
            ):  # a step that cannot be executed again says nothing
                self._step = executed(sliced, self.sources, self._zero)
        return self._step

    def drop(self) -> None:
        """Hold no copies any more."""
        self._slice, self.size = None, 0


def _size(sliced: Slice) -> int:
    return sum(each.numel() for each in (*sliced.given.values(), *sliced.grads) if each is not None)


def _copy(tensor: Any) -> Any:
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


def executed(sliced: Slice, bad: Collection[int], zero: Collection[int]) -> Step | None:
    """Execute a step for its `bad` leaves; None where it cannot be, or comes out otherwise than it did."""
    if len(sliced.calls) > AGAIN or _size(sliced) > _LARGEST:
        return None
    devices = sorted({each.device.index for each in sliced.given.values() if each.is_cuda})
    with warnings.catch_warnings(), torch.random.fork_rng(devices), torch._C.DisableTorchFunction():
        warnings.simplefilter("ignore")
        step = _Execution(sliced).step(bad)
        if zero and step is not None:
            moved = _Execution(sliced, frozenset(zero)).step(zero)
            if moved is not None:
                walk = Walk(moved, tuple(zero))
                step.arrived = frozenset(each for each in zero if walk.state(each) == "flows")
        return step


def flat(sliced: Slice, terms: Sequence[int], leaves: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """By each term that has a value: those of some leaves that it is computed from, where all get zero from it.

    That is so with the values of this step, and with other values of these leaves.
    """
    if len(sliced.calls) > AGAIN or _size(sliced) > _LARGEST >> 4:  # nothing is known to be bad yet
        return {}
    devices = sorted({each.device.index for each in sliced.given.values() if each.is_cuda})
    with warnings.catch_warnings(), torch.random.fork_rng(devices), torch._C.DisableTorchFunction():
        warnings.simplefilter("ignore")
        now = _Execution(sliced).zeros(terms, leaves)
        left = [each for each in now if now[each]]
        return {**now, **_Execution(sliced, frozenset(leaves)).zeros(left, leaves)} if left else {}


def gradient(outputs: Any, inputs: Any, grad_outputs: Any = None) -> list[Any]:
    """The gradients that `autograd.grad` has, with their own graph."""
    found = torch.autograd.grad(outputs, inputs, grad_outputs, create_graph=True, allow_unused=True)
    return [each for each in found if each is not None]


class _Gate(torch.autograd.Function):  # type: ignore[misc]
    """Stands between a gradient that has a graph of its own and what is computed from it.

    The first is differentiated through that graph, whose nodes are no calls of the program. A closed gate keeps what
    comes, and lets nothing through: so both parts are told apart.
    """

    @staticmethod
    def forward(ctx: Any, tensor: Any, gate: _Gates, number: int) -> Any:
        ctx.gate, ctx.number = gate, number
        return tensor.view_as(tensor)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        gates = ctx.gate
        if gates.closed:
            gates.come[ctx.number] = gates.come.get(ctx.number, 0) + grad.detach()
            return None, None, None
        return grad, None, None


class _Gates:
    """All gates of a step, and what came to them, by their numbers."""

    def __init__(self) -> None:
        self.closed = False
        self.come: dict[int, Any] = {}


class _Execution:
    def __init__(self, sliced: Slice, moved: frozenset[int] = frozenset()) -> None:
        self._slice = sliced
        self._moved = moved
        self._env: dict[int, Any] = {}
        self._values: dict[int, Numbers | None] = {}
        self._nodes: list[Node] = []
        self._uses: dict[tuple[int, int], Any] = {}
        self._behind: dict[int, int] = {}
        self._places: dict[int, tuple[int, int]] = {}
        self._elements: dict[int, Element] = {}
        self._gates = _Gates()
        self._gradients: dict[int, list[Any]] = {}
        """By node: the results of `autograd.grad`, before their gates."""
        self._apart = set[int]()
        """What gets a gradient from such a result where its elements count unevenly."""
        self._new = -1

    def zeros(self, terms: Sequence[int], leaves: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """By term: the leaves that get a gradient of zero from it, empty where one gets another or it has no value."""
        self._forward()
        found = {}
        for term in terms:
            target = self._env[term]
            asked = [self._env[each] for each in leaves]
            grads = torch.autograd.grad(target, asked, torch.ones_like(target), retain_graph=True, allow_unused=True)
            used = [(leaf, grad) for leaf, grad in zip(leaves, grads) if grad is not None]
            zero = bool(target.detach().any()) and not any(bool(grad.any()) for _, grad in used)
            found[term] = tuple(leaf for leaf, _ in used) if zero else ()
        return found

    def step(self, sources: Collection[int]) -> Step | None:
        """Execute it, forward and backward."""
        self._forward()
        targets = [self._env[each] for each in self._slice.targets]
        keys = [key for key, value in self._env.items() if value.requires_grad]
        asked = [*(self._env[key] for key in keys), *self._uses.values()]
        grads = [None if each is None else each.detach() for each in self._slice.grads] or [None] * len(targets)
        grads = [torch.ones_like(t) if g is None else g for t, g in zip(targets, grads)]
        rooted = [(t, g) for t, g in zip(targets, grads) if t.requires_grad]
        if not rooted:
            return None
        self._gates.closed = True
        roots, coming = [t for t, _ in rooted], [g for _, g in rooted]
        answers = self._asked(roots, asked, coming)
        passed = {at: numbers(each) for at, each in zip(self._uses, answers[len(keys) :]) if each is not None}
        whole = dict(zip(keys, answers))
        for at in sorted(self._gradients, reverse=True):
            self._through(at, whole, passed)
        arriving = {key: numbers(each) for key, each in whole.items() if each is not None}
        for hidden, output in self._behind.items():
            at = next(i for i, node in enumerate(self._nodes) if node.inputs[:1] == (hidden,))
            if output in arriving:
                arriving[hidden] = passed[at, 0] = arriving[output]
        self._values |= {key: numbers(value) for key, value in self._env.items() if key not in self._values}
        self._values |= {hidden: self._values[output] for hidden, output in self._behind.items()}
        step = Step(self._nodes, self._slice.targets, self._values, arriving, passed, tuple(sources))
        step.apart = frozenset(self._apart)
        step.places, step.elements = self._places, self._elements
        return step

    def _asked(self, targets: Any, inputs: Any, grads: Any) -> tuple[Any, ...]:
        kept = bool(self._gradients) or None
        return tuple(torch.autograd.grad(targets, inputs, grads, allow_unused=True, retain_graph=kept))

    def _through(self, at: int, whole: dict[int, Any], passed: dict[tuple[int, int], Numbers]) -> None:
        """Add what the leaves of a step get through gradients that have a graph."""
        node, come = self._nodes[at], self._gates.come
        outs = {key: each for key, each in zip(node.outputs, self._gradients[at]) if key in come}
        if not outs:
            return
        whole.update({key: come[key] for key in outs})
        inputs, coming = [self._env[key] for key in node.inputs], [come[key] for key in outs]
        found = self._asked([*outs.values()], inputs, coming)
        for position, (key, grad) in enumerate(zip(node.inputs, found)):
            if grad is not None:
                passed[at, position] = numbers(grad)
                whole[key] = grad if whole.get(key) is None else whole[key] + grad
        if all(each.numel() > 1 and bool((each == each.flatten()[0]).all()) for each in coming):  # they are summed
            uneven = self._asked([*outs.values()], inputs, [each * torch.rand_like(each) for each in coming])
            self._apart |= {key for key, each in zip(node.inputs, uneven) if each is not None and bool(each.any())}

    def _forward(self) -> None:
        for serial, tensor in self._slice.given.items():
            with torch.no_grad():
                copy = tensor.detach().clone()
                if serial in self._moved:
                    copy += _AWAY * torch.randn_like(copy) * max(float(copy.abs().max()), 1.0)
            self._env[serial] = copy.requires_grad_(tensor.requires_grad or serial in self._slice.leaves)
        for call in self._slice.calls:
            self._call(call)

    def _call(self, call: Call) -> None:
        if call.name == GRAD:
            made = call.function(*fill(call.args, self._env.__getitem__), **fill(call.kwargs, self._env.__getitem__))
            self._gradient(call, made)
            return
        at, inputs = len(self._nodes), list[int]()

        def used(serial: int) -> Any:
            value = self._env[serial]
            first = call.changes and not inputs
            inputs.append(serial)
            if first:
                value = value.clone()
            elif value.requires_grad:
                value = value.view_as(value)
            if value.requires_grad:
                self._uses[at, len(inputs) - 1] = value
            return value.clone() if first else value

        with _context(call):
            args = []
            counts = trait_of(call.name) in WITH_NUMBERS and call.name not in WITH_BIAS
            for each in call.args or ():
                if counts and isinstance(each, (int, float)) and not isinstance(each, bool):
                    inputs.append(self._constant(each))
                args.append(fill(each, used))
            kwargs = {name: fill(each, used) for name, each in call.kwargs.items()}
            result = call.function(*args, **kwargs)
        element = _element(call, args, kwargs, result)
        if element is not None and call.outputs[0]:
            self._elements[call.outputs[0]] = element
        made = [next(tensors([*args, *kwargs.values()]))] if call.changes else list(tensors(result))
        for serial, tensor in zip(call.outputs, made):
            if serial:
                self._env.setdefault(serial, tensor)
                self._places[serial] = call.place, call.owner
        self._node(call, inputs)

    def _gradient(self, call: Call, made: list[Any]) -> None:
        """Note gradients that have a graph, as made of the leaves, and of such gradients before them."""
        at = len(self._nodes)
        rooted = [(key, each) for key, each in zip(call.outputs, made) if key]
        inputs = [*self._slice.leaves]
        inputs += [key for before in self._gradients for key in self._nodes[before].outputs]
        self._nodes.append(Node(call.name, "", tuple(inputs), tuple(key for key, _ in rooted)))
        self._gradients[at] = [each for _, each in rooted]
        for key, each in rooted:
            self._env[key] = _Gate.apply(each, self._gates, key) if each.requires_grad else each
            self._places[key] = call.place, call.owner

    def _node(self, call: Call, inputs: list[int]) -> None:
        for key in inputs:
            if key not in self._values:
                self._values[key] = numbers(self._env[key])
        given = [self._values[key] for key in inputs]
        outputs = tuple(each for each in call.outputs if each)
        name = _OF_TWO.get(call.name, call.name) if len(inputs) == 2 else call.name
        args, trait = call.args or (), "move" if call.function is write_into else trait_of(name)
        limits = limits_of(name, args, call.kwargs, given)
        over = together(name, args, call.kwargs, given[0] if given else None)
        if call.name in WITH_BIAS and len(inputs) == 3:  # a bias is added to many elements: an operation of its own
            at, hidden = len(self._nodes), self._key()
            self._nodes.append(Node(call.name, trait, tuple(inputs[:2]), (hidden,), limits))
            self._nodes.append(Node(call.name, "add", (hidden, inputs[2]), outputs, limits))
            self._behind[hidden], self._places[hidden] = outputs[0], (call.place, call.owner)
            if (at, 2) in self._uses:
                self._uses[at + 1, 1] = self._uses.pop((at, 2))
            return
        self._nodes.append(Node(call.name, trait, tuple(inputs), outputs, limits, over))

    def _constant(self, value: float) -> int:
        key = self._key()
        self._values[key] = constant(value)
        return key

    def _key(self) -> int:
        self._new -= 1
        return self._new


def _element(call: Call, args: Any, kwargs: Any, result: Any) -> Element | None:
    """The first number of a result that is not finite; of a loss, before that is reduced."""
    if not isinstance(result, torch.Tensor) or not result.is_floating_point() or call.changes:
        return None
    with torch.no_grad():
        if bool(result.isfinite().all()):
            return None
        with contextlib.suppress(Exception):  # a loss that cannot be computed otherwise says nothing more
            return of_loss(call.function, args, kwargs) or first_bad(result, {})
    return None


@contextlib.contextmanager
def _context(call: Call) -> Iterator[None]:
    with torch.set_grad_enabled(call.keeps):
        if call.autocast is None:
            yield
            return
        device, dtype = call.autocast
        with torch.autocast(device, dtype):
            yield
