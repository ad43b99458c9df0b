"""What the doctor says of the compiled part, and of what would bring it."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path

import pytest

from tensorwhy.integrations.cli import doctor


def test_it_says_what_would_bring_the_compiled_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TENSORWHY_PURE", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    assert "pure Python" in doctor._recording()
    assert f"no Python.h in {tmp_path}" in doctor._recording()
    (tmp_path / "Python.h").touch()
    assert "Python.h" not in doctor._recording()
    assert "compiler" in doctor._recording()


def test_it_says_that_the_compiled_part_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSORWHY_PURE", "1")
    assert "TENSORWHY_PURE" in doctor._recording()
