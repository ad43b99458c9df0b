"""A trace's folder, on this machine or anywhere that fsspec knows. A file in it is there completely, or not at all."""

from __future__ import annotations

import errno
import os
from typing import Any, Protocol

from tensorwhy.recording import regular_files
from tensorwhy.traces.layout import TEMPORARY


class Folder(Protocol):
    """What writing and reading need of a folder. Every method may raise OSError."""

    path: str

    def create(self) -> bool:
        """Make the folder (and its parents). False when it was there already."""
        ...

    def put(self, name: str, data: bytes, lasting: bool = True) -> None:
        """Write a file in one piece, in place of one of that name; `lasting`: wait until the disk has it."""
        ...

    def get(self, name: str, limit: int) -> bytes:
        """The content of a file of at most `limit` bytes."""
        ...

    def names(self) -> list[str]:
        """What is in the folder, sorted; unfinished files left out."""
        ...

    def at(self, name: str) -> Folder:
        """A folder in this one."""
        ...


class Local:
    """A folder of this machine."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)

    def create(self) -> bool:
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        try:
            os.mkdir(self.path)
        except FileExistsError:
            if not os.path.isdir(self.path):
                raise NotADirectoryError(20, "not a directory", self.path) from None
            return False
        return True

    def put(self, name: str, data: bytes, lasting: bool = True) -> None:
        temporary = os.path.join(self.path, f"{TEMPORARY}{os.getpid()}-{name}")
        try:
            with open(temporary, "wb") as stream:
                stream.write(data)
                stream.flush()
                if lasting:
                    os.fsync(stream.fileno())
            os.replace(temporary, os.path.join(self.path, name))
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise

    def get(self, name: str, limit: int) -> bytes:
        return regular_files.read(os.path.join(self.path, name), limit, follow=False)

    def names(self) -> list[str]:
        return sorted(name for name in os.listdir(self.path) if not name.startswith(TEMPORARY))

    def at(self, name: str) -> Folder:
        return Local(os.path.join(self.path, name))


class Remote:
    """A folder behind fsspec. Stores that keep whole objects (S3, GCS, memory) put them there in one piece."""

    def __init__(self, system: Any, path: str, shown: str) -> None:
        self._system = system
        self._path = path.rstrip("/")
        self.path = shown

    def create(self) -> bool:
        there = bool(self._system.exists(self._path))
        if not there:
            self._system.makedirs(self._path, exist_ok=True)
        return not there

    def put(self, name: str, data: bytes, lasting: bool = True) -> None:
        self._system.pipe_file(f"{self._path}/{name}", data)

    def get(self, name: str, limit: int) -> bytes:
        data: bytes = self._system.cat_file(f"{self._path}/{name}", start=0, end=limit + 1)
        if len(data) > limit:
            raise OSError(errno.EFBIG, f"larger than {limit >> 20} MB", f"{self.path}/{name}")
        return data

    def names(self) -> list[str]:
        self._system.invalidate_cache(self._path)
        found = (each.rstrip("/").rpartition("/")[2] for each in self._system.ls(self._path, detail=False))
        return sorted(name for name in found if name and not name.startswith(TEMPORARY))

    def at(self, name: str) -> Folder:
        return Remote(self._system, f"{self._path}/{name}", f"{self.path.rstrip('/')}/{name}")


def is_remote(path: str) -> bool:
    """Whether this is a URL such as `s3://bucket/traces`."""
    return "://" in path and not path.startswith("file://")


def opened(path: str) -> Folder:
    """The folder of a path or URL; nothing is made or looked at yet.

    Raises ImportError where fsspec (or what it needs for this kind of store) is not installed, and ValueError for a
    kind that it does not know.
    """
    if not is_remote(path):
        return Local(path.removeprefix("file://"))
    import fsspec

    system, inner = fsspec.core.url_to_fs(path)
    return Remote(system, inner, path)
