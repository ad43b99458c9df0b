"""The GitHub Action: what its step runs, on a workspace of one file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from support.runner import environment

ROOT = Path(__file__).parents[1]
BROKEN = """\
import tensorflow as tf

with tf.GradientTape() as tape:
    x = tf.Variable(1.0)
    loss = x * x
first = tape.gradient(loss, x)
second = tape.gradient(loss, x)
"""
SILENT = """\
import tensorflow as tf

x = tf.constant(1.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x))
"""


class Step(msgspec.Struct, frozen=True):
    """What the step left behind."""

    exit_code: int
    annotations: list[str]
    outputs: dict[str, str]

    def sarif(self) -> dict[str, dict[str, object]]:
        """The runs in the files that would be uploaded, by the files' names."""
        files = Path(self.outputs["sarif"]).glob("*.sarif")
        return {file.stem: json.loads(file.read_text(encoding="utf-8"))["runs"][0] for file in files}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A checkout with a model in a subfolder."""
    (tmp_path / "checkout" / "models").mkdir(parents=True)
    (tmp_path / "checkout" / "models" / "critic.py").write_text(BROKEN, encoding="utf-8")
    return tmp_path / "checkout"


def step(workspace: Path, folder: str = ".", **inputs: str) -> Step:
    outputs = workspace.parent / "outputs"
    outputs.touch()
    given = {"TENSORWHY_PATHS": ".", **{f"TENSORWHY_{name.upper()}": value for name, value in inputs.items()}}
    places = {"GITHUB_OUTPUT": str(outputs), "GITHUB_WORKSPACE": str(workspace), "RUNNER_TEMP": str(workspace.parent)}
    places["GITHUB_STEP_SUMMARY"] = str(workspace.parent / "summary.md")
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "action.py")], cwd=workspace / folder, check=False, timeout=120,
        env={**environment(), **places, **given}, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    annotations = [line for line in done.stdout.splitlines() if line.startswith("::")]
    pairs = [line.split("=", 1) for line in outputs.read_text(encoding="utf-8").splitlines()]
    return Step(done.returncode, annotations, dict(pairs))


def test_a_finding_is_an_annotation_and_fails_the_job_in_the_end(workspace: Path) -> None:
    done = step(workspace)
    assert done.exit_code == 0, "the SARIF file is uploaded before the job fails"
    assert done.outputs["exit-code"] == "1"
    assert len(done.annotations) == 1 and "TW120" in done.annotations[0]


def test_the_same_finding_is_in_the_sarif_file(workspace: Path) -> None:
    results = step(workspace).sarif()["check"]["results"]
    assert [each["ruleId"] for each in results] == ["TW120"]


def test_files_are_named_from_the_root_of_the_checkout_wherever_it_ran(workspace: Path) -> None:
    done = step(workspace, folder="models")
    assert "file=models/critic.py," in done.annotations[0]


def test_the_explanation_is_in_the_summary_of_the_job(workspace: Path) -> None:
    step(workspace)
    summary = (workspace.parent / "summary.md").read_text(encoding="utf-8")
    assert "catalogue/tw120-tape-consumed.html" in summary and "second = tape.gradient(loss, x)" in summary


def test_findings_can_be_told_without_failing(workspace: Path) -> None:
    done = step(workspace, fail_on="never")
    assert done.outputs["exit-code"] == "0" and len(done.annotations) == 1


def test_a_program_is_run_as_well(workspace: Path) -> None:
    (workspace / "train.py").write_text(SILENT, encoding="utf-8")
    done = step(workspace, paths="train.py", program="train.py")
    assert done.outputs["exit-code"] == "1"
    assert set(done.sarif()) == {"check", "run"}
    assert [each["ruleId"] for each in done.sarif()["run"]["results"]] == ["TW101"]


def test_paths_with_spaces_are_one_path_a_line(workspace: Path) -> None:
    os.rename(workspace / "models", workspace / "my models")
    (workspace / "other").mkdir()
    done = step(workspace, paths="my models\nother\n")
    assert len(done.annotations) == 1


@pytest.mark.parametrize("inputs", [{"fail_on": "fatal"}, {"paths": "", "program": ""}])
def test_inputs_that_cannot_be_right_are_named(workspace: Path, inputs: dict[str, str]) -> None:
    done = step(workspace, **inputs)
    assert done.exit_code == 2 and done.annotations[0].startswith("::error::the input")


def test_a_path_that_is_not_there_is_bad_input(workspace: Path) -> None:
    assert step(workspace, paths="missing").outputs["exit-code"] == "2"


def test_what_the_checkout_holds_is_read_and_not_run(workspace: Path) -> None:
    mark = workspace.parent / "executed"
    for name in ("tensorwhy", "pip", "click", "contextlib", "sitecustomize", "runpy"):
        (workspace / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n", encoding="utf-8")
    assert step(workspace).outputs["exit-code"] == "1"
    assert not mark.exists()


def test_no_step_asks_python_for_a_module_in_the_checkout() -> None:
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    asking = [step for step in steps if re.search(r"python\S* -(m|c)\b", step.get("run", ""))]
    assert asking and {step.get("working-directory") for step in asking} == {"${{ github.action_path }}"}


def test_every_input_reaches_the_script() -> None:
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    read = set(re.findall(r'"(TENSORWHY_[A-Z_]+)"', (ROOT / "scripts" / "action.py").read_text(encoding="utf-8")))
    (given,) = (step["env"] for step in action["runs"]["steps"] if step.get("id") == "tensorwhy")
    assert set(given) == read
    for name, value in given.items():
        assert value == f"${{{{ inputs.{name.removeprefix('TENSORWHY_').lower().replace('_', '-')} }}}}"
