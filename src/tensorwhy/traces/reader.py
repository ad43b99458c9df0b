"""Reads a trace that may be damaged, unfinished, from a newer version, or no trace at all: a value, or BadTrace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.traces.folder import Folder, opened
from tensorwhy.traces.layout import DIAGNOSES, DIAGNOSIS_COLUMNS, FAMILY, MANIFEST, OPTIONAL, SCHEMA, TABLES, Manifest
from tensorwhy.traces.observed import PREFIX, Observed
from tensorwhy.traces.tables import Room, Unreadable, decode

_LARGEST = 64 << 20
"""Bytes of one file. Those that grow with the program hold 500,000 events at most, in about ten megabytes."""
_WITHOUT_IT = "remove that worker's folder to read the others"
_WRITTEN_BY = "`tensorwhy run --trace DIR PROGRAM`"


class BadTrace(Exception):
    """This cannot be read as a trace: what was required, what was found, what to do."""


class Worker(msgspec.Struct, frozen=True):
    """One worker's part of a trace."""

    folder: Folder
    manifest: Manifest

    def diagnoses(self, *columns: str, room: Room | None = None) -> dict[str, list[Any]]:
        """These columns (or all) of what it found; none at all when it was killed before it found out anything."""
        if DIAGNOSES not in self.folder.names():
            return {}
        wanted = {name: DIAGNOSIS_COLUMNS[name] for name in columns or DIAGNOSIS_COLUMNS}
        found = _table(self.folder, DIAGNOSES, wanted, room)
        empty = [name for name, values in found.items() if name not in OPTIONAL and None in values]
        if empty:
            file = f"{self.folder.path}/{DIAGNOSES}"
            raise BadTrace(f"{file}: is damaged (nothing in column {empty[0]!r} of some row); {_WITHOUT_IT}")
        return found

    def observed(self) -> Observed | None:
        """What an explanation needs beside the tables; None where nothing was written of it."""
        found: Observed | None = None
        for file in self.folder.names():
            if file.startswith(PREFIX):
                one = _observed(self.folder, file)
                if found is None:
                    found = one
                else:
                    found.add(one)
        return found

    def table(self, name: str, room: Room | None = None) -> Iterator[dict[str, list[Any]]]:
        """The columns of one of the tables that grow (see `layout.TABLES`), flush by flush."""
        for file in self.folder.names():
            if file.startswith(f"{name}-") and file.endswith(".parquet"):
                yield _table(self.folder, file, TABLES[name], room)


def workers(path: str) -> list[Worker]:
    """All workers that recorded into this folder, or the one whose own folder it is; by name. Raises BadTrace."""
    folder = _folder(path)
    try:
        names = folder.names()
        if MANIFEST in names:
            return [_worker(folder)]
        found = [_worker(each) for name in names for each in [folder.at(name)] if _holds_manifest(each)]
    except FileNotFoundError:
        raise BadTrace(f"{path}: no such folder; pass the folder that {_WRITTEN_BY} wrote") from None
    except NotADirectoryError:
        raise BadTrace(f"{path}: is a file; pass the folder that {_WRITTEN_BY} wrote") from None
    except OSError as error:
        raise BadTrace(f"{path}: cannot be read ({_said(error)})") from None
    if not found:
        holds = f"none of the {len(names)} entries in it has a {MANIFEST}" if names else "it is empty"
        raise BadTrace(f"{path}: contains no trace: {holds}; pass the folder that {_WRITTEN_BY} wrote")
    return sorted(found, key=lambda worker: worker.manifest.worker)


def _folder(path: str) -> Folder:
    try:
        return opened(path)
    except ImportError as error:
        missing = "fsspec" if error.name == "fsspec" else _said(error)
        raise BadTrace(
            f"{path}: a remote folder needs {missing}; install `tensorwhy[trace]` and that package"
        ) from None
    except ValueError as error:
        raise BadTrace(f"{path}: {_said(error)}; pass a folder, or a URL that fsspec knows") from None


def _holds_manifest(folder: Folder) -> bool:
    try:
        return MANIFEST in folder.names()
    except (NotADirectoryError, FileNotFoundError):
        return False


def _worker(folder: Folder) -> Worker:
    file = f"{folder.path}/{MANIFEST}"
    data = folder.get(MANIFEST, _LARGEST)
    try:
        schema = msgspec.json.decode(data, type=_Versioned).schema
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadTrace(
            f"{file}: is not the manifest of a trace ({_said(error)}); remove it, or pass a folder that "
            f"{_WRITTEN_BY} wrote"
        ) from None
    if schema != SCHEMA:
        _refuse(file, schema)
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadTrace(f"{file}: is damaged ({_said(error)}); {_WITHOUT_IT}") from None
    return Worker(folder, manifest)


class _Versioned(msgspec.Struct):
    schema: str


def _refuse(file: str, schema: str) -> None:
    from tensorwhy import __version__

    if schema.startswith(FAMILY):
        raise BadTrace(
            f"{file}: was written as {schema[:60]}, and tensorwhy {__version__} reads {SCHEMA}; "
            "install a newer tensorwhy"
        )
    raise BadTrace(f"{file}: says it is {schema[:60]!r}, not {SCHEMA}; pass a folder that {_WRITTEN_BY} wrote")


def _observed(folder: Folder, name: str) -> Observed:
    file = f"{folder.path}/{name}"
    try:
        return msgspec.json.decode(folder.get(name, _LARGEST), type=Observed)
    except OSError as error:
        raise BadTrace(f"{file}: cannot be read ({_said(error)})") from None
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadTrace(f"{file}: is damaged ({_said(error)}); {_WITHOUT_IT}") from None


def _table(folder: Folder, name: str, columns: Any, room: Room | None = None) -> dict[str, list[Any]]:
    file = f"{folder.path}/{name}"
    try:
        return decode(folder.get(name, _LARGEST), columns, room)
    except ImportError as error:
        raise BadTrace(
            f"{file}: reading a trace needs a working pyarrow ({_said(error)}); install `tensorwhy[trace]`"
        ) from None
    except Unreadable as error:
        raise BadTrace(f"{file}: is damaged, or is not a table of a trace ({_said(error)}); {_WITHOUT_IT}") from None
    except OSError as error:
        raise BadTrace(f"{file}: cannot be read ({_said(error)})") from None


def _said(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:200]
