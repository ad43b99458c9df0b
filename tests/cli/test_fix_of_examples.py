"""`tensorwhy fix --write` repairs most of the long examples without help."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support.runner import Runner, environment

tf = pytest.importorskip("tensorflow")

pytestmark = pytest.mark.skipif(
    int(tf.keras.__version__.split(".")[0]) < 3, reason="the same edits, so once for all versions of Keras"
)

EXAMPLES = Path(__file__).parents[2] / "examples"
IN_WORDS = {"actor_critic", "momentum_contrast"}
"""What is lost in these is handed through several functions: for that there is no edit."""
PAIRS = sorted(path.parent for path in EXAMPLES.glob("*/broken.py"))


def test_four_of_five_examples_are_repaired() -> None:
    assert len(PAIRS) - len(IN_WORDS) >= 0.8 * len(PAIRS)


@pytest.mark.parametrize(
    "folder", [each for each in PAIRS if each.name not in IN_WORDS], ids=lambda folder: folder.name
)
def test_nothing_is_reported_of_what_fix_wrote(folder: Path, runner: Runner, python: str, tmp_path: Path) -> None:
    program = Path(shutil.copytree(folder, tmp_path / folder.name)) / "broken.py"
    done = subprocess.run(
        [python, "-m", "tensorwhy", "fix", "--write", program.name],
        cwd=program.parent, env=environment(), capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = runner.run(program)
    assert result.exit_code == 0, result.account()
    assert result.grave() == (), result.account()
