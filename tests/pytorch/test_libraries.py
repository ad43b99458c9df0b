"""Runs healthy programs that use Lightning, Transformers, PEFT and Accelerate with tiny random models.

They run where the library is installed, which is in none of the environments that `make` knows. Make one of your own:

    python3.11 -m venv .venv-libraries
    .venv-libraries/bin/pip install torch==2.13.0 lightning transformers peft accelerate pytest numpy hypothesis
    TENSORWHY_PURE=1 .venv-libraries/bin/pip install --editable .
    .venv-libraries/bin/python -m pytest -n 0 tests/pytorch/test_libraries.py
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.runner import Runner

PROGRAMS = sorted((Path(__file__).parents[1] / "programs" / "torch" / "libraries").glob("*.py"))


def library(program: Path) -> str:
    return program.stem.partition("_")[0]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_healthy_program_runs_as_without_the_tool_and_nothing_is_reported(
    program: Path, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec(library(program)) is None:
        pytest.skip(f"{library(program)} is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    alone = runner.run(program, plain=True)
    result = runner.run(program)
    assert alone.exit_code == 0, alone.account()
    assert (result.exit_code, result.stdout) == (alone.exit_code, alone.stdout), result.account()
    assert result.grave() == (), result.account()
    assert result.faults() == (), result.account()
