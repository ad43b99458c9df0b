"""What is done at installation where the compiler that Python was built with is missing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

setuptools = pytest.importorskip("setuptools")

from setuptools.command import build_ext  # noqa: E402

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no other compiler is looked for")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """setup.py, on a machine that has Python's headers, no compiler, and a pip that gets nothing."""
    monkeypatch.setattr(setuptools, "setup", lambda **options: None)
    spec = importlib.util.spec_from_file_location("setup_script", ROOT / "setup.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    (tmp_path / "bin").mkdir()
    (tmp_path / "Python.h").touch()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CC", raising=False)
    for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        monkeypatch.setenv(name, "")  # setup.py sets them
    monkeypatch.setattr(script.subprocess, "run", no_pip)
    return script


def no_pip(command: list[str], **options: object) -> None:
    raise subprocess.CalledProcessError(1, command)


def a_pip(command: list[str], **options: object) -> None:
    assert "venv" in command or command[-1].startswith("ziglang==")


def add(folder: Path, name: str) -> None:
    (folder / "bin" / name).touch(mode=0o755)


def commands(
    script: ModuleType, headers: Path, monkeypatch: pytest.MonkeyPatch, editable: bool = True
) -> tuple[list[str], list[str]] | None:
    """The compiler and the linker that setuptools is told to use, without their flags; None when it is told nothing."""
    told: list[dict[str, list[str]]] = []
    monkeypatch.setattr(build_ext.build_ext, "build_extensions", lambda self: None)
    builder = script.BuildExt(setuptools.Distribution())
    builder.include_dirs = [str(headers)]
    builder.editable_mode = editable
    builder.compiler = SimpleNamespace(compiler_so=["gcc-6", "-c"], set_executables=lambda **them: told.append(them))
    builder.build_extensions()
    if not told:
        return None
    return told[0]["compiler_so"][: -len(script.FLAGS)], told[0]["linker_so"][:-1]


def test_the_compiler_that_python_was_built_with_is_left_alone(script, tmp_path, monkeypatch) -> None:
    add(tmp_path, "gcc-6")
    assert commands(script, tmp_path, monkeypatch) is None


def test_another_compiler_on_path_stands_in(script, tmp_path, monkeypatch) -> None:
    add(tmp_path, "clang")
    assert commands(script, tmp_path, monkeypatch) == (["clang"], ["clang"])


def test_a_compiler_that_was_chosen_is_left_alone(script, tmp_path, monkeypatch) -> None:
    add(tmp_path, "clang")
    monkeypatch.setenv("CC", "my-cc")
    assert commands(script, tmp_path, monkeypatch) is None


def test_only_an_editable_install_downloads_a_compiler(script, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(script.subprocess, "run", a_pip)
    assert commands(script, tmp_path, monkeypatch, editable=False) is None


def test_without_any_compiler_pip_gets_one(script, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(script.subprocess, "run", a_pip)
    compiler, linker = commands(script, tmp_path, monkeypatch)
    assert compiler[:3] == linker[:3] == [compiler[0], "-m", "ziglang"]
    assert compiler[0] != sys.executable, "it would be put where Python's own packages are"
    assert "-mcpu=baseline" in compiler, "what was compiled would be for this machine's processor only"


def test_a_zig_that_is_installed_is_used(script, tmp_path, monkeypatch) -> None:
    (tmp_path / "ziglang").mkdir()
    (tmp_path / "ziglang" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    compiler, _ = commands(script, tmp_path, monkeypatch)
    assert compiler[:3] == [sys.executable, "-m", "ziglang"]


def test_nothing_is_got_where_headers_are_missing(script, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(script.subprocess, "run", a_pip)
    assert commands(script, tmp_path / "bin", monkeypatch) is None


def test_a_build_succeeds_where_no_compiler_can_be_had(script, tmp_path, capfd) -> None:
    (tmp_path / "part.c").touch()
    part = setuptools.Extension(
        "part", [str(tmp_path / "part.c")], optional=all(each.optional for each in script.COMPILED)
    )
    builder = script.BuildExt(setuptools.Distribution({"ext_modules": [part]}))
    builder.include_dirs = [str(tmp_path)]
    builder.editable_mode = True
    builder.build_lib = builder.build_temp = str(tmp_path / "build")
    builder.ensure_finalized()
    builder.run()
    assert "ziglang" in capfd.readouterr().err
    assert not list(tmp_path.rglob("*.so"))
