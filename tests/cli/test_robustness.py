"""A training program in trouble, or beside other tools, ends as it would without tensorwhy; its trace is readable."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support import parquet
from support.marks import describe, runs_here
from support.runner import Runner
from support.streams import scrubbed
from tensorwhy.pipeline.unfinished import explained
from tensorwhy.traces import merge, reader

PROGRAMS = Path(__file__).parents[1] / "programs" / "robust"
HELPERS = ("small", "small_tests")
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem not in HELPERS and runs_here(path))
TRACE = re.compile(r"^# trace: (\w+)$", re.MULTILINE)

pytestmark = parquet.needed


@pytest.mark.parametrize("name", NAMES)
def test_a_program_ends_as_it_would(name: str, runner: Runner, tmp_path: Path) -> None:
    program = PROGRAMS / f"{name}.py"
    plain = runner.run(program, plain=True)
    traced = runner.run(program, options=("--trace", str(tmp_path)))
    assert scrubbed(traced.stdout) == scrubbed(plain.stdout), traced.account()
    assert scrubbed(traced.stderr) == scrubbed(plain.stderr)
    assert traced.exit_code == plain.exit_code

    marked = TRACE.search(program.read_text(encoding="utf-8"))
    workers = reader.workers(str(tmp_path))
    report = merge.report(workers, "0.1.0")
    assert len(workers) == 1, "a child recorded as well"
    assert workers[0].manifest.ended == (marked is None)
    if marked is None:
        assert traced.report is not None
        assert not traced.grave(), list(map(describe, traced.grave()))
    elif marked[1] == "unwritable":
        assert traced.report is not None
        assert [each for each in traced.report.coverage.unobserved if each.startswith("writing the trace failed")]
    else:
        assert any("did not end" in each for each in report.coverage.unobserved)
        assert workers[0].manifest.steps > 0


def test_a_trace_tells_the_steps_of_each_replica(runner: Runner, tmp_path: Path) -> None:
    runner.run(
        PROGRAMS.parent / "healthy" / "distributed" / "mirrored_custom_loop.py", options=("--trace", str(tmp_path))
    )
    (worker,) = reader.workers(str(tmp_path))
    parts = list(worker.table("steps"))
    steps = sorted((replica, step) for part in parts for replica, step in zip(part["replica"], part["step"]))
    assert steps == [(replica, step) for replica in (0, 1) for step in range(1, 7)]


def test_what_a_killed_program_had_lost_is_in_its_trace(runner: Runner, tmp_path: Path) -> None:
    result = runner.run(PROGRAMS / "is_killed.py", options=("--trace", str(tmp_path)))
    assert result.report is None
    (found,) = merge.report(reader.workers(str(tmp_path)), "0.1.0", explained).diagnoses
    assert (found.code, found.primary and found.primary.line) == ("TW106", 10)


def test_a_trace_that_does_not_tell_what_operations_do_explains_nothing(runner: Runner, tmp_path: Path) -> None:
    runner.run(PROGRAMS / "is_killed.py", options=("--trace", str(tmp_path)))
    for file in tmp_path.glob("*/observed-*.json"):
        file.write_text(json.dumps({**json.loads(file.read_text()), "operations": []}))
    report = merge.report(reader.workers(str(tmp_path)), "0.1.0", explained)
    assert not report.diagnoses
    assert report.coverage.blind
    assert report.coverage.unobserved[0].startswith("1 gradient call with lost gradients not explained")
