"""Runs programs under tensorwhy, through a fork server where possible, and gives back everything they did."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec

from support import schema
from support.forks import TIMEOUT, Server
from tensorwhy.model.report import Diagnosis, Report

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "src"

# A program that must not share a process image with others (it forks, or changes what is imported) says so.
OWN_PROCESS = re.compile(r"^#\s*run:\s*subprocess\s*$", re.MULTILINE)


class Result(msgspec.Struct, frozen=True):
    """What a program did. `report` is None when it ran without tensorwhy, or when no report was written."""

    exit_code: int
    stdout: str
    stderr: str
    report: Report | None

    def grave(self) -> tuple[Diagnosis, ...]:
        """The errors and warnings of the report, without the notes."""
        assert self.report is not None, self.stderr
        return tuple(d for d in self.report.diagnoses if d.severity != "note")

    def faults(self) -> tuple[str, ...]:
        """What failed in the tool itself: the program goes on, and the report says what was lost."""
        assert self.report is not None, self.stderr
        return tuple(line for line in self.report.coverage.unobserved if " failed: " in line or "a hook failed" in line)

    def account(self) -> str:
        """All of it in words, for the message of a failing test."""
        from support.marks import describe

        found = (
            "no report"
            if self.report is None
            else "\n".join(map(describe, self.report.diagnoses)) or "nothing reported"
        )
        return (
            f"exit code {self.exit_code}\n{found}\n-- stdout\n{self.stdout[-2000:]}\n-- stderr\n{self.stderr[-6000:]}"
        )


class Runner:
    """Starts programs in a folder of its own for their output; the fork server starts with the first program."""

    def __init__(self, folder: Path, server: Server) -> None:
        self._folder = folder
        self._server = server
        self._count = 0
        self._explained: dict[Path, Result] = {}

    def explained(self, program: Path) -> Result:
        """What `tensorwhy run PROGRAM` gave: several tests look at one run."""
        if program not in self._explained:
            self._explained[program] = self.run(program)
        return self._explained[program]

    def run(
        self,
        program: Path,
        *args: str,
        options: tuple[str, ...] = (),
        plain: bool = False,
        cwd: Path | None = None,
    ) -> Result:
        """Run `tensorwhy run OPTIONS PROGRAM ARGS`, or `python PROGRAM ARGS` when `plain`.

        It draws the same random numbers each time, unless it asks for a process of its own.
        """
        self._count += 1
        report, out, err = (self._folder / f"{self._count}.{end}" for end in ("json", "out", "err"))
        argv = [str(program), *args]
        if not plain:
            argv = ["run", "--format", "json", "--output", str(report), *options, *argv]
        cwd = cwd or program.parent
        if OWN_PROCESS.search(program.read_text(encoding="utf-8", errors="replace")):
            exit_code = self._spawn(argv, cwd, out, err, plain)
        else:
            exit_code = self._fork(argv, cwd, out, err, plain)
        written = report.exists() and report.stat().st_size > 0
        if written:
            schema.check(json.loads(report.read_bytes()))
        return Result(
            exit_code,
            out.read_text(encoding="utf-8", errors="replace"),
            err.read_text(encoding="utf-8", errors="replace"),
            msgspec.json.decode(report.read_bytes(), type=Report) if written else None,
        )

    def _spawn(self, argv: list[str], cwd: Path, out: Path, err: Path, plain: bool) -> int:
        start = [sys.executable] if plain else [sys.executable, "-c", TENSORWHY]
        with out.open("w") as stdout, err.open("w") as stderr:
            done = subprocess.run(
                [*start, *argv], cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                timeout=TIMEOUT, check=False,
            )  # fmt: skip
        return done.returncode

    def _fork(self, argv: list[str], cwd: Path, out: Path, err: Path, plain: bool) -> int:
        start = "plain" if plain else "tensorwhy"
        with open(os.devnull) as stdin, out.open("w") as stdout, err.open("w") as stderr:
            exit_code = self._server.run(
                start, argv, cwd, [each.fileno() for each in (stdin, stdout, stderr)], environment()
            )
        if exit_code is None:
            raise TimeoutError(f"{argv} ran for more than {TIMEOUT} s:\n{out.read_text()}\n{err.read_text()}")
        return exit_code


TENSORWHY = "import sys; from tensorwhy.integrations.cli.main import main; sys.argv[0] = 'tensorwhy'; sys.exit(main())"


def environment() -> dict[str, str]:
    """The environment of a program: quiet TensorFlow, no colours, our sources first, output in UTF-8."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    path = os.pathsep.join(filter(None, (str(SOURCES), env.get("PYTHONPATH"))))
    return env | {
        "PYTHONPATH": path,
        "PYTHONIOENCODING": "utf-8",
        "PYTHONHASHSEED": "0",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "-1",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
