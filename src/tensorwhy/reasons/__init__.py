"""The catalogue: one folder per reason.

Discovery walks this package, so a new folder is all that a new reason needs. CONTRIBUTING.md says what a folder holds.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, Propose, Reason
from tensorwhy.model.report import Fix


@functools.cache
def catalogue() -> tuple[Reason, ...]:
    """All reasons, ordered by code. Raises ValueError when two folders claim one code or slug."""
    found: dict[str, Reason] = {}
    for folder in sorted(Path(__path__[0]).glob("tw*")):
        if (folder / "rule.py").exists():
            reason = _load(folder.name)
            for other in found.values():
                if reason.meta.slug == other.meta.slug or reason.meta.code == other.meta.code:
                    raise ValueError(f"two reasons share a code or slug: {other.folder.name} and {reason.folder.name}")
            found[reason.meta.code] = reason
    return tuple(found[code] for code in sorted(found))


def _load(name: str) -> Reason:
    rule = importlib.import_module(f"{__name__}.{name}.rule")
    fix = f"{__name__}.{name}.fix"
    propose = _sound(fix) if importlib.util.find_spec(fix) else None
    return Reason(rule.META, getattr(rule, "match", _nowhere), propose, Path(__path__[0], name))


def _nowhere(case: Case) -> Evidence | None:
    """The rule of a reason that adapters alone name: `diagnosis/told.py` says where it holds."""
    return None


def _sound(module: str) -> Propose:
    """The fixes that a module proposes, without edits where a file would be no program any more.

    It is imported for the first of them: most runs need the edits of one reason, and not of a hundred.
    """

    def proposed(case: Case, evidence: Evidence) -> Iterator[Fix]:
        from tensorwhy.fixes.sound import sound

        for fix in importlib.import_module(module).propose(case, evidence):
            yield fix if sound(fix.edits, case.sources) else msgspec.structs.replace(fix, edits=())

    return proposed


def find(code_or_slug: str) -> Reason | None:
    """The reason with this code (`TW102`, any case) or slug (`computed-outside-tape`); None when there is none."""
    wanted = code_or_slug.lower()
    for reason in catalogue():
        if wanted in (reason.meta.code.lower(), reason.meta.slug):
            return reason
    return None
