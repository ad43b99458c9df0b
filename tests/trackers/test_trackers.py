"""The documented call for each experiment tracker, with the real package and without a network.

Run in an environment of their own (`make test-trackers`), and skipped elsewhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from documentation.blocks import blocks

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "howto" / "trackers.md"
REPORT = """\
import pathlib
from tensorwhy.pipeline.checking import check

pathlib.Path("model.py").write_text(
    "import tensorflow as tf\\nwith tf.GradientTape() as tape:\\n    v = tf.Variable(1.0)\\n    y = v * v\\n"
    "tape.gradient(y, v)\\ntape.gradient(y, v)\\n"
)
report = check(["model.py"], "model.py", ())
assert report.diagnoses
"""


def logged(file: str, folder: Path, **environment: str) -> list[str]:
    """The pages that a documented program left below a folder."""
    (program,) = (block.text for block in blocks(PAGE) if block.file == file)
    (folder / file).write_text(REPORT + program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, file], cwd=folder, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "HOME": str(folder), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return [path.read_text(encoding="utf-8") for path in folder.rglob("*.html")]


def test_weights_and_biases_keeps_the_page(tmp_path: Path) -> None:
    pytest.importorskip("wandb")
    (page,) = logged("wandb_report.py", tmp_path, WANDB_MODE="offline", WANDB_ERROR_REPORTING="false")
    assert page.lstrip().lower().startswith("<!doctype html>") and "TW120" in page


def test_mlflow_keeps_the_page(tmp_path: Path) -> None:
    pytest.importorskip("mlflow")
    uri = (tmp_path / "runs").as_uri()
    (page,) = logged("mlflow_report.py", tmp_path, MLFLOW_TRACKING_URI=uri, MLFLOW_ALLOW_FILE_STORE="true")
    assert page.startswith("<!doctype html>") and "TW120" in page
