"""Which values of a step were zero everywhere: some were seen to be, others must be by what they were computed from.

Only eager values can be looked at, and each look costs; what is inside of a traced function, or came before the look
began, cannot. So a few are seen, and the rest is inferred in one direction only: a product with a zero is zero, a sum
of zeros is zero, what moves or adds up zeros gives zeros. Nothing is ever inferred to be other than zero: None means
that nobody knows, and a zero gradient that rests on such a value is not explained. `_found` is set to None before the
inputs of a value are asked about, which ends the search where a value depends on itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import inputs_of
from tensorwhy.model.question import ValueSnapshot
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

_DEPTH = 40


class ZeroValues:
    """The values of one step. `snapshot` is what was seen of them."""

    def __init__(self, lineage: Lineage, snapshot: ValueSnapshot) -> None:
        self._lineage = lineage
        self._snapshot = snapshot
        self._found: dict[int, bool | None] = {}

    @contextlib.contextmanager
    def supposing(self, tensors: Iterable[int]) -> Iterator[None]:
        """What would follow if these were zero as well."""
        self._found = dict.fromkeys(tensors, True)
        yield
        self._found = {}

    def is_zero(self, value: int) -> bool:
        """Return whether a value was seen to be zero everywhere, or must be, because of what it was computed from."""
        handle = j.variable_handle(value)
        return self._known(value if handle is None else handle, _DEPTH) is True

    def is_other(self, tensor: int) -> bool:
        """Return whether a value was looked at, and is not zero everywhere."""
        return tensor in self._snapshot.seen and tensor not in self._snapshot.zero

    def _known(self, tensor: int, depth: int) -> bool | None:
        if tensor < 0 or depth == 0:
            return None
        if tensor in self._snapshot.zero:
            return True
        if tensor in self._snapshot.seen:
            return False
        if tensor not in self._found:
            self._found[tensor] = None
            self._found[tensor] = self._computed(tensor, depth)
        return self._found[tensor]

    def _computed(self, tensor: int, depth: int) -> bool | None:
        kinds = self._lineage.rules.kinds
        for event in self._lineage.makers(tensor):
            name = self._lineage.op_name(event)
            values = inputs_of(event)
            known = [self._known(value, depth - 1) for value in values]
            if event.kind == j.RECORDED:
                if self.reads(name) and True in known:
                    return True
            elif name in kinds.multiplying:
                if True in known:
                    return True
            elif name in kinds.adding or name in kinds.vanishing or name in kinds.keeping:
                if known and all(known):
                    return True
            elif name in kinds.passing and known[:1] == [True]:
                return True
        return None

    def copied(self, tensor: int) -> int:
        """What a value is a copy of, be it one that carries no gradient."""
        for _ in range(_DEPTH):
            event = next(iter(self._lineage.makers(tensor)), None)
            if event is None or self._lineage.op_name(event) not in self._lineage.rules.kinds.copying:
                break
            tensor = event.inputs[0]
        return tensor

    def first(self, tensor: int) -> tuple[int, Event | None]:
        """Of the zeros that a value comes from the first ones, and the last operation that they went through."""
        last = None
        for _ in range(_DEPTH):
            event = next(iter(self._lineage.makers(tensor)), None)
            if event is None:
                break
            last = event
            values = inputs_of(event)
            zero = [value for value in values if event.kind != j.ENTRY and self.is_zero(value)]
            if not zero:
                break
            tensor = zero[0]
        return tensor, last

    def reads(self, name: str) -> bool:
        """Return whether an operation only hands on a variable, or what a graph captured from outside."""
        return name in self._lineage.rules.reading or name == "captured_value"
