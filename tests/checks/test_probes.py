"""What the probes find in the programs beside this file: what is marked there, and nothing else.

Each file is about one probe; each function in it is one case. They are read, and never run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.marks import expected, unmet
from tensorwhy.checks import all_probes
from tensorwhy.pipeline.checking import check

_PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("name", sorted(path.stem for path in _PROGRAMS.glob("*.py")))
def test_what_is_marked_is_found_and_nothing_else(name: str):
    path = _PROGRAMS / f"{name}.py"
    report = check([str(path)], str(path))
    assert report.coverage.unobserved == ()
    assert unmet(expected(_PROGRAMS, [path]), report.diagnoses, _PROGRAMS) == (set(), [])


def test_each_probe_has_its_program():
    assert {probe.name for probe in all_probes()} <= {path.stem for path in _PROGRAMS.glob("*.py")}
