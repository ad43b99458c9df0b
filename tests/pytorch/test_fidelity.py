"""A program that trains with PyTorch first behaves as under plain python, in all else that it does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch")

from cli.test_fidelity import PROGRAMS, assert_same, both

TRAINING = """
import torch

layer = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    layer(torch.ones(3, 2)).detach().requires_grad_().sum().backward()
    optimizer.step()
"""
NAMES = (
    "exits_from_its_excepthook",
    "fails_at_exit",
    "forks_children",
    "handles_termination",
    "is_stepped_through",
    "limits_its_memory",
    "measures_its_coverage",
    "profiles_itself",
    "recurses_to_the_limit",
    "reloads_a_module",
    "sets_the_clock_back",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs, each of which trains before anything else."""
    folder = tmp_path_factory.mktemp("programs")
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    (folder / "training.py").write_text(TRAINING, encoding="utf-8")
    for path in (folder / f"{name}.py" for name in NAMES):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        after = next((at + 1 for at, line in enumerate(lines) if line.startswith("from __future__")), 0)
        lines.insert(after, "import training  # noqa\n")
        path.write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_program_that_trains_does_what_it_does_under_plain_python(name: str, folder: Path, tmp_path: Path) -> None:
    assert_same(*both(tmp_path, f"{name}.py", "--format", "x", "-m", "--", "file", cwd=folder))
