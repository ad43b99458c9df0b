"""How long `tensorwhy check` takes for 100,000 lines of Python, beside pylint and ruff on the same files.

    python benchmarks/checking.py [--lines 100000] [--rounds 10] [--peer-rounds 3] [--keep]

Two trees: `programs` are the programs of the tests, the catalogue and the examples, copied until there are so many
lines: nearly every file is about TensorFlow, and is looked at by most probes, which is the worst that can be. `library`
is the beginning of the installed Keras: few of its files have anything that a probe wants to see. One round runs every
tool once on each tree, in random order; pylint only in the first rounds. `control` is `check` a second time. Seconds of
CPU time of the process and its children, start-up included; the table has the wall time beside them. pylint runs with
its defaults, but without the search for duplicates: the trees hold copies, and that search grows with their square.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from keeping import keep, rows, setting, shown

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
CHECK = (PYTHON, "-m", "tensorwhy", "check", "--format", "concise", "--exit-zero")
TOOLS = {
    "check": CHECK,
    "control": CHECK,
    "ruff": (PYTHON, "-m", "ruff", "check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "concise"),
    "pylint": (PYTHON, "-m", "pylint", "--exit-zero", "--recursive=y", "--persistent=n", "--disable=duplicate-code"),
}
SLOW = "pylint"
Took = dict[str, list[tuple[float, float]]]
"""By tool, for each round, seconds of CPU time and of wall time."""


def programs() -> Iterator[tuple[Path, str]]:
    """Files, and what each is called in the tree; the same again under other names when they come to an end."""
    folders = ("tests/programs", "src/tensorwhy/reasons", "examples")
    found = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    for copy in itertools.count():
        for path in found:
            yield path, f"copy{copy}/{path.relative_to(ROOT)}"


def library() -> Iterator[tuple[Path, str]]:
    """The files of Keras, as often as `programs`."""
    spec = importlib.util.find_spec("keras")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    found = sorted(path for place in places for path in Path(place).rglob("*.py"))
    for copy in itertools.count() if found else ():
        for path in found:
            yield path, f"copy{copy}/{path.relative_to(places[0])}"


TREES = {"programs": programs, "library": library}


def planted(folder: Path, files: Iterator[tuple[Path, str]], wanted: int) -> tuple[int, int]:
    """Copies files until they have so many lines. How many files and lines there are."""
    count = lines = 0
    for source, name in files:
        if lines >= wanted:
            break
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        lines += len(source.read_bytes().splitlines())
        count += 1
    return count, lines


def took(command: tuple[str, ...], folder: Path) -> tuple[float, float]:
    """Seconds of CPU time and of wall time of one run on a folder."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [*command, str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd=folder
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def measured(folder: Path, tools: list[str], rounds: int, slow_rounds: int) -> Took:
    """What every tool took on one tree."""
    found: Took = {name: [] for name in tools}
    for number in range(max(rounds, slow_rounds)):
        now = [name for name in tools if number < (slow_rounds if name == SLOW else rounds)]
        random.shuffle(now)
        for name in now:
            found[name].append(took(TOOLS[name], folder))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--peer-rounds", type=int, default=3)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    tools = [name for name in TOOLS if name in ("check", "control") or importlib.util.find_spec(name) is not None]
    tools = [name for name in tools if name != SLOW or options.peer_rounds]
    table, raw = [], {}
    for tree, files in TREES.items():
        with tempfile.TemporaryDirectory() as name:
            count, lines = planted(Path(name), files(), options.lines)
            raw[tree] = measured(Path(name), tools, options.rounds, options.peer_rounds) if count else {}
        for tool, each in raw[tree].items():
            ratios = [one[0] / own[0] for one, own in zip(each, raw[tree]["check"], strict=False)]
            cpu, wall = ([pair[which] for pair in each] for which in (0, 1))
            table.append([f"{tree}: {lines:,} lines, {count:,} files", tool, shown(cpu), shown(wall), shown(ratios)])
    text = (
        f"`tensorwhy check` beside other tools. {setting()}, {options.rounds} rounds ({SLOW} {options.peer_rounds}); "
        "median (quartiles).\n\n"
        + rows(["tree", "tool", "CPU time, s", "wall time, s", "times the CPU time of `check`"], table)
        + "\n"
    )
    print(text)
    for name in TOOLS.keys() - set(tools):
        print(f"{name} is left out: it is not installed here, or no rounds of it were asked for")
    if options.keep:
        keep("checking", text, raw)


if __name__ == "__main__":
    main()
