"""The program behaves as under plain python: the same bytes on both streams, the same end of the process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.runner import environment

PROGRAMS = Path(__file__).parents[1] / "programs" / "fidelity"
NOT_STARTED = ("click", "crashes", "raises_while_imported")
NAMES = sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem not in NOT_STARTED)
INPUT = b"first\nsecond\n"


def python(*args: str, cwd: Path = PROGRAMS, flags: tuple[str, ...] = ()) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *flags, *args], cwd=cwd, env=environment(), input=INPUT, capture_output=True, timeout=180
    )


def both(
    tmp_path: Path, *program: str, cwd: Path = PROGRAMS, flags: tuple[str, ...] = ()
) -> tuple[subprocess.CompletedProcess[bytes], subprocess.CompletedProcess[bytes]]:
    """The program under plain python, and under the tool with the explanation out of the way."""
    output = str(tmp_path / "report.json")
    plain = python(*program, cwd=cwd, flags=flags)
    return plain, python("-m", "tensorwhy", "run", "--output", output, *program, cwd=cwd, flags=flags)


def scrubbed(output: bytes) -> str:
    """Addresses differ between any two processes."""
    return re.sub(r"0x[0-9a-f]+", "0x", output.decode(errors="backslashreplace"))


def assert_same(plain: subprocess.CompletedProcess[bytes], explained: subprocess.CompletedProcess[bytes]) -> None:
    assert scrubbed(explained.stdout) == scrubbed(plain.stdout)
    assert scrubbed(explained.stderr) == scrubbed(plain.stderr)
    assert explained.returncode == plain.returncode


@pytest.mark.parametrize("name", NAMES)
def test_a_program_does_what_it_does_under_plain_python(name: str, tmp_path: Path) -> None:
    assert_same(*both(tmp_path, f"{name}.py", "--format", "x", "-m", "--", "file"))


def test_a_crash_is_the_same_crash_though_the_dump_of_the_stack_shows_our_frames_too(tmp_path: Path) -> None:
    plain, explained = both(tmp_path, "crashes.py")
    assert explained.returncode == plain.returncode
    assert scrubbed(explained.stderr).splitlines()[:4] == scrubbed(plain.stderr).splitlines()[:4]


@pytest.mark.parametrize("name", ["raises", "prints_its_world"])
@pytest.mark.parametrize("flags", [("-O",), ("-I",), ("-X", "dev"), ("-W", "error")])
def test_flags_of_the_interpreter_mean_the_same(name: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    if (
        "-I" in flags
        and subprocess.run([sys.executable, "-I", "-c", "import tensorwhy"], capture_output=True).returncode
    ):
        pytest.skip("isolated mode needs an installed tensorwhy")
    assert_same(*both(tmp_path, f"{name}.py", flags=flags))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="came with 3.11")
def test_a_safe_path_stays_safe(tmp_path: Path) -> None:
    assert_same(*both(tmp_path, "imports_its_neighbour.py", flags=("-P",)))


def test_pytest_with_its_own_processes_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text("def test_passes(): pass\ndef test_fails(): assert 1 == 2\n")
    # Both tests in one process, whichever that is: the order of the dots is no chance then.
    options = ("-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile", "test_two.py")
    plain, explained = both(tmp_path, "-m", "pytest", *options, cwd=tmp_path)
    by_chance = re.compile(rb" in [0-9.]+s|(?<=\[gw)[01]")
    assert by_chance.sub(b"", explained.stdout) == by_chance.sub(b"", plain.stdout)
    assert (explained.stderr, explained.returncode) == (plain.stderr, plain.returncode)


@pytest.mark.parametrize("name", ["prints_its_world", "raises", "exits_with_message", "spawns_children"])
def test_a_module_does_what_it_does_under_python_m(name: str, tmp_path: Path) -> None:
    assert_same(*both(tmp_path, "-m", name, "--output", "x"))


@pytest.mark.parametrize("shape", ["folder", "zip", "link", "dotted", "package", "compiled", "parent"])
def test_every_way_to_name_a_program_works(shape: str, tmp_path: Path) -> None:
    import py_compile
    import zipfile

    source = (PROGRAMS / "prints_its_world.py").read_text() + "raise ValueError('end')\n"
    package = tmp_path / "package"
    package.mkdir()
    for name in ("__init__.py", "part.py", "__main__.py"):
        (package / name).write_text("" if name == "__init__.py" else source)
    program: tuple[str, ...] = {
        "folder": ("package",),
        "zip": ("program.zip",),
        "link": ("link.py",),
        "dotted": ("-m", "package.part"),
        "package": ("-m", "package"),
        "compiled": ("program.pyc",),
        "parent": (os.path.join("..", tmp_path.name, "package", "part.py"),),
    }[shape]
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as archive:
        archive.writestr("__main__.py", source)
    (tmp_path / "link.py").symlink_to(package / "part.py")
    py_compile.compile(str(package / "part.py"), str(tmp_path / "program.pyc"))
    assert_same(*both(tmp_path, *program, "argument", cwd=tmp_path))


def test_the_report_comes_after_everything_the_program_wrote() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", "run", "exits_in_order.py"],
        cwd=PROGRAMS, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=180, check=False,
    )  # fmt: skip
    lines = done.stdout.decode().splitlines()
    assert next(line for line in lines if line.startswith("tensorwhy:"))
    assert [line for line in lines if not line.startswith("tensorwhy:")][-1] == "deleted global"
    assert lines.index("registered first") < next(i for i, line in enumerate(lines) if line.startswith("tensorwhy:"))


def test_a_child_writes_no_report_of_its_own(tmp_path: Path) -> None:
    done = python("-m", "tensorwhy", "run", "forks_children.py")
    assert done.stderr.decode().count("tensorwhy: ") == 1


@pytest.mark.parametrize(
    "program", ["print(_ih, __name__)\n1 / 0", "import atexit; atexit.register(print, 'end'); exit(3)"]
)
def test_ipython_says_the_same(program: str, tmp_path: Path) -> None:
    pytest.importorskip("IPython")
    options = ("--no-banner", "--colors=NoColor", "--HistoryManager.enabled=False", f"--ipython-dir={tmp_path}")
    assert_same(*both(tmp_path, "-m", "IPython", *options, "-c", program, cwd=tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permissions")
def test_a_program_in_a_folder_that_nobody_may_write_to_does_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("prints_its_world.py", "raises.py"):
        (folder / name).write_bytes((PROGRAMS / name).read_bytes())
    folder.chmod(0o555)
    for name in ("prints_its_world.py", "raises.py"):
        assert_same(*both(tmp_path, name, cwd=folder))
    assert sorted(path.name for path in folder.iterdir()) == ["prints_its_world.py", "raises.py"]
