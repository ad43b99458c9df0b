"""What the program pays for being started by the tool, where that can be counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.runner import environment

CALLS_AT_MANY_DEPTHS = """
import resource

def leaf():  # its frame is larger than one of `faults`: at some depth, the end of a chunk of memory falls into it
    a = b = c = d = e = f = g = h = i = j = k = l = m = n = o = p = q = r = s = t = u = v = w = x = y = z = 0

def faults(depth):
    if depth:
        return faults(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(1000):
        leaf()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print(max(map(faults, range(500))))
"""


def printed(program: str, tmp_path: Path) -> list[str]:
    file = tmp_path / "program.py"
    file.write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", "run", str(file)],
        env=environment(), stdout=subprocess.PIPE, text=True, timeout=180, check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_no_depth_of_the_stack_is_one_where_each_call_gets_new_memory(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    assert int(printed(CALLS_AT_MANY_DEPTHS, tmp_path)[0]) < 1000
