"""`tensorwhy doctor` where PyTorch is the framework."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("torch")

from support.runner import environment


def test_every_hook_is_tried() -> None:
    command = [sys.executable, "-m", "tensorwhy", "doctor"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=environment()).stdout
    assert "  ok    torch: gradient questions" in told
    assert "FAIL  torch" not in told
