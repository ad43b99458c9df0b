"""Runs a program again under tensorwhy, in a process of its own, from a copy in which some files are changed.

The copy is made of links: only the changed files, the program itself and the folders on the way to them are real, so
that data beside the program is found whatever its size. The user's files are never written. What the program itself
writes, prints or sends, it does again: whoever starts a re-run says so.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

import tensorwhy
from tensorwhy.model import messages
from tensorwhy.model.report import Report

GRACE = 30.0
"""Seconds that a program which was interrupted has for its explanation."""
_SIBLINGS = 2000
"""A folder with more entries beside the program's is not imitated."""


Place = tuple[str, int]
"""A file and a line."""


class Goals(msgspec.Struct, frozen=True):
    """What a run is made to see, by place: `until` so many answers of a gradient question, `train` so many steps of
    it, in eager code or by running a traced function, `begin` so often a statement."""

    until: dict[Place, int] = {}
    train: dict[Place, int] = {}
    begin: dict[Place, int] = {}

    def __bool__(self) -> bool:
        return bool(self.until or self.train or self.begin)

    def moved(self, there: Callable[[Place], Place | None]) -> Goals:
        """The same where the places are others now; none at all where one of them is gone."""
        found = {}
        for kind in ("until", "train", "begin"):
            numbers: dict[Place, int] = getattr(self, kind)
            places = {place: there(place) for place in numbers}
            if None in places.values():
                return Goals()
            found[kind] = {now: numbers[place] for place, now in places.items() if now is not None}
        return Goals(**found)


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """How the program is started. `program` is an absolute path, or with `module` a name; `folder` is its own folder.

    `limit` is in seconds: after that the program is interrupted, and what was seen until then counts. Soon after it
    came to all `goals`, the program is interrupted too, after `patience` seconds more.
    """

    program: str
    arguments: tuple[str, ...] = ()
    module: bool = False
    folder: str
    directory: str
    limit: float = 120.0
    goals: Goals = Goals()
    patience: float = 0.0


_REFUSED = "tensorwhy: error: "
_RAISED = re.compile(r"[A-Za-z_][\w.]*(: |$)")


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """What a run gave. `report` is None when there was none to read; `stopped` says that the time was over,
    `answered` that the program was interrupted because it had answered what it was run for.

    Files in the report are the user's own, also when they were run from a copy. Of gradient questions, by
    file and line: `values` is what the targets added up to when they were first asked for (every run begins with the
    same seeds), `answers` how often they were asked for, `lost` the last answer that lost something new, `zero` the one
    by which zeros were known, `steps` how many steps were made. `begun` is how often statements were begun: those at
    which the program failed, after it `took` so many seconds there, or those that were waited for.
    """

    exit_code: int
    report: Report | None
    stopped: bool
    seconds: float
    errors: str
    values: dict[Place, float] = {}
    answers: dict[Place, int] = {}
    lost: dict[Place, int] = {}
    zero: dict[Place, int] = {}
    steps: dict[Place, int] = {}
    begun: dict[Place, int] = {}
    took: float = 0.0
    answered: bool = False

    @property
    def complaint(self) -> str:
        """What the program's last traceback says, or the last line that it wrote to standard error before it failed.

        Keras puts the layer that was called before what happened, and its arguments behind that.
        """
        lines = [line for line in self.errors.splitlines() if line.strip() and not line.startswith("tensorwhy")]
        if not lines or not self.exit_code:
            return ""
        begins = max((at for at, line in enumerate(lines) if line.startswith("Traceback (most recent")), default=-1)
        said = next((at for at, line in enumerate(lines) if at > begins >= 0 and _RAISED.match(line)), len(lines) - 1)
        return messages.told(lines, said)[:200]

    @property
    def refusal(self) -> str:
        """Why `tensorwhy run` itself did not take the program: bad input, or a framework that is not installed."""
        last = self.errors.strip().rpartition("\n")[2]
        return last.removeprefix(_REFUSED) if self.exit_code == 2 and last.startswith(_REFUSED) else ""


def run(launch: Launch) -> Ran:
    """Run the program where it is."""
    return _run(launch, launch.program, launch.directory, ("", ""))


def run_changed(launch: Launch, files: Mapping[str, bytes]) -> Ran:
    """Run a copy of the program in which these files (absolute paths in the program's folder) have other contents."""
    with _copy(launch, files) as folder:
        program = launch.program if launch.module else _moved(launch.program, launch.folder, folder)
        directory = _moved(launch.directory, launch.folder, folder) if launch.module else launch.directory
        return _run(launch, program, directory, (folder, launch.folder))


def _run(launch: Launch, program: str, directory: str, renamed: tuple[str, str]) -> Ran:
    with tempfile.TemporaryDirectory(prefix="tensorwhy-") as place:
        report, errors, rehearsal = Path(place, "report.json"), Path(place, "errors"), Path(place, "rehearsal.json")
        copy, original = renamed
        goals = launch.goals.moved(lambda place: (_moved(place[0], original, copy) if copy else place[0], place[1]))
        wanted = {
            kind: {f"{file}:{line}": enough for (file, line), enough in numbers.items()}
            for kind, numbers in msgspec.structs.asdict(goals).items()
        }
        rehearsal.write_bytes(msgspec.json.encode({**wanted, "patience": launch.patience}))
        tool = Path(tensorwhy.__file__).with_name("__main__.py")
        options = ["run", "--no-experiments", "--format", "json", "--output", str(report)]
        options += ["--rehearse", str(rehearsal)]
        command = [sys.executable, str(tool), *options, *(["-m"] if launch.module else []), program, *launch.arguments]
        began = time.monotonic()
        with errors.open("wb") as stderr:
            code, stopped = _wait(command, directory, stderr, launch.limit)
        return Ran(
            exit_code=code,
            report=_read(report, renamed),
            stopped=stopped,
            answered=bool(launch.goals) and not stopped and code in (130, -signal.SIGINT),
            seconds=time.monotonic() - began,
            errors=errors.read_text(encoding="utf-8", errors="replace")[-20_000:].replace(*renamed),
            **_rehearsed(rehearsal, renamed),
        )


def _wait(command: list[str], directory: str, stderr: IO[bytes], limit: float) -> tuple[int, bool]:
    """The exit code, and whether the time was over. Nothing of the program outlives this call."""
    process = subprocess.Popen(
        command,
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        start_new_session=True,
    )
    stopped = False
    try:
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            stopped = True
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
    finally:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return process.returncode, stopped


def _read(path: Path, renamed: tuple[str, str]) -> Report | None:
    try:
        plain = msgspec.json.decode(path.read_bytes())
        return msgspec.convert(_renamed(plain, *renamed) if renamed[0] else plain, Report, str_keys=True)
    except (OSError, msgspec.MsgspecError):
        return None


class _Rehearsed(msgspec.Struct):
    values: dict[str, float] = {}
    answers: dict[str, int] = {}
    lost: dict[str, int] = {}
    zero: dict[str, int] = {}
    steps: dict[str, int] = {}
    begun: dict[str, int] = {}
    took: float = 0.0


def _rehearsed(path: Path, renamed: tuple[str, str]) -> dict[str, Any]:
    """What the run wrote of its questions, by file and line."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Rehearsed)
    except (OSError, msgspec.MsgspecError):
        return {}

    def by_place(numbers: Mapping[str, float]) -> dict[Place, float]:
        places = {key: key.rpartition(":") for key in numbers}
        return {
            (_moved(file, *renamed) if renamed[0] else file, int(line)): numbers[key]
            for key, (file, _, line) in places.items()
        }

    named = ("values", "answers", "lost", "zero", "steps", "begun")
    return {"took": found.took, **{name: by_place(getattr(found, name)) for name in named}}


def _renamed(value: object, copy: str, original: str) -> object:
    """The report with the files of the copy named as the user's own."""
    if isinstance(value, dict):
        return {
            key: _moved(item, copy, original) if key == "file" else _renamed(item, copy, original)
            for key, item in value.items()
        }
    return [_renamed(item, copy, original) for item in value] if isinstance(value, list) else value


def _moved(path: str, old: str, new: str) -> str:
    return new + path[len(old) :] if path == old or path.startswith(old.rstrip(os.sep) + os.sep) else path


@contextlib.contextmanager
def _copy(launch: Launch, files: Mapping[str, bytes]) -> Iterator[str]:
    """A folder that looks like the program's own, beside links to what lies beside that."""
    with tempfile.TemporaryDirectory(prefix="tensorwhy-") as place:
        place = os.path.realpath(place)
        own = Path(launch.folder)
        copy = Path(place, own.name or "program")
        if own != own.parent:
            beside = sorted(own.parent.iterdir())[: _SIBLINGS + 1] if os.access(own.parent, os.R_OK) else []
            for path in beside if len(beside) <= _SIBLINGS else ():
                if path.name != own.name:
                    Path(place, path.name).symlink_to(path)
        contents = dict(files)
        if not launch.module and launch.program not in contents:
            # A linked script would find its modules beside the original.
            contents[launch.program] = Path(launch.program).read_bytes()
        _imitate(own, copy, {Path(name): data for name, data in contents.items()})
        yield str(copy)


def _imitate(original: Path, copy: Path, contents: Mapping[Path, bytes]) -> None:
    copy.mkdir()
    for path in original.iterdir():
        target = copy / path.name
        if path in contents:
            target.write_bytes(contents[path])
        elif path.name == "__pycache__":
            continue  # written beside the copy, where it is thrown away
        elif any(path in changed.parents for changed in contents):
            _imitate(path, target, contents)
        else:
            target.symlink_to(path)
