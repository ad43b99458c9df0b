"""Reads what a program says about itself in comments: the expected diagnoses, and where it can run.

grad = tape.gradient(loss, x)  # why: TW101, TW104      these codes, with this line as their primary line
# requires: keras3, tf>=2.12, python<3.12               all of these hold, or the program is left out
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import operator
import platform
import re
from pathlib import Path

from tensorwhy.model.report import Diagnosis

Mark = tuple[str, str, int]
"""A code, the name of a file relative to the program's folder, and a 1-based line."""

WHY = re.compile(r"#\s*why:\s*(TW\d{3}(?:\s*,\s*TW\d{3})*)\s*$")
REQUIRES = re.compile(r"^#\s*requires:\s*(.+)$", re.MULTILINE)
COMPARISONS = {">=": operator.ge, "<=": operator.le, "==": operator.eq, "<": operator.lt, ">": operator.gt}
CONDITION = re.compile(r"(tf|keras|python|torch)\s*(>=|<=|==|<|>)\s*(\d+(?:\.\d+)*)")


def expected(folder: Path, files: list[Path]) -> set[Mark]:
    """All marks in these files."""
    marks = set()
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if found := WHY.search(line):
                marks |= {(code.strip(), file.relative_to(folder).as_posix(), number) for code in found[1].split(",")}
    return marks


def unmet(marks: set[Mark], diagnoses: tuple[Diagnosis, ...], folder: Path) -> tuple[set[Mark], list[str]]:
    """The marks that no diagnosis meets, and the errors and warnings that meet no mark.

    A diagnosis meets a mark of its code on any line of its primary range, so that a mark may stand at the end of a
    statement that is longer than a line. A note may meet a mark, but need not.
    """
    missing, unexpected = set(marks), []
    for diagnosis in diagnoses:
        met = {mark for mark in marks if _meets(diagnosis, mark, folder)}
        missing -= met
        if not met and diagnosis.severity != "note":
            unexpected.append(describe(diagnosis))
    return missing, unexpected


def _meets(diagnosis: Diagnosis, mark: Mark, folder: Path) -> bool:
    code, file, line = mark
    at = diagnosis.primary
    return (
        diagnosis.code == code
        and at is not None
        and Path(at.file).resolve() == (folder / file).resolve()
        and at.line <= line <= (at.end_line or at.line)
    )


def describe(diagnosis: Diagnosis) -> str:
    """One line for a test's failure message."""
    at = diagnosis.primary
    place = f"{Path(at.file).name}:{at.line}" if at else "nowhere"
    return f"{diagnosis.severity}[{diagnosis.code} {diagnosis.slug}] at {place}: {diagnosis.message}"


def runs_here(program: Path) -> bool:
    """Whether every `# requires:` of the program holds for the installed versions."""
    conditions = REQUIRES.findall(program.read_text(encoding="utf-8"))
    return all(_holds(part.strip()) for line in conditions for part in line.split(","))


def _holds(condition: str) -> bool:
    if found := CONDITION.fullmatch(condition):
        wanted = _numbers(found[3])
        known = {"torch": _torch, "python": _python}
        installed = known[found[1]]() if found[1] in known else versions()[found[1]]
        return COMPARISONS[found[2]](installed[: len(wanted)], wanted)
    if condition in ("keras2", "keras3"):
        return versions()["keras"][0] == int(condition[-1])
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", condition):
        return importlib.util.find_spec(condition) is not None
    raise ValueError(
        f"a `# requires:` comment says {condition!r}: neither keras2/keras3, a module, nor a version of tf or torch"
    )


def snapshots_hold() -> bool:
    """Whether texts are compared here: wordings differ by TensorFlow, and the columns of a `with` by Python."""
    return versions()["tf"] >= (2, 21) and versions()["python"][:2] == (3, 11)


@functools.cache
def _torch() -> tuple[int, ...]:
    """The installed version of PyTorch; (0,) where it is not installed."""
    try:
        return _numbers(importlib.metadata.version("torch").partition("+")[0])
    except importlib.metadata.PackageNotFoundError:
        return (0,)


def _python() -> tuple[int, ...]:
    return _numbers(platform.python_version())


@functools.cache
def versions() -> dict[str, tuple[int, ...]]:
    """The installed versions, read without importing anything."""
    for name in ("tensorflow-cpu", "tensorflow"):
        try:
            tensorflow = importlib.metadata.version(name)
            break
        except importlib.metadata.PackageNotFoundError:
            continue
    else:
        raise RuntimeError("the tests need TensorFlow: install tensorwhy[test,tf221], or run `make test`")
    return {
        "tf": _numbers(tensorflow),
        "keras": _numbers(importlib.metadata.version("keras")),
        "python": _python(),
    }


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
