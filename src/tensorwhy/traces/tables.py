"""Parquet on one side, plain columns on the other. The only module that knows pyarrow."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from tensorwhy.traces.layout import SCHEMA, Type
from tensorwhy.traces.texts import written_out

Column = Sequence[Any]


class Lists:
    """A column of lists of integers, as one run of values and the end of each list in it.

    With `words` the integers stand for these; one that stands for none is written as a number.
    """

    def __init__(self, words: Mapping[int, str] | None = None) -> None:
        self.words = words
        self.values: array[int] = array("q")
        self.ends: array[int] = array("i", [0])

    def add(self, values: Sequence[int]) -> None:
        """Append one list."""
        self.values.extend(values)
        self.ends.append(len(self.values))

    def __len__(self) -> int:
        return len(self.ends) - 1


class Unreadable(ValueError):
    """These bytes are no such table."""


def encode(worker: str, types: Mapping[str, Type], columns: Mapping[str, Column | Lists]) -> bytes:
    """One table as a complete Parquet file. `worker` fills the column of that name, `columns` the others."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    length = len(next(iter(columns.values())))
    made = {}
    for name, kind in types.items():
        given = columns[name] if name != "worker" else None
        made[name] = _repeated(worker, length) if given is None else _array(kind, given)
    table = pa.table(made).replace_schema_metadata({"tensorwhy": SCHEMA})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _repeated(text: str, length: int) -> Any:
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), length), pa.array([text]))


def _array(kind: Type, column: Column | Lists) -> Any:
    import pyarrow as pa

    if isinstance(column, Lists):
        ends = pa.Array.from_buffers(pa.int32(), len(column.ends), [None, pa.py_buffer(column.ends)])
        return pa.ListArray.from_arrays(ends, _values(column))
    if isinstance(column, array) and column.typecode == "q" and kind == "int64":
        return pa.Array.from_buffers(pa.int64(), len(column), [None, pa.py_buffer(column)])
    return _words(column, _type(kind))


def _values(column: Lists) -> Any:
    import pyarrow as pa

    if column.words is None:
        return pa.Array.from_buffers(pa.int64(), len(column.values), [None, pa.py_buffer(column.values)])
    used = sorted(set(column.values))
    index = {value: position for position, value in enumerate(used)}
    words = _words([column.words.get(value, str(value)) for value in used], pa.string())
    positions = pa.array(array("i", map(index.__getitem__, column.values)), type=pa.int32())
    return pa.DictionaryArray.from_arrays(positions, words)


def _words(column: Column, kind: Any) -> Any:
    """The column as it is, unless it holds texts that UTF-8 does not have."""
    import pyarrow as pa

    try:
        return pa.array(column, type=kind)
    except UnicodeEncodeError:
        return pa.array(written_out(list(column)), type=kind)


def _type(kind: Type) -> Any:
    import pyarrow as pa

    word = pa.dictionary(pa.int32(), pa.string())
    return {
        "int64": pa.int64(),
        "int32": pa.int32(),
        "int16": pa.int16(),
        "bool": pa.bool_(),
        "string": pa.string(),
        "word": word,
        "time": pa.timestamp("us", tz="UTC"),
        "int64s": pa.list_(pa.int64()),
        "words": pa.list_(word),
    }[kind]


class Room:
    """How much may still be read of files that others wrote, and how many rows had to be left out for that."""

    def __init__(self, rows: int = 30_000, text: int = 96 << 20) -> None:
        self._rows = rows
        self._text = text
        self.left_out = 0

    def takes(self, rows: int, text: int) -> bool:
        """Return whether this many more rows with this many bytes have room; they are counted."""
        self._rows -= rows
        self._text -= text
        return self._rows >= 0 and self._text >= 0


def decode(data: bytes, types: Mapping[str, Type], room: Room | None = None) -> dict[str, list[Any]]:
    """The columns of a file that `encode` made. Columns that are not asked for are left out. Raises Unreadable."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, list[Any]] = {name: [] for name in types}
    try:
        # A damaged file can claim any size: what it decompresses to is bounded by what is asked of it here.
        file = pq.ParquetFile(
            pa.BufferReader(data), thrift_string_size_limit=_LIMIT, thrift_container_size_limit=_LIMIT
        )
        there = list(file.schema_arrow.names)
        for name in types:
            if there.count(name) != 1:
                raise Unreadable(f"it has {'no' if name not in there else 'more than one'} column {name!r}")
        read = 0
        for batch in file.iter_batches(_BATCH, columns=list(types), use_threads=False):
            batch.validate(full=True)
            found = {name: _as_written(batch.column(name), kind) for name, kind in types.items()}
            if room is not None and not room.takes(batch.num_rows, sum(each.nbytes for each in found.values())):
                room.left_out += file.metadata.num_rows - read
                break
            read += batch.num_rows
            for name, values in found.items():
                columns[name] += values.to_pylist()
    except Unreadable:
        raise
    except Exception as error:  # whatever pyarrow says of bytes that anybody may have made
        raise Unreadable(str(error).strip().partition("\n")[0] or type(error).__name__) from None
    return columns


def _as_written(column: Any, kind: Type) -> Any:
    """The values in our own type: another tool may keep words without a dictionary, or numbers in another width."""
    wanted = _type("string" if kind == "word" else kind)
    return column if column.type == wanted else column.cast(wanted)


_BATCH = 512
"""Rows that are taken out at once: a dictionary can make each of them as long as the whole file."""
_LIMIT = 100_000_000
