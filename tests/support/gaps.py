"""Reads which programs are not explained as marked yet, so that a gap is listed in one place and seen when it closes.

Each line of tests/gaps.txt names a program relative to the repository, without its ending. A program that is listed and
explained all the same shows as XPASS: its line can go.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

LIST = Path(__file__).parents[1] / "gaps.txt"


@functools.cache
def names() -> frozenset[str]:
    """What the list holds. Lines that start with # are comments."""
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def parameters(programs: list[Path], root: Path) -> list[Any]:
    """One test parameter a program, expected to fail when the list names it."""
    return [_parameter(path, name(path, root)) for path in programs]


def name(program: Path, root: Path) -> str:
    """The name of a program in the list: of its folder when it is a `main.py`."""
    bare = program.parent if program.name == "main.py" else program.with_suffix("")
    return bare.relative_to(root).as_posix()


def _parameter(path: Path, known: str) -> Any:
    marks = [pytest.mark.xfail(reason="a listed gap: tests/gaps.txt", strict=False)] if known in names() else []
    return pytest.param(path, id=known.removeprefix("tests/programs/"), marks=marks)
