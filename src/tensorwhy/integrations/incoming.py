"""What a client sends, held to a size: a larger message is skipped, and a header that never ends is the end."""

from __future__ import annotations

import io
import os
import re
from typing import IO, Any

LARGEST = 32 << 20
"""Bytes of one message."""
_HEADER = 64 << 10
_DIGITS = 18
_CHUNK = 1 << 20
_LENGTH = re.compile(rb"Content-Length: (\d+)\r\n")


class Framed:
    """Messages of the Language Server Protocol, read as pygls does: a header by its lines, then so many bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._header = 0
        self._skipped = 0

    def readline(self) -> bytes:
        """The next line of a header; empty at the end."""
        while True:
            line = self._stream.readline(_HEADER)
            self._header += len(line)
            if not line or self._header > _HEADER:
                return b""
            length = _LENGTH.fullmatch(line)
            if length is not None and (len(length[1]) > _DIGITS or int(length[1]) > LARGEST):
                self._skipped = int(length[1][:_DIGITS])
            elif self._skipped and not line.strip():
                self._skip()
            else:
                return line

    def read(self, size: int) -> bytes:
        """The message itself."""
        self._header = 0
        return self._stream.read(size)

    def _skip(self) -> None:
        while self._skipped and (data := self._stream.read(min(self._skipped, _CHUNK))):
            self._skipped -= len(data)
        self._header = self._skipped = 0


class Lines(io.RawIOBase):
    """Messages of one line each. Of a line that is too long its beginning is left, which is no message."""

    def __init__(self, file: int) -> None:
        super().__init__()
        self._file = file
        self._length = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what is there, without the ends of lines that are too long."""
        while data := os.read(self._file, len(buffer)):
            kept = b"".join(map(self._within, data.splitlines(keepends=True)))
            if kept:
                buffer[: len(kept)] = kept
                return len(kept)
        return 0

    def _within(self, part: bytes) -> bytes:
        ends = part.endswith(b"\n")
        room = LARGEST - self._length
        self._length = 0 if ends else self._length + len(part)
        return part if len(part) <= room else b"\n" if ends else b""


def stdin_by_lines() -> io.TextIOWrapper:
    """Standard input as a text of lines, none of which is too long."""
    return io.TextIOWrapper(io.BufferedReader(Lines(0)), encoding="utf-8", errors="replace")
