"""PyTorch's own graph, read while it is alive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_FREED, _CHANGED = "second time", "inplace operation"
_NODES = 20_000


def reached(targets: Iterable[Any], leaf: Any) -> bool:
    """Whether the graph of some tensors leads to another one: PyTorch's own account of it."""
    wanted = leaf.grad_fn
    stack = [each.grad_fn for each in targets if each.grad_fn is not None]
    if any(each is leaf for each in targets):
        return True
    seen = set()
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if node is wanted or (wanted is None and getattr(node, "variable", None) is leaf):
            return True
        stack += [each for each, _ in node.next_functions]
    return False


def leaves(targets: Iterable[Any]) -> list[Any]:
    """Return the leaves to which the graph of some tensors leads; none if it is too large to say."""
    found = [each for each in targets if each.grad_fn is None and each.requires_grad]
    stack = [each.grad_fn for each in targets if each.grad_fn is not None]
    seen = set(stack)
    while stack:
        node = stack.pop()
        if (leaf := getattr(node, "variable", None)) is not None:
            found.append(leaf)
        more = {each for each, _ in node.next_functions if each is not None} - seen
        seen |= more
        stack += more
        if len(seen) > _NODES:
            return []
    return found


def is_spent(error: BaseException) -> bool:
    """Whether a node refused what it had saved. Those that ran before another error are freed as well."""
    return any(word in str(error) for word in (_FREED, _CHANGED))


def stale(targets: tuple[Any, ...]) -> tuple[tuple[int, bool], ...]:
    """The nodes of a graph whose saved values cannot be had, latest first, each with whether they were freed."""
    found: list[tuple[int, bool]] = []
    stack = [each.grad_fn for each in targets if each.grad_fn is not None]
    seen = set(stack)
    while stack and len(seen) < _NODES:
        node = stack.pop()
        for name in dir(type(node)):
            if name.startswith("_saved_") or name == "saved_tensors":
                try:
                    getattr(node, name)
                except RuntimeError as error:
                    found.append((node._sequence_nr(), _FREED in str(error) or "freed" in str(error)))
                    break
        for each, _ in node.next_functions:
            if each is not None and each not in seen:
                seen.add(each)
                stack.append(each)
    return tuple(sorted(found, reverse=True))
