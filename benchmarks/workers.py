"""What merging many workers costs: a synthetic trace of 1,000 workers, written once and read several times.

    python benchmarks/workers.py [WORKERS] [ROUNDS]

Writes results/workers.json (raw numbers) and results/workers.md (the table made from them). DuckDB runs beside
`tensorwhy report`, on the same files with the same SQL, if it is installed.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tensorwhy import __version__
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Coverage, Diagnosis, Environment, Program, Report, Symptom
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.stepped import Recorded, Stepped
from tensorwhy.traces import merge, reader
from tensorwhy.traces.writer import Writer

RESULTS = Path(__file__).parent / "results"
COMMON, STEPS, OPERATIONS = 10, 200, 2_000
"""Findings that all workers have, gradient calls, and recorded operations of each worker."""


def main(workers: int = 1_000, rounds: int = 7) -> None:
    """Measure, print the table, and keep the numbers."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        for number in range(workers):
            write(folder, number, workers)
        writing = time.perf_counter() - begun
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        rows = [
            row
            for worker in reader.workers(folder)
            for columns in [worker.diagnoses()]
            for row in zip(*(columns[name] for name in merge.ASKED))
        ]
        measured = {
            "`tensorwhy report`, all of it but the start of Python": lambda: merge.report(
                reader.workers(folder), __version__
            ),
            "the SQL statement alone, SQLite, rows in memory": lambda: merge.merged(rows),
        }
        if duckdb := _duckdb(folder):
            measured["the SQL statement with reading the files, DuckDB"] = duckdb
        seconds = {name: _timed(run, rounds) for name, run in measured.items()}
        result = {
            "workers": workers,
            "diagnoses": len(rows),
            "findings": len(merge.merged(rows)),
            "files": len(files),
            "bytes": sum(path.stat().st_size for path in files),
            "seconds_to_write_a_worker": writing / workers,
            "seconds": seconds,
            "python": platform.python_version(),
            "processors": os.cpu_count(),
            "load_at_the_end": os.getloadavg(),
            "versions": _versions(),
        }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "workers.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "workers.md").write_text(table(result), encoding="utf-8")
    print(table(result))


def write(folder: str, number: int, workers: int) -> None:
    """One worker's trace: what all lose, what every second one loses, and for every hundredth something of its own."""
    os.environ["TF_CONFIG"] = json.dumps({"task": {"type": "worker", "index": number}})
    lines = list(range(COMMON)) + [COMMON] * (number % 2) + [COMMON + 1 + number] * (number % 100 == 0)
    program, environment = Program(path="/work/train.py"), Environment(python="3.11", frameworks={"tensorflow": "2.21"})
    report = Report(
        tool_version=__version__,
        program=program,
        environment=environment,
        diagnoses=tuple(diagnosis(index, line) for index, line in enumerate(lines)),
        coverage=Coverage(recorded_ops=OPERATIONS, steps_recorded=3),
        excerpts={"/work/train.py": {line + 1: f"    y{line} = tf.stop_gradient(x{line})" for line in lines}},
    )
    journal = Journal()
    place = journal.place(1, ((write.__code__, 0, True),))
    for tensor in range(OPERATIONS):
        journal.add(j.OP, "MatMul", place, (tensor, tensor + 1), (tensor + 2 << 8 | 1,))
    writer = Writer(folder, program, environment, __version__)
    writer.begin()
    for step in range(STEPS):
        writer.step(Stepped(place, 0, step, True, True, step))
    writer.flush(Recorded(journal, [], {}, {1: "float32"}), report, ended=True)


def diagnosis(index: int, line: int) -> Diagnosis:
    """A finding at its own line, as long as real ones are."""
    at = Marked(file="/work/train.py", line=line + 1, column=4, label="the gradient is stopped here")
    asked = Location(file="/work/train.py", line=5_000, column=12)
    return Diagnosis(
        id=f"d{index + 1}",
        code="TW104",
        slug="stop-gradient",
        family="gradient",
        severity="warning",
        certainty="proved",
        message=f"the gradient of `loss` with respect to `w{line}` is None: a `stop_gradient` stands on the way",
        primary=at,
        related=(at, at),
        symptom=Symptom(kind="none-gradient", message="the gradient is None", location=asked),
        notes=("x" * 500,),
    )


def _timed(run: Callable[[], Any], rounds: int) -> list[float]:
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return times


def _duckdb(folder: str) -> Callable[[], Any] | None:
    try:
        import duckdb
    except ImportError:
        return None
    files = f"{folder}/*/diagnoses.parquet"

    def run() -> Any:
        connection = duckdb.connect()
        connection.execute(f"CREATE VIEW diagnoses AS SELECT * FROM read_parquet('{files}')")
        return connection.execute(merge.query()).fetchall()

    return run


def _versions() -> dict[str, str]:
    import importlib.metadata

    found = {}
    for name in ("pyarrow", "duckdb"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def table(result: dict[str, Any]) -> str:
    """The numbers as Markdown."""
    lines = [
        f"{result['workers']:,} workers, {result['diagnoses']:,} diagnoses, {result['findings']:,} findings, "
        f"{result['files']:,} files, {result['bytes'] / 1e6:.0f} MB; Python {result['python']}, "
        f"{result['processors']} processors, load {result['load_at_the_end'][0]:.1f}",
        "",
        "| | median | quartiles |",
        "| --- | --- | --- |",
    ]
    for name, times in result["seconds"].items():
        low, middle, high = statistics.quantiles(times, n=4)
        lines.append(f"| {name} | {middle:.2f} s | {low:.2f} to {high:.2f} s |")
    lines.append(f"| writing one worker's trace | {result['seconds_to_write_a_worker'] * 1e3:.0f} ms | |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
