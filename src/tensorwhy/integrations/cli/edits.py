"""Edits as commands show and write them: one diff for all files, and all files or none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from tensorwhy.integrations.cli.errors import BadInput
from tensorwhy.integrations.cli.output import complain
from tensorwhy.model.plain_text import in_log, plain
from tensorwhy.rendering import streams

if TYPE_CHECKING:
    from tensorwhy.experiments.repair import Changed


def show(changed: Changed, root: str) -> None:
    """Print the diff, whose paths begin in `root`: `patch -p1` and `git apply` take no absolute ones.

    Where only its beginning is read (`| head`), the exit code and the last words stay what they are.
    """
    from tensorwhy.fixes.patch import unified

    diff = "".join(
        unified(
            changed.before[file].text,
            changed.after[file].text,
            Path(os.path.relpath(os.path.realpath(file), os.path.realpath(root))).as_posix(),
        )
        for file in changed.after
    )
    printed = "\n".join(map(_printed, diff.split("\n")))
    try:
        click.echo(printed, nl=False)
    except BrokenPipeError:
        streams.let_go_of_output()
    if printed != diff:
        complain("the diff has control characters written out, so `patch` cannot apply all of it")


def _printed(line: str) -> str:
    """A line of a diff, that neither a terminal nor a CI system takes for more than text. Its end stays as it is."""
    text = line.removesuffix("\r")
    return in_log(plain(text)) + line[len(text) :]


class Proposal(msgspec.Struct, frozen=True):
    """A change that can be written later: the program's folder, and files with their contents before and after."""

    folder: str
    files: dict[str, tuple[bytes, bytes]]


def saved(changed: Changed, folder: str) -> bytes:
    """The proposal, as JSON."""
    return msgspec.json.encode(Proposal(folder, _contents(changed)))


def _contents(changed: Changed) -> dict[str, tuple[bytes, bytes]]:
    return {file: (changed.before[file].encoded(), source.encoded()) for file, source in changed.after.items()}


def write(changed: Changed, folder: str, unchanged: Callable[[str], bool], command: str) -> None:
    """All of the files, or none: none where one is no longer as it was when it was analyzed. Raises BadInput."""
    from tensorwhy.fixes import writing

    for file in changed.after:
        if not unchanged(file):
            raise BadInput(f"{file} has changed since it was analyzed, so nothing was written; run `{command}` again")
    try:
        writing.write(folder, _contents(changed))
    except writing.Unwritten as error:
        raise BadInput(f"{error}, so nothing was written; run `{command}` again") from None


def after_interruption(folder: str, may_write: bool, command: str, tell: Callable[[str], None]) -> None:
    """What a run that was killed while it wrote has left is put back first; only one that may write does that."""
    from tensorwhy.fixes import writing

    try:
        if not writing.interrupted(folder):
            return
        if not may_write:
            raise BadInput(f"an earlier run was interrupted while writing; the next `{command}` restores the files")
        edited = writing.put_back(folder)
    except writing.Unwritten as error:
        raise BadInput(str(error)) from None
    tell("restored the files that an interrupted run had started to write")
    for file in edited:
        tell(f"{file} was edited since then and is not changed")


def inside(folder: str, base: str) -> bool:
    """Return whether a folder lies in another one, or is that."""
    return Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(base))


def shown(file: str, base: str) -> str:
    """A file as words name it: by its path from here, when it lies below."""
    path = os.path.relpath(file, base)
    return file if path.startswith(os.pardir) else path
