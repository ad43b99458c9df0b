"""From source files to a report: the same rules and renderers as for a run, with what the text alone says."""

from __future__ import annotations

import contextlib
import platform
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.location import cell_of
from tensorwhy.model.report import Certainty, Coverage, Diagnosis, Environment, Program, Report, Unread
from tensorwhy.pipeline.budget import Spent, limited
from tensorwhy.pipeline.internal_errors import InternalErrors
from tensorwhy.recording import regular_files
from tensorwhy.recording.importing import uncollected
from tensorwhy.source.files import Sources

if TYPE_CHECKING:
    from tensorwhy.pipeline.explaining import Explained

_SECONDS = 1.5
"""Of the processor, for looking at one file, and for explaining what is in it: a usual one takes milliseconds."""
_MANY = 100
"""More findings of one file are explained one by one, for as long as there is time."""


@uncollected()  # the trees of a file are let go of when it has been read
def check(
    files: Iterable[str],
    path: str,
    argv: Sequence[str] = (),
    named: Collection[str] = (),
    read: Callable[[str], bytes] = regular_files.read,
) -> Report:
    """Look at these files. What could not be read is told in the report's coverage.

    Those that were `named` are parsed whatever they hold. `read` gives the bytes of a file.
    """
    from tensorwhy import __version__

    errors, sources = InternalErrors(), Sources()
    diagnoses: list[Diagnosis] = []
    excerpts: dict[str, dict[int, str]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of strange escapes, and others that concern the programs alone
        by_file, unread = _read(files, named, read, sources, errors)
        for file, found in by_file.items():
            if not found:
                continue
            told, shown = _explained(file, found, errors, sources)
            diagnoses += _renamed(told, len(diagnoses))
            excerpts |= shown
    return Report(
        tool_version=__version__,
        program=Program(path=_written(path), argv=tuple(map(_written, argv))),
        environment=Environment(python=platform.python_version()),
        diagnoses=tuple(_read_only(each) for each in sorted(diagnoses, key=_place) if not _silenced(each, sources)),
        coverage=Coverage(files_read=len(by_file), unobserved=errors.lines(), unread=unread),
        excerpts=excerpts,
    )


def _read(
    files: Iterable[str], named: Collection[str], read: Callable[[str], bytes], sources: Sources, errors: InternalErrors
) -> tuple[dict[str, list[CaseGroup]], tuple[Unread, ...]]:
    """What is found in each file that could be read, and the files that could not."""
    from tensorwhy.checks import Foreign, Unreadable, all_probes, groups

    all_probes()  # what is imported once is not the time of the first file
    by_file: dict[str, list[CaseGroup]] = {}
    unread: list[Unread] = []
    for file in files:
        written = _written(file)
        try:
            if written != file:
                raise Unreadable("its name is not valid text, so no report could name it")
            data = read(file)
            found: list[CaseGroup] = []
            try:
                with limited(_SECONDS):
                    for each in groups(file, data, sources, lambda words: errors.add([words]), file in named):
                        found.append(each)
            except Spent:
                errors.add([f"{file}: some checks were skipped: they take more than {_SECONDS:g} s"])
            by_file[file] = found
        except OSError as error:
            unread.append(Unread(file=written, reason=error.strerror or str(error)))
        except Unreadable as error:
            unread.append(Unread(file=written, reason=str(error), line=error.line))
        except Foreign as error:
            errors.add([f"{file} was not read: {error}"])
    return by_file, tuple(unread)


def _explained(file: str, found: list[CaseGroup], errors: InternalErrors, sources: Sources) -> Explained:
    """All that is found in a file, or as much of it as there is time for."""
    from tensorwhy.pipeline.explaining import explained
    from tensorwhy.reasons import catalogue

    catalogue()  # nor this
    edits = len(found) > _MANY
    if not edits:
        with contextlib.suppress(Spent), limited(_SECONDS):
            return explained(found, errors, sources)
    done = 0
    diagnoses: list[Diagnosis] = []
    excerpts: dict[str, dict[int, str]] = {}
    with contextlib.suppress(Spent), limited(_SECONDS):
        for each in found:
            told, shown = explained([each], errors, sources, edits=edits)
            diagnoses += _renamed(told, len(diagnoses))
            excerpts |= shown
            done += 1
    if done < len(found):
        left = f"{len(found) - done:,} of {len(found):,} findings were skipped"
        errors.add([f"{file}: {left}: explaining them takes too long"])
    elif not edits:
        errors.add([f"{file}: no fixes were written: that takes too long"])
    return tuple(diagnoses), excerpts


def _renamed(diagnoses: Sequence[Diagnosis], before: int) -> list[Diagnosis]:
    """With ids that go on behind so many others."""
    ids = {each.id: f"d{number}" for number, each in enumerate(diagnoses, start=before + 1)}
    return [
        msgspec.structs.replace(
            each, id=ids[each.id], together_with=tuple(ids[other] for other in each.together_with if other in ids)
        )
        for each in diagnoses
    ]


def _written(name: str) -> str:
    """The name of a file as it can be written: systems have names that are no text."""
    return name.encode(errors="backslashreplace").decode()


def _place(diagnosis: Diagnosis) -> tuple[str, int, int]:
    """As linters sort: what is near each other is read together."""
    return ("", 0, 0) if diagnosis.primary is None else diagnosis.primary.order


def _read_only(diagnosis: Diagnosis) -> Diagnosis:
    """Nothing was run, so nothing is proved, and nobody has seen anything yet. Cells of notebooks are not edited."""
    certainty: Certainty = "likely" if diagnosis.certainty == "proved" else diagnosis.certainty
    symptom = msgspec.structs.replace(diagnosis.symptom, kind="silent")
    fixes = tuple(
        msgspec.structs.replace(fix, edits=()) if any(cell_of(edit.file)[1] for edit in fix.edits) else fix
        for fix in diagnosis.fixes
    )
    return msgspec.structs.replace(diagnosis, certainty=certainty, symptom=symptom, fixes=fixes)


_SILENCE = re.compile(r"#\s*noqa(?P<codes>\s*:\s*[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)?(?![\w:])", re.IGNORECASE)


def _silenced(diagnosis: Diagnosis, sources: Sources) -> bool:
    """Return whether the line says so, as for other linters: `# noqa`, or `# noqa: TW120`."""
    at = diagnosis.primary
    found = _SILENCE.search(sources.line(at.file, at.line)) if at is not None else None
    return found is not None and (found["codes"] is None or diagnosis.code in found["codes"].upper())
