"""What the text of a file alone says: nothing is run, no framework is needed.

A probe is a module in `probes/` with `READS`, words one of which a file must hold to be of interest, and `find`, which
yields groups of the same facts that a run yields; the rules of the catalogue explain both alike. Probes say only what
must happen when a line runs; where the text leaves it open, they are silent.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tensorwhy.checks import probes
from tensorwhy.checks.text import notebooks
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.recording.sources import Sources


class Unreadable(Exception):
    """A file that Python could not read either; says why."""


class Probe(NamedTuple):
    """One probe as found in its module."""

    name: str
    reads: tuple[bytes, ...]
    find: Callable[[Module], Iterator[CaseGroup]]


@functools.lru_cache(maxsize=1)
def all_probes() -> tuple[Probe, ...]:
    """Every module of `probes/`, by name."""
    found = []
    for each in sorted(pkgutil.iter_modules(probes.__path__), key=lambda module: module.name):
        module = importlib.import_module(f"{probes.__name__}.{each.name}")
        found.append(Probe(each.name, tuple(word.encode() for word in module.READS), module.find))
    return tuple(found)


def groups(file: str, data: bytes, sources: Sources, lost: Callable[[str], None]) -> list[CaseGroup]:
    """What all probes find in one file. A probe that fails is told to `lost`, the others go on. Raises Unreadable."""
    asked = [probe for probe in all_probes() if any(word in data for word in probe.reads)]
    if not asked:
        return []
    module = _module(file, data, sources)
    found: list[CaseGroup] = []
    for probe in asked:
        try:
            found += probe.find(module)
        except Exception as error:  # a probe's own fault costs its answer, never the others'
            lost(f"{file}: the check {probe.name} failed ({type(error).__name__}: {error})")
    module.close()
    return found


def _module(file: str, data: bytes, sources: Sources) -> Module:
    try:
        if file.endswith(".ipynb"):
            notebook = notebooks.read(data)
            return Module(file, ast.parse(notebook.text), sources, notebook.text.encode(), notebook)
        return Module(file, ast.parse(data), sources, data)
    except SyntaxError as error:
        raise Unreadable(f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error) or type(error).__name__) from None
