"""What merging many workers costs: a synthetic trace of 1,000 workers, written once and read several times.

    python benchmarks/workers.py [--workers 1000] [--rounds 7] [--keep]

Needs PyArrow (`pip install 'tensorwhy[trace]'`). DuckDB runs beside `tensorwhy report`, on the same files with the same
SQL, if it is installed. Wall time: DuckDB uses all processors.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from keeping import keep, rows, setting, shown

from tensorwhy import __version__
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Coverage, Diagnosis, Environment, Program, Report, Symptom
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.stepped import Recorded, Stepped
from tensorwhy.traces import merge, reader
from tensorwhy.traces.writer import Writer

COMMON, STEPS, OPERATIONS = 10, 200, 2_000
"""Findings that all workers have, gradient calls, and recorded operations of each worker."""


def measure(workers: int, rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        for number in range(workers):
            write(folder, number, workers)
        writing = time.perf_counter() - begun
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        found = [
            row
            for worker in reader.workers(folder)
            for columns in [worker.diagnoses()]
            for row in zip(*(columns[name] for name in merge.ASKED))
        ]
        ways = {
            "`tensorwhy report`, all of it but the start of Python": lambda: merge.report(
                reader.workers(folder), __version__
            ),
            "the SQL statement alone, SQLite, rows in memory": lambda: merge.merged(found),
        }
        if duckdb := _duckdb(folder):
            ways["the SQL statement with reading the files, DuckDB"] = duckdb
        return {
            "workers": workers,
            "diagnoses": len(found),
            "findings": len(merge.merged(found)),
            "files": len(files),
            "bytes": sum(path.stat().st_size for path in files),
            "seconds_to_write_a_worker": writing / workers,
            "seconds": _timed(ways, rounds),
        }


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


def _timed(ways: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Each way once a round, in random order."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    order = list(ways)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            begun = time.perf_counter()
            ways[name]()
            times[name].append(time.perf_counter() - begun)
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


def table(result: dict[str, Any]) -> str:
    """The numbers as Markdown."""
    lines = [[name, shown(times, ".2f")] for name, times in result["seconds"].items()]
    lines.append(["writing one worker's trace", f"{result['seconds_to_write_a_worker']:.3f}"])
    return (
        f"Merging {result['workers']:,} workers: {result['diagnoses']:,} diagnoses, {result['findings']:,} findings, "
        f"{result['files']:,} files, {result['bytes'] / 1e6:.0f} MB; {setting('pyarrow', 'duckdb')}\n\n"
        + rows(["", "wall time, s: median (quartiles)"], lines)
        + "\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    result = measure(options.workers, options.rounds)
    text = table(result)
    print(text)
    if len(result["seconds"]) == 2:
        print("DuckDB is not installed here: it does not stand beside (pip install duckdb)")
    if options.keep:
        keep("workers", text, result)


if __name__ == "__main__":
    main()
