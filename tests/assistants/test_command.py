"""`tensorwhy mcp` where it cannot start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tensorwhy.integrations.cli.main import main


def said(capfd: pytest.CaptureFixture[str], *options: str) -> str:
    """The one line of an error; exit code 2, and nothing on the stream that is the protocol's."""
    assert main(["mcp", *options]) == 2
    captured = capfd.readouterr()
    assert not captured.out and captured.err.count("\n") == 1
    return captured.err


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delitem(sys.modules, "tensorwhy.integrations.assistants.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    assert "pip install" in said(capfd)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "no such folder" in said(capfd, "--root", str(tmp_path / "missing"))


def test_a_python_that_is_not_there_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mcp.server.mcpserver")
    assert "cannot be run" in said(capfd, "--python", str(tmp_path / "python"))


def test_a_python_without_tensorwhy_is_told_to_get_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mcp.server.mcpserver")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E "$@"\n')
    python.chmod(0o755)
    assert "install it next to the framework" in said(capfd, "--python", str(python))
