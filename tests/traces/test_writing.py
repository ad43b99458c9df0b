"""What is written can be read again, completely, by us and by others; what cannot be written disturbs nobody."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from support import parquet
from tensorwhy.model.optable import OpFacts, Vocabulary
from tensorwhy.model.report import Program
from tensorwhy.traces import observed, reader
from tensorwhy.traces import writer as writing
from tensorwhy.traces.layout import DIAGNOSIS_COLUMNS, TABLES
from tensorwhy.traces.writer import Writer
from traces import samples

pytestmark = parquet.needed


def table(worker: reader.Worker, name: str) -> dict[str, list]:
    """All flushes of a table together."""
    parts = list(worker.table(name))
    return {column: [value for each in parts for value in each[column]] for column in TABLES[name]}


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> reader.Worker:
    samples.worker(tmp_path, "worker-0", samples.report(samples.diagnosis()), monkeypatch)
    (found,) = reader.workers(str(tmp_path))
    return found


def test_events_come_back_as_they_were_recorded(written: reader.Worker) -> None:
    events = table(written, "events")
    assert events["kind"] == ["tape-new", "op", "op"]
    assert events["name"] == ["__enter__", "StopGradient", "MatMul"]
    assert events["inputs"] == [[1, 0, 1], [7], [8, -21]]
    assert events["outputs"] == [[], [8], [9]]
    assert events["dtypes"] == [[], ["float32"], ["float32"]]
    assert events["worker"] == ["worker-0"] * 3


def test_every_place_that_is_named_has_its_lines(written: reader.Worker) -> None:
    locations = table(written, "locations")
    named = {place for name in ("events", "steps", "questions") for place in table(written, name)["place"]}
    assert set(locations["place"]) == named - {-1}
    assert set(locations["file"]) == {samples.__file__}


def test_variables_and_questions_come_back(written: reader.Worker) -> None:
    assert table(written, "variables")["shape"] == [[3, -1]]
    questions = table(written, "questions")
    assert (questions["source"], questions["name"], questions["targets"]) == ([5], ["w:0"], [[9]])


def test_steps_are_counted_for_each_place_and_replica(tmp_path: Path) -> None:
    writer = Writer(str(tmp_path), samples.PROGRAM, samples.ENVIRONMENT, "0.1.0")
    writer.begin()
    for replica in (0, 1, 0, 1):
        writer.step(samples.stepped(replica=replica))
    writer.flush(samples.recorded(), None)
    (worker,) = reader.workers(str(tmp_path))
    steps = table(worker, "steps")
    assert list(zip(steps["replica"], steps["step"])) == [(0, 1), (1, 1), (0, 2), (1, 2)]
    assert worker.manifest.steps == 2


@pytest.mark.parametrize("ended", [True, False])
def test_names_that_are_no_text_are_written_out(tmp_path: Path, ended: bool) -> None:
    odd, shown = "\udcff.py", "\\udcff.py"
    known, found = samples.recorded(), samples.report(samples.diagnosis(message=odd))
    known.variables[5] = msgspec.structs.replace(known.variables[5], name=odd)
    known.journal.add(0, odd, -1, (9,), (10 << 8 | 1,))
    found = msgspec.structs.replace(found, program=Program(path=odd, argv=(odd,)), excerpts={odd: {1: odd}})
    writer = Writer(str(tmp_path), found.program, samples.ENVIRONMENT, "0.1.0")
    writer.begin()
    writer.flush(known, found if ended else None, ended=ended)
    (worker,) = reader.workers(str(tmp_path))
    assert (worker.manifest.program.path, worker.manifest.program.argv) == (shown, (shown,))
    assert table(worker, "variables")["name"] == [shown]
    assert table(worker, "events")["name"][-1] == shown
    if ended:
        assert worker.diagnoses()["message"] == [shown]


def test_a_second_flush_writes_only_what_is_new(tmp_path: Path) -> None:
    writer = Writer(str(tmp_path), samples.PROGRAM, samples.ENVIRONMENT, "0.1.0")
    writer.begin()
    known = samples.recorded()
    writer.flush(known, None)
    known.journal.add(0, "Relu", -1, (9,), (10 << 8 | 1,))
    writer.flush(known, None)
    (worker,) = reader.workers(str(tmp_path))
    assert [each["name"] for each in worker.table("events")] == [["__enter__", "StopGradient", "MatMul"], ["Relu"]]
    assert len(list(worker.table("variables"))) == 1


def test_what_was_flushed_is_readable_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.worker(tmp_path, "worker-0", samples.report(samples.diagnosis()), monkeypatch, ended=False)
    (worker,) = reader.workers(str(tmp_path))
    assert not worker.manifest.ended
    assert worker.diagnoses()["code"] == ["TW104"]


def test_a_worker_that_is_started_again_gets_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        samples.worker(tmp_path, "worker-0", samples.report(), monkeypatch)
    assert [each.manifest.worker for each in reader.workers(str(tmp_path))] == ["worker-0", "worker-0.2"]


def test_a_file_that_cannot_be_finished_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = samples.worker(tmp_path, "worker-0", samples.report(), monkeypatch)
    before = sorted(os.listdir(folder))
    writer = Writer(str(tmp_path), samples.PROGRAM, samples.ENVIRONMENT, "0.1.0")
    writer.begin()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        writer.flush(samples.recorded(), samples.report(samples.diagnosis()), ended=True)
    assert sorted(os.listdir(tmp_path / "worker-0.2")) == ["manifest.json"]
    assert sorted(os.listdir(folder)) == before


def test_other_tools_read_the_tables_with_the_documented_columns(written: reader.Worker) -> None:
    import pyarrow.parquet as pq

    for name in os.listdir(written.folder.path):
        if name.endswith(".parquet"):
            columns = DIAGNOSIS_COLUMNS if name.startswith("diagnoses") else TABLES[name.partition("-")[0]]
            file = pq.ParquetFile(os.path.join(written.folder.path, name))
            assert file.schema_arrow.names == list(columns)
            assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_a_trace_in_any_folder_of_fsspec_is_read_like_a_local_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    monkeypatch.setenv("TF_CONFIG", '{"task": {"type": "worker", "index": 3}}')
    writer = Writer("memory://traces/of/a/test", samples.PROGRAM, samples.ENVIRONMENT, "0.1.0")
    writer.begin()
    writer.flush(samples.recorded(), samples.report(samples.diagnosis()), ended=True)
    (worker,) = reader.workers("memory://traces/of/a/test")
    assert worker.manifest.worker == "worker-3"
    assert worker.diagnoses()["code"] == ["TW104"]
    assert table(worker, "events")["name"] == ["__enter__", "StopGradient", "MatMul"]


def test_what_a_step_cannot_wait_for_is_written_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    none: frozenset[str] = frozenset()
    vocabulary = Vocabulary(
        dtypes={}, differentiable=frozenset(), shape_only=none, assigning={}, storing=none, reading=none,
        copying=none, converting=none, callbacks=none, unnamed=none,
    )  # fmt: skip
    known = msgspec.structs.replace(
        samples.recorded(),
        vocabulary=vocabulary,
        facts=lambda name, inputs: OpFacts(name=name, differentiability="registered"),
    )
    writer = Writer(str(tmp_path), samples.PROGRAM, samples.ENVIRONMENT, "0.1.0")
    writer.begin()
    monkeypatch.setattr(writing, "_REST", 0.0)
    monkeypatch.setattr(observed, "_WAIT", -1.0)
    writer.flush(known)
    assert writer.due(known)
    monkeypatch.setattr(observed, "_WAIT", 60.0)
    writer.flush(known)
    assert not writer.due(known)
