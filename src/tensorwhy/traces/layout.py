"""What a trace folder holds: the version of the format, its tables, and their columns.

    DIR/
      worker-0/                  one folder for each process that recorded
        manifest.json            who recorded, how far it got, how it ended; replaced at each flush
        diagnoses.parquet        what was found so far; replaced when more is known
        events-000001.parquet    one file of each table for each flush that had something to add
        locations-000001.parquet ...

The page docs/howto/traces.md says the same to people; a test keeps the two together.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

from tensorwhy.model.report import Coverage, Environment, Program, VariableView

SCHEMA: Final = "tensorwhy.trace/1"
FAMILY: Final = "tensorwhy.trace/"
MANIFEST: Final = "manifest.json"
DIAGNOSES: Final = "diagnoses.parquet"
TEMPORARY: Final = ".tmp-"
"""Begins the names of files that are not finished; readers leave them alone."""

Type = Literal["int64", "int32", "int16", "bool", "string", "word", "time", "int64s", "words"]
"""`word`: a string that repeats, stored as a dictionary. `time`: UTC, in microseconds. A final `s`: a list."""

TABLES: Final[dict[str, dict[str, Type]]] = {
    "events": {
        "worker": "word",
        "event": "int64",
        "kind": "word",
        "name": "word",
        "thread": "int16",
        "place": "int64",
        "inputs": "int64s",
        "outputs": "int64s",
        "dtypes": "words",
    },
    "locations": {
        "worker": "word",
        "place": "int64",
        "depth": "int16",
        "file": "word",
        "line": "int32",
        "column": "int32",
        "end_line": "int32",
        "end_column": "int32",
        "function": "word",
        "direct": "bool",
    },
    "variables": {
        "worker": "word",
        "tensor": "int64",
        "name": "string",
        "dtype": "word",
        "shape": "int64s",
        "trainable": "bool",
    },
    "questions": {
        "worker": "word",
        "event": "int64",
        "place": "int64",
        "tape": "int64",
        "asked": "int32",
        "targets": "int64s",
        "position": "int32",
        "source": "int64",
        "name": "string",
        "dtype": "word",
        "variable": "bool",
        "error": "word",
    },
    "steps": {
        "worker": "word",
        "step": "int64",
        "place": "int64",
        "replica": "int32",
        "event": "int64",
        "lost": "bool",
        "recorded": "bool",
        "time": "time",
    },
}
"""Table -> column -> type. Columns may be added within a version, and none changes its meaning."""

DIAGNOSIS_COLUMNS: Final[dict[str, Type]] = {
    "worker": "word",
    "id": "string",
    "finding": "string",
    "code": "word",
    "slug": "word",
    "family": "word",
    "severity": "word",
    "gravity": "int16",
    "certainty": "word",
    "message": "string",
    "file": "word",
    "line": "int32",
    "column": "int32",
    "function": "word",
    "seen": "int64",
    "first_step": "int64",
    "last_step": "int64",
    "together": "string",
    "document": "string",
    "excerpts": "string",
}


OPTIONAL: Final = frozenset({"file", "line", "column", "function", "first_step", "last_step"})
"""Columns of diagnoses in which a row may have nothing."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One worker, and how far it got. `ended` is False for one that is running still, or was killed.

    `variables` are told at the end; their `diagnoses` are findings.
    `flushes` counts the flushes; `time` is that of the last one, `started` that of the beginning (ISO 8601, UTC).
    """

    tool_version: str
    worker: str
    host: str
    pid: int
    started: str
    time: str
    program: Program
    environment: Environment
    coverage: Coverage = Coverage()
    variables: tuple[VariableView, ...] = ()
    steps: int = 0
    flushes: int = 0
    ended: bool = False
    schema: str = SCHEMA


def part(table: str, flush: int) -> str:
    """The name of the file that a flush adds to a table."""
    return f"{table}-{flush:06d}.parquet"


def worker_name(name: str) -> str:
    """A name as it may be used for a folder anywhere: letters, digits, `.`, `_` and `-`."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:100] or "worker"
