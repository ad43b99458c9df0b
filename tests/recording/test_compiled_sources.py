"""Frames of compiled libraries are nobody's lines, though Cython names their source by a relative path."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.recording.locations import UserCode


@pytest.mark.parametrize("file", ["mtrand.pyx", "numpy/random/_bounded_integers.pyx", "pandas/_libs/lib.pxd"])
def test_a_source_that_cython_names_and_that_is_not_here_is_not_the_users(file: str) -> None:
    assert not UserCode().owns(file)


def test_a_compiled_source_of_the_users_own_is_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fast.pyx").write_text("")
    monkeypatch.chdir(tmp_path)
    assert UserCode().owns("fast.pyx")


def test_text_that_a_library_executes_is_not_the_users() -> None:
    code = "import sys\nframe = sys._getframe()"
    theirs = {"__file__": str(Path(pytest.__file__))}
    exec(code, theirs)
    ours = {"__file__": __file__}
    exec(code, ours)
    assert not UserCode().runs(theirs["frame"])  # type: ignore[arg-type]
    assert UserCode().runs(ours["frame"])  # type: ignore[arg-type]
