"""Ways to start a program that trains, and all that it may do besides; `training.py` is the framework's part."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

from cli.test_fidelity import PROGRAMS, both
from support.streams import scrubbed

BESIDES = (
    "forks_children",
    "ends_its_children",
    "reloads_a_module",
    "profiles_itself",
    "measures_its_coverage",
    "is_stepped_through",
    "handles_termination",
    "exits_from_its_excepthook",
    "fails_at_exit",
    "sets_the_clock_back",
    "recurses_to_the_limit",
    "limits_its_memory",
)
"""Programs that do one thing each. The last ones change what those after them would find."""
IN_TURN = f"""
import os, runpy
from training import train

parent = os.getpid()
for name in {BESIDES}:
    print(name, flush=True)
    try:
        runpy.run_path(f"{{name}}.py", run_name="__main__")
    except BaseException as error:
        if os.getpid() != parent:
            raise
        print(type(error).__name__, error, flush=True)
    if name not in {BESIDES[-2:]}:
        print(train(), flush=True)
raise ValueError("at the end")
"""
PLAIN = """
import os, sys
from training import train

print(__name__, os.path.basename(__file__), sys.argv[1:], os.access(".", os.W_OK), train())
raise ValueError("at the end")
"""
TESTS = """
from training import train

def test_trains():
    assert train() > 0

def test_fails():
    assert train() < 0
"""
SHELL = "-m", "IPython", "--no-banner", "--colors=NoColor", "--HistoryManager.enabled=False"
PYTEST = "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "1", "test_it.py"
CHANCE = re.compile(r" in [0-9.]+s( \([0-9:]+\))?|\[gw[0-9]\]|[0-9.]+s (call|setup|teardown)")


def compare(kind: str, training: str, tmp_path: Path) -> None:
    """Start the program in this way under plain python and under the tool: all that it does must be the same."""
    folder = tmp_path / "program"
    shutil.copytree(PROGRAMS, folder)
    (folder / "training.py").write_text(training, encoding="utf-8")
    program: tuple[str, ...] = ("program.py", "argument")
    if kind == "ipython":
        program = (*SHELL, f"--ipython-dir={tmp_path}", "-c", "from training import train; print(train()); 1 / 0")
    elif kind == "xdist":
        (folder / "test_it.py").write_text(TESTS)
        program = PYTEST
    elif kind == "besides":
        (folder / "program.py").write_text(IN_TURN)
    else:  # a link to a zip file, in a folder that nobody may write to
        with zipfile.ZipFile(tmp_path / "app.pyz", "w") as archive:
            archive.writestr("__main__.py", PLAIN)
            archive.write(folder / "training.py", "training.py")
        (folder / "link.pyz").symlink_to(tmp_path / "app.pyz")
        folder.chmod(0o555)
        program = ("link.pyz", "argument")
    before = files(folder)
    plain, explained = both(tmp_path, *program, cwd=folder)
    folder.chmod(0o755)
    assert (plain.returncode and b"Traceback" in plain.stdout + plain.stderr) or kind in ("besides", "xdist"), plain
    for done in (plain, explained):  # TensorFlow's log has the time in it
        done.stdout, done.stderr = (scrubbed(CHANCE.sub("", each.decode())) for each in (done.stdout, done.stderr))
    assert (explained.stdout, explained.stderr) == (plain.stdout, plain.stderr)
    assert explained.returncode == plain.returncode
    assert files(folder) == before


def files(folder: Path) -> list[Path]:
    """All but what Python caches."""
    return sorted(each for each in folder.rglob("*") if "__pycache__" not in each.parts)


KINDS = ("besides", "ipython", "xdist", "linked zip")
