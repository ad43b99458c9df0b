"""A trace can be asked for from Python as well, and is refused where it cannot be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support import parquet
from support.runner import Runner
from tensorwhy.integrations.cli.main import main
from tensorwhy.traces import reader

PROGRAM = """
import sys
import tensorflow as tf
import tensorwhy

x = tf.constant(2.0)
with tensorwhy.record(show=False, trace=sys.argv[1]) as recording:
    with tf.GradientTape() as tape:
        y = x * x
    gradient = tape.gradient(y, x)
print([each.code for each in recording.report.diagnoses])
"""


@parquet.needed
def test_a_block_can_be_recorded_into_a_trace(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    result = runner.run(program, str(tmp_path / "trace"), plain=True)
    assert result.stdout == "['TW101']\n", result.account()
    (worker,) = reader.workers(str(tmp_path / "trace"))
    assert worker.diagnoses()["code"] == ["TW101"]
    assert worker.manifest.ended


def refused(capfd: pytest.CaptureFixture[str], folder: Path) -> str:
    program = folder.parent / "program.py"
    program.write_text("raise SystemExit('the program must not start')")
    assert main(["run", "--trace", str(folder), str(program)]) == 2
    return capfd.readouterr().err


@parquet.needed
def test_a_file_is_refused_before_the_program_starts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert "is a file; pass the name of a folder" in refused(capfd, tmp_path / "file")


def test_a_missing_pyarrow_is_said_before_the_program_starts(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "install `tensorwhy[trace]`" in refused(capfd, tmp_path / "trace")
    assert not (tmp_path / "trace").exists()
