"""PyTorch's own graph, read while it is alive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch

_FREED, _CHANGED = "second time", "inplace operation"
_NODES = 5_000
"""Nodes that are looked at. An object of Python's stays with each, and when 40,000 in a row go, the stack overflows."""
_SEQUENCES = (list, tuple)


def keeps_graphs() -> bool:
    """Return whether a graph is kept of what is computed now."""
    return torch.is_grad_enabled() and not torch.is_inference_mode_enabled()


def tensors(value: Any) -> Iterator[Any]:
    """The tensors in what a function returned."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, _SEQUENCES):
        for each in value:
            yield from tensors(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors(each)


def is_leaf(tensor: Any) -> bool:
    """Whether no operation made a tensor; a view that PyTorch refuses to tell of is no leaf."""
    try:
        return bool(tensor.is_leaf)
    except RuntimeError:
        return False


def nodes(targets: Iterable[Any]) -> Iterator[Any]:
    """The nodes of the graph of some tensors, breadth first, as many as are looked at."""
    queue = [each.grad_fn for each in targets if each.grad_fn is not None]
    seen = set(queue)
    for node in queue:
        yield node
        for each, _ in node.next_functions:
            if each is not None and each not in seen and len(seen) < _NODES:
                seen.add(each)
                queue.append(each)


def reached(targets: Iterable[Any], leaf: Any) -> bool:
    """Whether the graph of some tensors leads to another one, or is too large to say: PyTorch's own account of it."""
    return not apart([*targets], (leaf,))


def apart(targets: Sequence[Any], others: Iterable[Any]) -> list[Any]:
    """Return those of some tensors to which the graph of the targets does not lead; none if it is too large to say."""
    seen = {*nodes(targets)}
    ends = {id(each) for each in targets} | {id(getattr(node, "variable", None)) for node in seen}
    found = [each for each in others if id(each) not in ends and (each.grad_fn is None or each.grad_fn not in seen)]
    return found if len(seen) < _NODES else []


def leaves(targets: Sequence[Any]) -> list[Any]:
    """Return the leaves to which the graph of some tensors leads; none if it is too large to say."""
    seen = [*nodes(targets)]
    found = [each for each in targets if each.grad_fn is None and each.requires_grad]
    found += [leaf for node in seen if (leaf := getattr(node, "variable", None)) is not None]
    return found if len(seen) < _NODES else []


def is_spent(error: BaseException) -> bool:
    """Whether a node refused what it had saved. Those that ran before another error are freed as well."""
    return any(word in str(error) for word in (_FREED, _CHANGED))


def stale(targets: Iterable[Any]) -> tuple[tuple[int, bool], ...]:
    """The nodes of a graph whose saved values cannot be had, latest first, each with whether they were freed."""
    found: list[tuple[int, bool]] = []
    for node in nodes(targets):
        for name in dir(type(node)):
            if name.startswith("_saved_") or name == "saved_tensors":
                try:
                    getattr(node, name)
                except RuntimeError as error:
                    found.append((node._sequence_nr(), _FREED in str(error) or "freed" in str(error)))
                    break
    return tuple(sorted(found, reverse=True))


def unchangeable(tensor: Any) -> str:
    """Why PyTorch lets nobody change this tensor in place: what made it a view, or the transform that it is outside of.

    Empty where it may be changed. A leaf, or a part of one, is not asked about here.
    """
    level = getattr(torch._C._functorch, "maybe_current_level", lambda: None)()
    if level is not None and not torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return "captured"
    asked = getattr(torch._C._autograd, "_get_creation_meta", None)
    if asked is None or not torch.is_grad_enabled() or not tensor.requires_grad or not tensor._is_view():
        return ""
    made = asked(tensor).name
    if made == "IN_CUSTOM_FUNCTION":
        return "hooked" if type(tensor.grad_fn).__name__ == "BackwardHookFunctionBackward" else "custom"
    return {"MULTI_OUTPUT_NODE": "several", "NO_GRAD_MODE": "off"}.get(made, "")
