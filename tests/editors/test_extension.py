"""The extension of VS Code is built, and starts the server; tried where its packages are installed (`npm ci`)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import tensorwhy

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"


def test_it_has_the_version_of_the_package() -> None:
    assert json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["version"] == tensorwhy.__version__


@pytest.mark.skipif(shutil.which("npm") is None, reason="this needs Node")
@pytest.mark.skipif(not (FOLDER / "node_modules").is_dir(), reason="its packages are not installed")
def test_it_is_built_and_starts_the_server() -> None:
    done = subprocess.run(["npm", "test"], cwd=FOLDER, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
