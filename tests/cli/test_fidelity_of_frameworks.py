"""With TensorFlow in it, the program still writes what it writes under plain python: a sample of the programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.marks import runs_here
from support.runner import Runner

PROGRAMS = Path(__file__).parents[1] / "programs"
CHANCE = (
    (r'^ *File "<fork server>".*\n', ""),  # frames below the program, which plain python does not have
    (r"0x[0-9a-f]+|\bid=\d+", "ID"),
    (r"__autograph_generated_file\w+", "GENERATED"),
    (r"__(forward|inference|backward)_(\w+?)_\d+", r"__\1_\2"),
    (r"^.*([IWE]0000|\d\d:\d\d:\d\d).*\n", ""),  # TensorFlow's log has the time in it
    (r"\d+(ms|us|s)\b(/step)?", "TIME"),
)


def sample() -> list[Path]:
    found = sorted(path for path in PROGRAMS.rglob("*.py") if path.parts[len(PROGRAMS.parts)] in ("broken", "healthy"))
    programs = [path for path in found if path.name == "main.py" or not (path.parent / "main.py").exists()]
    return [path for path in programs if runs_here(path)][::40]


def scrubbed(text: str) -> str:
    for pattern, replacement in CHANCE:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


@pytest.mark.parametrize("program", sample(), ids=lambda path: str(path.relative_to(PROGRAMS)))
def test_a_training_program_does_what_it_does_under_plain_python(program: Path, runner: Runner) -> None:
    plain, explained = runner.run(program, plain=True), runner.explained(program)
    assert scrubbed(explained.stdout) == scrubbed(plain.stdout)
    assert scrubbed(explained.stderr) == scrubbed(plain.stderr)
    assert explained.exit_code == plain.exit_code
