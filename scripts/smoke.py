"""Checks an installed tensorwhy where nothing but it and its dependencies is installed: no framework, no sources.

Usage: python smoke.py compiled|pure [--version VERSION]. Run it with the Python of that environment, from any folder.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BROKEN = """\
import tensorflow as tf

with tf.GradientTape() as tape:
    x = tf.Variable(1.0)
    loss = x * x
first = tape.gradient(loss, x)
second = tape.gradient(loss, x)
"""


def main() -> None:
    """Fail with an AssertionError on the first thing that is not as it should be."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("compiled", "pure"))
    parser.add_argument("--version", help="the version that must be installed")
    given = parser.parse_args()
    package = importlib.import_module("tensorwhy")
    assert not {"tensorflow", "keras", "numpy"} & set(sys.modules), "importing tensorwhy imported a framework"
    installed = importlib.metadata.version("tensorwhy")
    assert installed == package.__version__, f"the package says {package.__version__}, its metadata {installed}"
    assert given.version in (None, installed), f"{installed} is installed"
    check_hot_path(given.kind)
    with tempfile.TemporaryDirectory() as folder:
        check_commands(Path(folder), installed)
    print(f"tensorwhy {installed} works ({given.kind}, Python {sys.version.split()[0]}, {sys.platform})")
    print(f"from {package.__file__}")


def check_hot_path(kind: str) -> None:
    """The compiled part can be loaded, or is not there at all."""
    from tensorwhy.recording import hot_path

    compiled = hot_path.compiled is not None
    assert compiled == (kind == "compiled"), f"recording is {'compiled' if compiled else 'in pure Python'}"


def check_commands(folder: Path, version: str) -> None:
    """The command finds its data files: the catalogue, the report's page, the rules of SARIF."""
    (folder / "broken.py").write_text(BROKEN, encoding="utf-8")
    assert tensorwhy(folder, 0, "--version").strip() == f"tensorwhy {version}"
    assert "TW102" in tensorwhy(folder, 0, "explain", "--list")
    assert "TW120" in tensorwhy(folder, 1, "check", "broken.py")
    sarif = json.loads(tensorwhy(folder, 1, "check", "--format", "sarif", "broken.py"))
    assert [found["ruleId"] for found in sarif["runs"][0]["results"]] == ["TW120"]
    tensorwhy(folder, 1, "check", "--format", "html", "--output", "report.html", "broken.py")
    assert "TW120" in (folder / "report.html").read_text(encoding="utf-8")
    tensorwhy(folder, 0, "check", "--fix", "broken.py")
    assert "persistent=True" in (folder / "broken.py").read_text(encoding="utf-8")
    tensorwhy(folder, 2, "run", "missing.py")


def tensorwhy(folder: Path, expected: int, *arguments: str) -> str:
    """Standard output of the installed command, which must end with this exit code."""
    environment = {**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", *arguments],
        cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == expected, f"{arguments}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


if __name__ == "__main__":
    main()
