"""`tensorwhy fix --write` leaves working programs as they are: a sample of them."""

from __future__ import annotations

import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from support.marks import runs_here
from support.runner import environment

HEALTHY = Path(__file__).parents[1] / "programs" / "healthy"


def sample() -> list[Path]:
    found = [path for path in sorted(HEALTHY.rglob("*.py")) if not (path.parent / "main.py").exists()]
    # By name, so that a new program does not change which others are run.
    drawn = [path for path in found if zlib.crc32(path.relative_to(HEALTHY.parent).as_posix().encode()) % 40 == 0]
    return [path for path in drawn if runs_here(path)]


@pytest.mark.parametrize("program", sample(), ids=lambda path: str(path.relative_to(HEALTHY)))
def test_nothing_is_proposed_for_a_working_program_nor_written_into_it(
    program: Path, python: str, tmp_path: Path
) -> None:
    copy = shutil.copy(program, tmp_path)
    done = subprocess.run(
        [python, "-m", "tensorwhy", "fix", "--write", copy],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "nothing to fix" in done.stderr
    assert Path(copy).read_bytes() == program.read_bytes()
