"""Where the explanation goes: a standard stream, or a file that is written in one piece."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Literal, TextIO, TypeVar

import click
import msgspec

from tensorwhy import rendering
from tensorwhy.integrations.cli.errors import BadInput
from tensorwhy.model.plain_text import one_line
from tensorwhy.model.report import Report
from tensorwhy.pipeline import presenting
from tensorwhy.rendering import streams

_Decorated = TypeVar("_Decorated", bound=Callable[..., object])


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """A format and a destination; both were checked when this was made (see `checked`). No file: a standard stream."""

    format_name: str
    base: str
    file: str = ""
    stream: Literal["stdout", "stderr"] = "stderr"
    verbose: bool = False

    def write(self, report: Report) -> None:
        """Render and write."""
        stream = sys.__stderr__ if self.stream == "stderr" else sys.__stdout__
        render = rendering.renderer(self.format_name)
        if self.file:
            data = render(report, self._options(None)).encode()
            try:
                replace(self.file, data)
            except OSError as error:
                raise BadInput(f"--output {self.file}: cannot be written ({error.strerror})") from None
        elif stream is not None and not stream.closed:
            stream.write(render(report, self._options(stream)))
            stream.flush()

    def _options(self, stream: TextIO | None) -> rendering.Options:
        rules = presenting.rules() if self.format_name in ("sarif", "html") else ()
        if stream is None:
            return rendering.Options(base=self.base, rules=rules, verbose=self.verbose)
        return streams.options(stream, self.base, rules, self.verbose)


def verbose(command: _Decorated) -> _Decorated:
    """Add `-v` to a command that writes a report."""
    words = "Show notes in full and lists of names without shortening."
    return click.option("-v", "--verbose", is_flag=True, help=words)(command)


def checked(
    format_name: str, file: str | None, stream: Literal["stdout", "stderr"] = "stderr", verbose: bool = False
) -> Output:
    """Raises BadInput when the file could not be written, before the program has run for hours."""
    base = os.getcwd()
    if not file:
        standard = sys.__stderr__ if stream == "stderr" else sys.__stdout__
        if format_name == "html" and standard is not None and standard.isatty():
            raise BadInput("--format html: a terminal cannot show an HTML page; pass a file with --output")
        return Output(format_name=format_name, base=base, stream=stream, verbose=verbose)
    path = os.path.abspath(file)
    folder = os.path.dirname(path)
    if os.path.isdir(path):
        raise BadInput(f"--output {file}: is a directory; pass the name of a file")
    try:
        if _is_pipe(path):  # opening it now would show its reader an end
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        elif os.path.exists(path):
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)))
        if not _special(path):
            handle, temporary = tempfile.mkstemp(prefix=".tensorwhy-", dir=folder)
            os.close(handle)
            os.unlink(temporary)
    except OSError as error:
        raise BadInput(
            f"--output {file}: cannot be written ({error.strerror}); pass a file in a writable folder"
        ) from None
    return Output(format_name=format_name, base=base, file=path, verbose=verbose)


def replace(path: str, data: bytes) -> None:
    """Readers see the old file or the new one, never a part."""
    if _is_pipe(path):
        _into_pipe(path, data)
        return
    if _special(path):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    handle, temporary = tempfile.mkstemp(prefix=".tensorwhy-", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """The permissions that the file has, or that a new file gets."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:
        return False


def _into_pipe(path: str, data: bytes) -> None:
    """Write all of it, as long as somebody reads. A program that is done never waits for a reader that is not there."""
    handle = _opened_pipe(path)
    try:
        ready = select.poll()  # the handle may be above 1,023 in a program that has many files open
        ready.register(handle, select.POLLOUT)
        while data:
            if not ready.poll(_PATIENCE * 1000):
                raise TimeoutError(errno.ETIMEDOUT, "nothing reads from it", path)
            data = data[os.write(handle, data) :]
    finally:
        os.close(handle)


def _opened_pipe(path: str) -> int:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > until:
                raise OSError(errno.ENXIO, "nothing reads from it", path) from None
            time.sleep(0.05)


_PATIENCE = 3.0
"""Seconds in which somebody has to begin to read from a pipe, and to go on."""


def _special(path: str) -> bool:
    """A device or a pipe, e.g. /dev/stdout: there is nothing to replace."""
    return os.path.exists(path) and not os.path.isfile(path)


def complain(text: str) -> None:
    """One line of ours on standard error."""
    if sys.__stderr__ is not None and not sys.__stderr__.closed:
        print(f"tensorwhy: {one_line(text)}", file=sys.__stderr__, flush=True)
