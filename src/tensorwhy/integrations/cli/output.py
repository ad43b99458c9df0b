"""Where the explanation goes: a standard stream, or a file that is written in one piece."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from typing import Literal, TextIO

import msgspec

from tensorwhy import rendering
from tensorwhy.integrations.cli.errors import BadInput
from tensorwhy.model.report import Report
from tensorwhy.pipeline import presenting
from tensorwhy.rendering import streams


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """A format and a destination; both were checked when this was made (see `checked`). No file: a standard stream."""

    format_name: str
    base: str
    file: str = ""
    stream: Literal["stdout", "stderr"] = "stderr"

    def write(self, report: Report) -> None:
        """Render and write."""
        stream = sys.__stderr__ if self.stream == "stderr" else sys.__stdout__
        render = rendering.renderer(self.format_name)
        if self.file:
            replace(self.file, render(report, self._options(None)).encode())
        elif stream is not None and not stream.closed:
            stream.write(render(report, self._options(stream)))
            stream.flush()

    def _options(self, stream: TextIO | None) -> rendering.Options:
        rules = presenting.rules() if self.format_name in ("sarif", "html") else ()
        if stream is None:
            return rendering.Options(base=self.base, rules=rules)
        return streams.options(stream, self.base, rules)


def checked(format_name: str, file: str | None, stream: Literal["stdout", "stderr"] = "stderr") -> Output:
    """Raises BadInput when the file could not be written, before the program has run for hours."""
    base = os.getcwd()
    if not file:
        standard = sys.__stderr__ if stream == "stderr" else sys.__stdout__
        if format_name == "html" and standard is not None and standard.isatty():
            raise BadInput("--format html: a terminal cannot show a page; give a file with --output")
        return Output(format_name=format_name, base=base, stream=stream)
    path = os.path.abspath(file)
    folder = os.path.dirname(path)
    if os.path.isdir(path):
        raise BadInput(f"--output {file}: is a directory; give the name of a file")
    try:
        if _special(path) or os.path.exists(path):
            with open(path, "ab"):
                pass
        if not _special(path):
            handle, temporary = tempfile.mkstemp(prefix=".tensorwhy-", dir=folder)
            os.close(handle)
            os.unlink(temporary)
    except OSError as error:
        raise BadInput(
            f"--output {file}: cannot be written ({error.strerror}); give a file in a writable folder"
        ) from None
    return Output(format_name=format_name, base=base, file=path)


def replace(path: str, data: bytes) -> None:
    """Readers see the old file or the new one, never a part."""
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


def _special(path: str) -> bool:
    """A device or a pipe, e.g. /dev/stdout: there is nothing to replace."""
    return os.path.exists(path) and not os.path.isfile(path)


def complain(text: str) -> None:
    """One line of ours on standard error."""
    if sys.__stderr__ is not None and not sys.__stderr__.closed:
        print(f"tensorwhy: {' '.join(text.split())}", file=sys.__stderr__, flush=True)
