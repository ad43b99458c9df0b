"""Many workers, one report: by the same SQL on whichever engine."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from support import parquet
from tensorwhy.model.report import VariableView
from tensorwhy.traces import merge, reader
from tensorwhy.traces.layout import DIAGNOSES
from traces import samples

pytestmark = parquet.needed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three workers: one finding of all, one of worker-1 only, and worker-2 was killed after its fifth step."""
    common = samples.diagnosis(line=12)
    only = samples.diagnosis(line=20, code="TW106", id="d2", together_with=("d1",), severity="error")
    samples.worker(tmp_path, "worker-0", samples.report(common, unobserved=("threads",)), monkeypatch)
    samples.worker(tmp_path, "worker-1", samples.report(common, only), monkeypatch, steps=4)
    samples.worker(tmp_path, "worker-2", samples.report(common), monkeypatch, steps=5, ended=False)
    return tmp_path


def merged(folder: Path):
    return merge.report(reader.workers(str(folder)), "0.1.0")


def test_the_same_finding_of_all_workers_is_one(folder: Path) -> None:
    common = next(each for each in merged(folder).diagnoses if each.code == "TW104")
    assert common.workers == ("worker-0", "worker-1", "worker-2")
    assert "found by all 3 workers" in common.notes
    assert common.seen == 3


def test_a_finding_of_one_worker_names_it(folder: Path) -> None:
    only = next(each for each in merged(folder).diagnoses if each.code == "TW106")
    assert only.workers == ("worker-1",)
    assert "found by worker-1 only, of 3 workers" in only.notes


def test_what_belongs_together_still_does(folder: Path) -> None:
    common, only = (next(d for d in merged(folder).diagnoses if d.code == code) for code in ("TW104", "TW106"))
    assert only.together_with == (common.id,)


def test_steps_that_nobody_explained_are_not_steps_in_which_nothing_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = samples.worker(tmp_path, "worker-0", samples.report(), monkeypatch, ended=False)
    (folder / DIAGNOSES).unlink()
    coverage = merged(tmp_path).coverage
    assert (coverage.blind, coverage.steps_recorded) == (True, 0)
    assert any("lost is unknown" in each for each in coverage.unobserved)


def test_the_gravest_comes_first_and_every_id_is_new(folder: Path) -> None:
    assert [(each.id, each.code) for each in merged(folder).diagnoses] == [("d1", "TW106"), ("d2", "TW104")]


def test_steps_are_aligned_by_their_number(folder: Path) -> None:
    report = merged(folder)
    assert [(each.name, each.steps, each.ended) for each in report.workers] == [
        ("worker-0", 2, True),
        ("worker-1", 4, True),
        ("worker-2", 5, False),
    ]


def test_a_worker_that_did_not_end_is_named(folder: Path) -> None:
    unobserved = merged(folder).coverage.unobserved
    assert "threads (worker-0)" in unobserved
    assert any(each.startswith("worker-2 did not end") and "up to step 5" in each for each in unobserved)


def test_hosts_that_keep_the_program_elsewhere_found_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.worker(tmp_path, "worker-0", samples.report(samples.diagnosis()), monkeypatch)
    text = msgspec.json.encode(samples.report(samples.diagnosis())).decode().replace("/work/", "/home/me/")
    elsewhere = msgspec.json.decode(text, type=type(samples.report()))
    samples.worker(tmp_path, "worker-1", elsewhere, monkeypatch)
    assert len(merged(tmp_path).diagnoses) == 1


def test_two_findings_of_one_worker_at_one_place_stay_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twice = samples.report(samples.diagnosis(), samples.diagnosis(id="d2", message="the gradient of `v` is None"))
    samples.worker(tmp_path, "worker-0", twice, monkeypatch)
    assert len(merged(tmp_path).diagnoses) == 2


def test_how_variables_fared_is_told_by_the_worker_that_saw_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, steps in (("worker-0", (1,)), ("worker-1", (1, 2))):
        view = VariableView(name="kernel", layer="dense", steps=steps, norms=(0.5,) * len(steps), diagnoses=("d1",))
        found = msgspec.structs.replace(samples.report(samples.diagnosis()), variables=(view,))
        samples.worker(tmp_path, name, found, monkeypatch)
    report = merged(tmp_path)
    assert [(each.name, each.steps, each.diagnoses) for each in report.variables] == [("kernel", (1, 2), ("d1",))]


def test_one_worker_alone_is_not_called_one_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.worker(tmp_path, "worker-0", samples.report(samples.diagnosis()), monkeypatch)
    (found,) = merged(tmp_path).diagnoses
    assert not found.workers
    assert not any("found by" in note for note in found.notes)


def test_the_source_lines_that_are_shown_come_with_the_trace(folder: Path) -> None:
    assert merged(folder).excerpts["/work/train.py"] == {
        12: "    y = tf.stop_gradient(x)",
        14: "g = tape.gradient(loss, w)",
    }


def test_duckdb_gives_the_same_answer_from_the_same_sql_on_the_files_themselves(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    files = str(folder / "*" / "diagnoses.parquet")
    connection = duckdb.connect()
    connection.execute(f"CREATE VIEW diagnoses AS SELECT * FROM read_parquet('{files}')")
    rows = connection.execute(merge.query()).fetchall()
    theirs = [msgspec.convert(dict(zip(merge.Finding.__struct_fields__, row)), merge.Finding) for row in rows]
    columns = [worker.diagnoses() for worker in reader.workers(str(folder))]
    ours = merge.merged(row for each in columns for row in zip(*(each[name] for name in merge.ASKED)))
    assert [_sorted(each) for each in theirs] == [_sorted(each) for each in ours]


def _sorted(found: merge.Finding) -> merge.Finding:
    """SQL does not say in which order names are joined."""
    return msgspec.structs.replace(found, names=",".join(sorted(found.names.split(","))))
