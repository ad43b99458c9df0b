"""What action.yml runs: read the sources, run the program, and write each result as annotations, SARIF and a summary.

The inputs are environment variables, since a shell would split them. The job reads annotations from standard output.
The exit code goes to the step's outputs, so that the SARIF files are uploaded before the job fails.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

SEVERITIES = ("error", "warning", "never")


def main() -> int:
    """Write the outputs. Return 2 for inputs that cannot be right."""
    fail_on = os.environ.get("TENSORWHY_FAIL_ON", "warning").strip()
    if fail_on not in SEVERITIES:
        print(f"::error::the input fail-on takes {', '.join(SEVERITIES)}; this is {fail_on!r}")
        return 2
    folder = Path(tempfile.mkdtemp(prefix="tensorwhy-", dir=os.environ.get("RUNNER_TEMP")))
    sarif = folder / "sarif"
    sarif.mkdir()
    codes = [report(command, folder / f"{name}.json", sarif / f"{name}.sarif", fail_on) for name, command in commands()]
    if not codes:
        print("::error::the inputs paths and program are both empty: there is nothing to look at")
        return 2
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as outputs:
        outputs.write(f"sarif={sarif}\nexit-code={max(codes)}\n")
    return 0


def commands() -> Iterator[tuple[str, list[str]]]:
    """The commands that look for something, without the options that say where it goes."""
    paths = lines("TENSORWHY_PATHS")
    if paths:
        yield "check", ["check", "--exit-zero", "--", *paths]
    program = os.environ.get("TENSORWHY_PROGRAM", "").strip()
    if program:
        yield "run", ["run", program, *lines("TENSORWHY_ARGUMENTS")]


def report(command: list[str], saved: Path, sarif: Path, fail_on: str) -> int:
    """Look once, save what was found, and write it twice. Return the exit code of it all."""
    first, *rest = command
    code = tensorwhy(first, "--format", "json", "--output", str(saved), *rest)
    if not saved.exists() or not saved.stat().st_size:
        return code or 2
    verdict = () if fail_on == "never" else ("--fail-on", fail_on)
    root = os.environ.get("GITHUB_WORKSPACE")  # annotations and SARIF name files by their paths from there
    tensorwhy("report", "--format", "sarif", "--output", str(sarif), str(saved), folder=root)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        part = saved.with_suffix(".md")
        tensorwhy("report", "--format", "markdown", "--output", str(part), str(saved), folder=root)
        with open(summary, "a", encoding="utf-8") as page:
            page.write(part.read_text(encoding="utf-8") if part.exists() else "")
    return max(code, tensorwhy("report", "--format", "github", *verdict, str(saved), folder=root))


def lines(name: str) -> list[str]:
    """The lines of an input that say something."""
    return [line.strip() for line in os.environ.get(name, "").splitlines() if line.strip()]


def tensorwhy(*arguments: str, folder: str | None = None) -> int:
    """Run a command, whose output is this script's, and return its exit code.

    The package is named by its place: `python -m` would look in the checkout first, where a pull request may have put
    a `tensorwhy.py`.
    """
    package = importlib.util.find_spec("tensorwhy")
    if package is None or package.origin is None:
        print("::error::tensorwhy is not installed in this Python")
        return 2
    main = Path(package.origin).with_name("__main__.py")
    return subprocess.run([sys.executable, str(main), *arguments], cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
