"""What all tests of edits need."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.edits import Written


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a program, and gives its path."""

    def write(text: str) -> str:
        path = tmp_path / "program.py"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
