"""`tensorwhy report`: what it prints, what it needs, and what it says of folders that are no trace."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import parquet
from support.runner import environment
from tensorwhy.integrations.cli.main import main
from tensorwhy.traces import merge, reader
from traces import samples

pytestmark = parquet.needed

BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("tensorflow", "keras", "tf_keras", "torch", "jax"):
            raise ImportError(f"{name} must not be needed")
sys.meta_path.insert(0, Blocker())
from tensorwhy.integrations.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    samples.worker(tmp_path / "trace", "worker-0", samples.report(samples.diagnosis()), monkeypatch)
    samples.worker(tmp_path / "trace", "worker-1", samples.report(), monkeypatch)
    return tmp_path / "trace"


def said(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of an error; exit code 2."""
    assert main(["report", *arguments]) == 2
    captured = capfd.readouterr()
    assert not captured.out
    assert captured.err.startswith("tensorwhy: error: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_it_needs_no_framework(folder: Path) -> None:
    command = [sys.executable, "-c", BLOCKED, "report", str(folder)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=180)
    assert (done.returncode, done.stderr) == (0, "")
    assert "warning[TW104 stop-gradient]" in done.stdout
    assert "found by worker-0 only, of 2 workers" in done.stdout
    assert "y = tf.stop_gradient(x)" in done.stdout
    assert "1 warning; 4 ops recorded by 2 workers" in done.stdout


@pytest.mark.parametrize("format_name", ["terminal", "json", "sarif", "github", "html"])
def test_every_format_shows_a_merged_report(format_name: str, folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert main(["report", "--format", format_name, "--output", str(output), str(folder)]) == 0
    assert "stop-gradient" in output.read_text(encoding="utf-8")


def test_json_says_which_workers(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    main(["report", "--format", "json", "--output", str(output), str(folder)])
    report = json.loads(output.read_text())
    assert report["diagnoses"][0]["workers"] == ["worker-0"]
    assert [each["name"] for each in report["workers"]] == ["worker-0", "worker-1"]


def test_the_folder_of_one_worker_is_a_trace_too(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder / "worker-0")]) == 0
    assert "stop-gradient" in capfd.readouterr().out


@pytest.mark.parametrize(("on", "code"), [("error", 0), ("warning", 1)])
def test_fail_on_gives_an_exit_code(on: str, code: int, folder: Path) -> None:
    assert main(["report", "--fail-on", on, str(folder)]) == code


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "no such folder; pass the folder that" in said(capfd, str(tmp_path / "nowhere"))


@pytest.mark.parametrize("format_name", ["json", "sarif", "github"])
def test_a_saved_report_reads_as_what_it_was_saved_from(format_name: str, folder: Path, tmp_path: Path) -> None:
    saved, direct, again = tmp_path / "report.json", tmp_path / "direct", tmp_path / "again"
    main(["report", "--format", "json", "--output", str(saved), str(folder)])
    main(["report", "--format", format_name, "--output", str(direct), str(folder)])
    assert main(["report", "--format", format_name, "--output", str(again), str(saved)]) == 0
    assert again.read_text() == direct.read_text()


@pytest.mark.parametrize("text", ["", "[]", '{"schema": "tensorwhy.report/9"}', "\xff", "[" * 100_000])
def test_a_file_that_is_no_report_is_said(text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text(text, encoding="latin-1")
    assert "is not a report" in said(capfd, str(tmp_path / "file"))


def test_an_empty_folder_is_no_trace(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "contains no trace: it is empty" in said(capfd, str(tmp_path))


def test_a_folder_of_something_else_is_no_trace(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "data").mkdir()
    assert "none of the 2 entries in it has a manifest.json" in said(capfd, str(tmp_path))


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("tensorwhy.trace/2", "install a newer tensorwhy"),
        ("somebody.elses/1", "not tensorwhy.trace/1"),
    ],
)
def test_a_newer_or_foreign_manifest_is_refused(
    schema: str, words: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = folder / "worker-0" / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "schema": schema}))
    assert words in said(capfd, str(folder))


@pytest.mark.parametrize("name", ["manifest.json", "diagnoses.parquet"])
@pytest.mark.parametrize("damage", ["empty", "cut", "text"])
def test_a_damaged_file_is_named(name: str, damage: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = folder / "worker-0" / name
    data = file.read_bytes()
    file.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "text": b"hello, world"}[damage])
    text = said(capfd, str(folder))
    assert str(file) in text
    assert "; " in text


def test_parquet_of_something_else_is_named(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"fruit": ["apple"]}), folder / "worker-0" / "diagnoses.parquet")
    assert "it has no column 'worker'" in said(capfd, str(folder))


def test_files_that_were_not_finished_are_left_alone(folder: Path) -> None:
    (folder / "worker-0" / ".tmp-1-diagnoses.parquet").write_bytes(b"PAR1")
    assert main(["report", str(folder)]) == 0


def test_without_pyarrow_the_answer_says_what_to_install(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "install `tensorwhy[trace]`" in said(capfd, str(folder))


@st.composite
def damages(draw: st.DrawFn) -> tuple[int, int, list[tuple[int, int]]]:
    """Which file, where it is cut off (in thousandths; 1000: not), and bytes to replace (position in thousandths)."""
    flips = st.tuples(st.integers(0, 999), st.integers(0, 255))
    return (
        draw(st.integers(0, 9)),
        draw(st.one_of(st.just(1000), st.integers(0, 999))),
        draw(st.lists(flips, max_size=4)),
    )


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damage=damages())
def test_no_damage_gives_more_than_an_error(damage: tuple[int, int, list[tuple[int, int]]], folder: Path) -> None:
    which, cut, flips = damage
    with tempfile.TemporaryDirectory() as copy:
        files = sorted((folder / "worker-0").iterdir())
        for number, file in enumerate(files):
            data = bytearray(file.read_bytes())
            if number == which % len(files):
                for at, value in flips:
                    data[at * len(data) // 1000] = value
                del data[cut * len(data) // 1000 :]
            Path(copy, file.name).write_bytes(data)
        try:
            workers = reader.workers(copy)
            for table in ("events", "locations", "variables", "questions", "steps"):
                for _ in workers[0].table(table):
                    pass
            merge.report(workers, "0.1.0")
        except reader.BadTrace as error:
            assert ": " in str(error)
