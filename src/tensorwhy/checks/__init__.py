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
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.source import notebooks
from tensorwhy.source.files import Sources, encoding_of


class Unreadable(Exception):
    """A file that Python could not read either; says why, and in which line."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


class Foreign(Exception):
    """A notebook of another language, which nobody asked to be read as Python."""


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


_LARGEST = 1 << 20
"""Bytes of a script. Its syntax tree takes hundreds of times as many."""
_FRAMEWORKS = (b"tensorflow", b"keras")


def groups(
    file: str, data: bytes, sources: Sources, lost: Callable[[str], None], named: bool = False
) -> Iterator[CaseGroup]:
    """What all probes find in one file. A probe that fails is told to `lost`, the others go on.

    A file that was `named`, or that uses a framework, is parsed in any case. Raises Unreadable, or Foreign.
    """
    asked = [probe for probe in all_probes() if any(word in data for word in probe.reads)]
    if not asked and not named and not any(word in data for word in _FRAMEWORKS):
        _decoded(file, data)
        return
    module = _module(file, data, sources, named)
    try:
        for words in module.notebook.unread if module.notebook is not None else ():
            lost(f"{file}: a cell was not read ({words})")
        for probe in asked:
            try:
                yield from probe.find(module)
            except RecursionError:
                lost(f"{file}: the check {probe.name} was not finished: the code is nested too deeply")
            except Exception as error:  # a probe's own fault costs its answer, never the others'
                lost(f"{file}: the check {probe.name} failed ({type(error).__name__}: {error})")
    finally:
        module.close()


def _decoded(file: str, data: bytes) -> None:
    """Find out whether a script that is not parsed is text at all, which costs little. Raises Unreadable."""
    if file.endswith(".ipynb"):
        return
    try:
        data.decode(encoding_of(data))
    except (SyntaxError, UnicodeDecodeError) as error:
        raise Unreadable(str(error)) from None
    if b"\0" in data:
        raise Unreadable("it contains null bytes")


def _parsed(text: bytes) -> ast.Module:
    if len(text) > _LARGEST:
        raise Unreadable(f"larger than {_LARGEST >> 20} MB")
    return ast.parse(text)


def _module(file: str, data: bytes, sources: Sources, named: bool) -> Module:
    try:
        if file.endswith(".ipynb"):
            notebook = notebooks.read(data)
            data = notebook.text.encode()
            return Module(file, _parsed(data), sources, data, notebook)
        return Module(file, _parsed(data), sources, data)
    except SyntaxError as error:
        raise Unreadable(str(error.msg), error.lineno or None) from None
    except notebooks.NoPython as error:
        raise (Unreadable if named else Foreign)(str(error)) from None
    except ValueError as error:
        raise Unreadable(str(error)) from None
    except (RecursionError, MemoryError):  # Python's parser gives up with either
        raise Unreadable("its code is nested too deeply for Python to parse, so nothing in it was checked") from None
