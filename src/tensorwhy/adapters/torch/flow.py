"""Asks which gradients arrive: one forward and backward pass of a module or function, for asserts and summaries."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from tensorwhy.adapters.arrivals import Arrival

_SEED = 2026


def is_model(thing: Any) -> bool:
    """Return whether this is a module of PyTorch."""
    return isinstance(thing, torch.nn.Module)


@contextlib.contextmanager
def eagerly() -> Iterator[None]:
    """Run compiled code as plain Python."""
    dynamo = getattr(torch, "_dynamo", None)
    before = dynamo.config.disable if dynamo is not None else False
    if dynamo is not None:
        dynamo.config.disable = True
    try:
        yield
    finally:
        if dynamo is not None:
            dynamo.config.disable = before


def of_model(
    model: Any,
    inputs: Any,
    sources: Sequence[Any] | None,
    *,
    allow_none: bool = False,
    also: Callable[[], Sequence[Any]] = tuple,
    **options: Any,
) -> list[Arrival]:
    """The gradients of a module's output with respect to its parameters, or to `sources`.

    The output is weighted with fixed random numbers, so that nothing cancels (a softmax sums up to one). A tuple of
    inputs is its positional arguments. No `.grad` changes, and buffers and random numbers are as before.
    """
    given = tuple(map(_tensor, inputs)) if isinstance(inputs, tuple) else (_tensor(inputs),)

    def choose() -> Sequence[Any]:
        return sources or [*(each for each in model.parameters() if each.requires_grad), *also()]

    with _kept(model):
        return _gradients(lambda: model(*given, **options), choose, model, allow_none)


def of_function(function: Callable[..., Any], inputs: Any, sources: Sequence[Any] | None) -> list[Arrival]:
    """The same for a function of tensors; a tuple of inputs is its positional arguments.

    Without `sources` they are the floating-point inputs.
    """
    arrays = inputs if isinstance(inputs, tuple) else (inputs,)
    given = [_leaf(each) for each in arrays]
    watched = [each for each in given if isinstance(each, torch.Tensor) and each.requires_grad]
    return _gradients(lambda: function(*given), lambda: sources or watched, None, False)


def name_of(source: Any, position: int, model: Any = None) -> str:
    """The name of a parameter in a module; the position of anything else."""
    named = model.named_parameters() if model is not None else ()
    return next((name for name, each in named if each is source), f"input {position + 1}")


def _tensor(value: Any) -> Any:
    return torch.as_tensor(value) if type(value).__module__ == "numpy" else value


def _leaf(value: Any) -> Any:
    """An input that gradients arrive at: the tensor itself where it is one, else a new leaf."""
    value = _tensor(value)
    if (
        isinstance(value, torch.Tensor)
        and (value.is_floating_point() or value.is_complex())
        and not value.requires_grad
    ):
        return value.detach().clone().requires_grad_()
    return value


@contextlib.contextmanager
def _kept(model: Any) -> Iterator[None]:
    """Put buffers and random numbers back afterwards: running statistics move in each call."""
    before = [(each, each.detach().clone()) for each in model.buffers()]
    with torch.random.fork_rng(devices=[]):
        try:
            yield
        finally:
            with torch.no_grad():
                for buffer, value in before:
                    buffer.copy_(value)


def _gradients(
    call: Callable[[], Any], choose: Callable[[], Sequence[Any]], model: Any, allow_none: bool
) -> list[Arrival]:
    with torch.enable_grad():
        target = _weighted(call())
        sources = list(choose())
        if not sources and allow_none:
            return []
        if not sources:
            raise ValueError("there is nothing to differentiate: no trainable parameter and no floating-point input")
        found: list[Any] = [None] * len(sources)
        rooted = [at for at, each in enumerate(sources) if each.requires_grad]
        if target.requires_grad and rooted:
            chosen = [sources[at] for at in rooted]
            for at, gradient in zip(rooted, torch.autograd.grad(target, chosen, allow_unused=True)):
                found[at] = gradient
        elif rooted:
            with contextlib.suppress(RuntimeError):  # asked so that the recording explains it
                torch.autograd.grad(target, [sources[at] for at in rooted])
    return [_arrival(each, found[at], name_of(each, at, model)) for at, each in enumerate(sources)]


def _weighted(outputs: Any) -> Any:
    leaves = [each for each in leaves_of(outputs) if each.is_floating_point()]
    if not leaves:
        raise ValueError("it returns no floating-point output, so there is no gradient")
    numbers = torch.Generator().manual_seed(_SEED)
    parts = []
    for each in leaves:
        weights = torch.rand(tuple(each.shape), generator=numbers) + 0.5
        parts.append((each.to(torch.float32) * weights.to(each.device)).sum())
    return torch.stack(parts).sum()


def leaves_of(thing: Any) -> Iterator[Any]:
    """The tensors in what a module returned."""
    if isinstance(thing, torch.Tensor):
        yield thing
    elif isinstance(thing, (list, tuple)):
        for each in thing:
            yield from leaves_of(each)
    elif isinstance(thing, dict) or hasattr(thing, "values"):
        for each in thing.values():
            yield from leaves_of(each)


def _arrival(source: Any, gradient: Any, name: str) -> Arrival:
    norm = None if gradient is None else float(gradient.detach().to_dense().double().norm())
    return Arrival.of(source, name, norm, str(source.dtype).removeprefix("torch."), tuple(source.shape))
