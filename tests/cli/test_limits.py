"""The bound on the memory of a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.integrations.cli import limits


def test_a_system_that_does_not_tell_what_is_used_sets_no_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(limits, "_USED", str(tmp_path / "missing"))
    before = resource.getrlimit(resource.RLIMIT_AS)
    limits.limit_memory()
    assert resource.getrlimit(resource.RLIMIT_AS) == before
