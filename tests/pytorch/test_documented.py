"""What the documentation shows of PyTorch is what happens."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("torch")

from documentation.blocks import blocks, commands, matches

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "pytorch.md"


def test_the_commands_of_the_page_show_what_it_says(python: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}
    for block in blocks(PAGE):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        for command in commands(block) if block.language == "console" else ():
            done = subprocess.run(
                [python, "-m", "tensorwhy", *command.words[1:]],
                cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            real = done.stderr.partition("\n\ntensorwhy:")[0]
            assert matches(command.shown, real), f"{shlex.join(command.words)} shows\n{real}"


def test_the_folklore_is_what_experiments_say() -> None:
    place = ROOT / "docs" / "folklore" / "torch_claims.py"
    spec = importlib.util.spec_from_file_location("torch_claims", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page()
