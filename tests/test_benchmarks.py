"""Runs every benchmark that `make bench` runs, with numbers too small to mean anything."""

from __future__ import annotations

import re
import subprocess
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUNS = [
    "recording.py --only tiny --rounds 2 --peer-rounds 1",
    "torch_recording.py --only MLP --rounds 2 --lens-rounds 1",
    "whole.py --only loop,\xa0tf --pairs 2 --peer-pairs 1 --start-pairs 0 --steps 3",
    "questions.py --operations 4000 --rounds 1 --peer-rounds 1",
    "graphs.py --nodes 200 --rounds 1",
    "failures.py --only none --rounds 1 --later 1",
    "pages.py --operations 500 --rounds 1",
    "workers.py --workers 2 --rounds 1",
    "checking.py --lines 200 --rounds 1 --peer-rounds 0",
]


def test_all_that_is_measured_is_run_here() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nbench:")[2].partition("\n\n")[0]
    measured = re.findall(r"benchmarks/(\w+\.py) --keep", recipe)
    assert list(dict.fromkeys(measured)) == [run.split(" ")[0] for run in RUNS]


@pytest.mark.skipif(metadata.version("keras") < "3", reason="they measure what `make bench` installs")
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.split(".")[0])
def test_a_benchmark_runs_to_its_table(run: str, python: str) -> None:
    script, *options = (word.replace("\xa0", " ") for word in run.split(" "))
    done = subprocess.run(
        [python, str(ROOT / "benchmarks" / script), *options], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "| --- |" in done.stdout or "torch is not installed" in done.stdout
