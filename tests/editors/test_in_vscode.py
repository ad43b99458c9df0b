"""The packaged extension in VS Code itself, without a screen; tried where `make test-vscode` got that editor."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.test_check import HEALTHY, TWICE, UNWATCHED, check
from html_report.conftest import browser
from support.runner import environment

__all__ = ["browser"]

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
SERVER = EXTENSION / ".vscode-test" / "node_modules" / "code-server" / "lib" / "vscode" / "out" / "server-main.js"
PACKAGE = EXTENSION / "dist" / "tensorwhy.vsix"

pytestmark = [
    pytest.mark.skipif(not SERVER.is_file() or not PACKAGE.is_file(), reason="`make test-vscode` gets the editor"),
    pytest.mark.skipif(sys.platform != "linux", reason="tried on Linux"),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def editor(workspace: Path, tmp_path: Path, browser: Any) -> Iterator[Any]:
    """The window of an editor that has the extension and no other, with the workspace open."""
    python = tmp_path / "python"
    words = " ".join(f'{name}="{value}"' for name, value in environment().items() if name == "PYTHONPATH")
    python.write_text(f'#!/bin/sh\n{words} exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    settings = tmp_path / "user" / "User" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"tensorwhy.python": str(python), "security.workspace.trust.enabled": False}))
    for other in ("data/data/Machine", "data/Machine", "user/Machine"):
        (tmp_path / other).mkdir(parents=True)
        shutil.copy(settings, tmp_path / other)
    options = [
        *("--server-data-dir", tmp_path / "data", "--extensions-dir", tmp_path / "extensions"),
        *("--user-data-dir", tmp_path / "user", "--accept-server-license-terms", "--telemetry-level", "off"),
    ]
    command = ["node", SERVER, *options]
    subprocess.run([*command, "--install-extension", PACKAGE], check=True, capture_output=True, timeout=120)
    serving = [*command, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"]
    with subprocess.Popen(serving, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        try:
            port = next(line.split()[-1] for line in server.stdout if "listening on" in line)
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            page.set_default_timeout(60_000)
            page.goto(f"http://127.0.0.1:{port}/?folder={workspace}")
            yield page
            page.close()
        finally:
            server.kill()


def opened(editor: Any, name: str) -> None:
    editor.locator(".explorer-folders-view").get_by_text(name).dblclick()
    editor.locator(f".tab.active[data-resource-name='{name}']").wait_for()


def test_a_finding_is_underlined_explained_and_mended(workspace: Path, editor: Any) -> None:
    (workspace / "train.py").write_text(TWICE)
    opened(editor, "train.py")
    mark = editor.locator(".squiggly-error").first
    mark.wait_for()
    mark.hover(force=True)
    shown = editor.locator(".monaco-hover:visible").filter(has_text="TW120").first
    shown.wait_for()
    assert "`tape` was asked for a second gradient" in shown.inner_text()
    shown.get_by_text("What happened").wait_for()  # from the server, later than what the editor itself shows
    editor.keyboard.press("F8")
    editor.keyboard.press("Control+.")
    editor.get_by_text("tensorwhy: open the tape with").wait_for()
    editor.keyboard.press("Enter")
    mark.wait_for(state="detached")
    assert "Tape(persistent=True)" in editor.locator(".view-lines").first.inner_text()


def test_what_a_run_found_is_shown_when_it_is_written(workspace: Path, editor: Any) -> None:
    (workspace / "train.py").write_text(HEALTHY)
    opened(editor, "train.py")
    (workspace / "other.py").write_text(UNWATCHED)
    done = check("--format", "lsp", "other.py", cwd=workspace)
    (workspace / "other.py").unlink()
    (workspace / ".tensorwhy").mkdir()
    found = done.stdout.replace("other.py", "train.py").replace("x = tf.constant(3.0)", "x = tf.Variable(3.0)")
    (workspace / ".tensorwhy" / "findings.json").write_text(found)
    editor.locator(".squiggly-warning, .squiggly-error").first.wait_for()
