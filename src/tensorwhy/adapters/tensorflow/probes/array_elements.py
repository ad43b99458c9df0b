"""Elements that a TensorArray refuses, and reads of what is no longer there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import array_objects, failed_node, signatures, tensor_lists
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import ArrayElementRejected, ArrayReused
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_SHAPES = re.compile(r"(\[[\d,?]*\])\s+(?:vs\.|list shape:)\s+(\[[\d,?]*\])")
_INDEX = re.compile(r"(?:modify|access) element (-?\d+) in a list with (\d+) element")
_SIZES = re.compile(r"list with (\d+) elements but got a list with (\d+) elements")
_EMPTY = re.compile(r"empty list|uninitialized tensors")


def probe(live: LiveFailure) -> Iterable[Fact]:
    """What a tensor array of the user's own was given or asked for, and could not take or give."""
    way = live.joined()
    found = array_objects.called(way)
    if found is not None:
        fact = _Method(way, *found).fact()
        if fact is not None:
            return (fact,)
    return tuple(_running(live, way))


class _Method:
    """A call of one of the array's methods that raised."""

    def __init__(self, way: Stack, index: int, method: str, array: Any, innermost: Frame) -> None:
        self.way, self.index, self.method, self.array, self.innermost = way, index, method, array, innermost
        self.sources = Sources()

    def fact(self) -> Fact | None:
        caller = self.way.caller(self.index)
        if caller is None or caller.location is None:
            return None
        self.name = array_objects.name_at(caller.location, self.method, self.sources)
        self.call = array_objects.call_place(caller.location, self.method, self.sources)
        self.created = array_objects.made_at(self.name, caller.location, self.sources)
        handler = {"write": self._write, "read": self._read, "unstack": self._unstack}.get(self.method)
        return handler() if handler is not None else self._together()

    def _local(self, name: str) -> Any:
        """A local of the method, also where it was handed on to an inner function of the array."""
        for step in reversed(self.way.frames[self.index :]):
            if step.file.endswith(array_objects.FILE) and step.local(name) is not None:
                return step.local(name)
        return None

    def _rejected(self, problem: Any, **fields: Any) -> ArrayElementRejected:
        return ArrayElementRejected(
            problem=problem,
            operation=self.method,
            call=self.call,
            created=self.created,
            array=self.name,
            **fields,
        )

    def _index(self) -> int | None:
        index = self._local("index")
        if hasattr(index, "numpy"):
            index = index.numpy()
        try:
            return int(index)
        except (TypeError, ValueError):
            return None

    def _size(self) -> int | None:
        held = getattr(self.array, "_tensor_array", None)
        return len(held) if isinstance(held, list) else None

    def _outside(self) -> ArrayElementRejected | None:
        index, size = self._index(), self._size()
        if index is None or size is None:
            return None
        growing = self.method == "write" and getattr(self.array, "_dynamic_size", False)
        if index < 0 or (index >= size and not growing):
            return self._rejected("index", index=index, size=size)
        return None

    def _index_type(self) -> ArrayElementRejected | None:
        """Indices are int32, and graphs convert none: `Dataset.enumerate` and `tf.where` count in int64."""
        index = self._local("index")
        got = signatures.dtype_name(index) if hasattr(index, "dtype") else ""
        return self._rejected("index-dtype", declared="int32", got=got) if got and got != "int32" else None

    def _write(self) -> Fact | None:
        outside = self._outside() or self._index_type()
        if outside is not None:
            return outside
        value = self._local("value")
        declared, got = signatures.dtype_name(self.array.dtype), signatures.dtype_name(value)
        if declared and got and declared != got:
            return self._rejected("dtype", declared=declared, got=got, index=self._index())
        expected, shape = signatures.shape_of(self.array.element_shape), signatures.shape_of(value)
        if expected is not None and shape is not None and not _fits(shape, expected):
            return self._rejected(
                "shape",
                declared=signatures.shape_text(expected),
                got=signatures.shape_text(shape),
                index=self._index(),
            )
        return None

    def _read(self) -> Fact | None:
        outside = self._outside() or self._index_type()
        if outside is not None:
            return outside
        index, held = self._index(), getattr(self.array, "_tensor_array", None)
        cleared = getattr(self.array, "_previously_read_indices", ())
        if isinstance(held, list) and index is not None and index in cleared and held[index] is None:
            return ArrayReused(problem="read-twice", call=self.call, created=self.created, array=self.name, index=index)
        return None

    def _unstack(self) -> Fact | None:
        shape, size = signatures.shape_of(self._local("value")), self._size()
        if shape and size is not None and shape[0] is not None and shape[0] != size:
            return self._rejected("size", got=str(shape[0]), size=size)
        return None

    def _together(self) -> Fact | None:
        """`stack`, `concat` or `gather`: all the elements at once."""
        held = getattr(self.array, "_tensor_array", None)
        if not isinstance(held, list):
            return None
        indices = self._local("indices")
        if self.method == "gather" and isinstance(indices, (list, tuple)):
            beyond = [each for each in indices if isinstance(each, int) and each >= len(held)]
            return self._rejected("index", index=beyond[0], size=len(held)) if beyond else None
        shapes = [(at, shape) for at, each in enumerate(held) if (shape := signatures.shape_of(each)) is not None]
        for at, shape in shapes:
            if shape != shapes[0][1]:
                first, other = signatures.shape_text(shapes[0][1]), signatures.shape_text(shape)
                return self._rejected("shape", declared=first, got=other, index=at)
        return None


def _fits(shape: tuple[int | None, ...], expected: tuple[int | None, ...]) -> bool:
    return len(shape) == len(expected) and all(
        known is None or own is None or own == known for own, known in zip(shape, expected, strict=True)
    )


def _running(live: LiveFailure, way: Stack) -> Iterator[Fact]:
    """A running graph: the operation on the tensor list, where the user's own call of the array made it."""
    found = failed_node.failed(live.exceptions, way)
    if found is None or not found[0].type.startswith("TensorList"):
        return
    operation, error = found
    made = failed_node.origin(operation, live.user)
    if made.location is None or not all(path.endswith(array_objects.WRITING) for path, _ in made.library):
        return
    sources = Sources()
    method = {
        "TensorListSetItem": "write",
        "TensorListStack": "stack",
        "TensorListGetItem": "read",
        "TensorListConcatV2": "concat",
        "TensorListGather": "gather",
    }.get(operation.type)
    if method is None:
        return
    name = array_objects.name_at(made.location, method, sources)
    common: dict[str, Any] = {
        "operation": method,
        "call": array_objects.call_place(made.location, method, sources),
        "created": _created(operation, live, name, made.location, sources),
        "array": name,
    }
    if method == "write":
        declared, got = tensor_lists.element_dtype(operation.inputs[0]), operation.inputs[2].dtype
        if declared is not None and declared != got:
            yield ArrayElementRejected(problem="dtype", declared=declared.name, got=got.name, **common)
            return
    yield from _from_message(operation, str(getattr(error, "message", "")), common, live)


def _from_message(operation: Any, message: str, common: dict[str, Any], live: LiveFailure) -> Iterator[Fact]:
    """Index, sizes and shapes at run time are known to the kernel alone, which puts them into its message."""
    if index := _INDEX.search(message):
        yield ArrayElementRejected(problem="index", index=int(index[1]), size=int(index[2]), **common)
    elif shapes := _SHAPES.search(message):
        yield ArrayElementRejected(
            problem="shape", declared=shapes[1], got=shapes[2], written=_written(operation, live), **common
        )
    elif sizes := _SIZES.search(message):
        yield ArrayElementRejected(problem="size", size=int(sizes[1]), got=sizes[2], **common)
    elif operation.type == "TensorListConcatV2" and "scalar" in message:
        yield ArrayElementRejected(problem="shape", declared="[?, ...]", got="[]", **common)
    elif _EMPTY.search(message):
        lost = [write for write, reader in tensor_lists.ignored_writes(operation.graph) if reader is operation]
        for write in lost:
            made = failed_node.origin(write, live.user)
            if made.location is not None:
                yield ArrayReused(
                    problem="write-ignored",
                    call=array_objects.call_place(made.location, "write", Sources()),
                    used=common["call"],
                    created=common["created"],
                    array=common["array"],
                    in_loop=write.graph is not operation.graph,
                )
        if not lost:
            yield ArrayElementRejected(problem="empty", **common)


def _written(operation: Any, live: LiveFailure) -> Location | None:
    if operation.type == "TensorListSetItem":
        return None
    write = tensor_lists.last_write(operation.inputs[0])
    made = failed_node.origin(write, live.user) if write is not None else None
    if made is None or made.location is None:
        return None
    return array_objects.call_place(made.location, "write", Sources())


def _created(operation: Any, live: LiveFailure, name: str, used: Location, sources: Sources) -> Location | None:
    """Where the array's list was made, if `TensorArray(...)` stands there; else what gives the array its name."""
    first = tensor_lists.first_handle(operation.inputs[0])
    made = None
    if first.op.type.startswith(("TensorListReserve", "EmptyTensorList")):
        made = failed_node.origin(first.op, live.user).location
    called = reading.named_call(made, sources, "TensorArray") if made is not None else None
    return called[1] if called is not None else array_objects.made_at(name, used, sources) or made
