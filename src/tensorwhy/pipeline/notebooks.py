"""What is different where a program is a notebook: cells have numbers in place of files, and no commands are typed."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import msgspec

from tensorwhy.model import views

if TYPE_CHECKING:
    from tensorwhy.model.report import Diagnosis, Report

_Given = ParamSpec("_Given")
_Told = TypeVar("_Told")
_ADVICE = re.compile(r"; `--[^`]+` [^;)]*| \(`--[^`]+` [^)]*\)")
"""A part of a sentence that tells of an option."""


def shell() -> Any:
    """The IPython shell of this process; None in any other program."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None


def readable(method: Callable[_Given, _Told]) -> Callable[_Given, _Told]:
    """Let what a function tells name cells as people see them (`In[3]`), and no option of a command."""

    @functools.wraps(method)
    def tells(*args: _Given.args, **kwargs: _Given.kwargs) -> _Told:
        value, at = method(*args, **kwargs), shell()
        name = getattr(at.compile, "format_code_name", None) if at is not None else None  # IPython 8 and later
        return _readable(value, name) if name is not None and isinstance(value, msgspec.Struct) else value

    return tells


def _readable(value: Any, name: Callable[[str], tuple[str, str] | None]) -> Any:
    from tensorwhy.model.report import Report

    if isinstance(value, Report):
        value = _without_commands(value)
    plain = msgspec.to_builtins(value)
    cells = {file: found[1] for file in _files(plain) if (found := name(file))}
    if not cells:
        return value
    views.cells.update({cell: file for file, cell in cells.items()})
    pattern = re.compile("|".join(map(re.escape, sorted(cells, key=len, reverse=True))))

    def renamed(item: Any) -> Any:
        if isinstance(item, str):
            return pattern.sub(lambda match: cells[match[0]], item)
        if isinstance(item, dict):
            return {renamed(key): renamed(each) for key, each in item.items()}
        return [renamed(each) for each in item] if isinstance(item, (list, tuple)) else item

    return msgspec.convert(renamed(plain), type(value))


def _files(item: Any) -> set[str]:
    """The files that places in it lie in."""
    if isinstance(item, dict):
        own = {item["file"]} if isinstance(item.get("file"), str) else set()
        return own.union(*map(_files, item.values()))
    return set().union(*map(_files, item)) if isinstance(item, (list, tuple)) else set()


def _without_commands(report: Report) -> Report:
    """A cell cannot be run by `fix`, and has no options."""
    coverage = report.coverage
    unobserved = tuple(_ADVICE.sub("", each) for each in coverage.unobserved)
    return msgspec.structs.replace(
        report,
        coverage=msgspec.structs.replace(coverage, unobserved=unobserved),
        diagnoses=tuple(map(_without_reruns, report.diagnoses)),
    )


def _without_reruns(diagnosis: Diagnosis) -> Diagnosis:
    fixes = tuple(
        msgspec.structs.replace(fix, verification=type(fix.verification)())
        if fix.verification.status == "unverified" and fix.verification.method == "none"
        else fix
        for fix in diagnosis.fixes
    )
    return msgspec.structs.replace(diagnosis, fixes=fixes)
