"""From source files to a report: the same rules and renderers as for a run, with what the text alone says."""

from __future__ import annotations

import platform
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.location import cell_of
from tensorwhy.model.report import Certainty, Coverage, Diagnosis, Environment, Program, Report, Unread
from tensorwhy.pipeline.losses import Losses
from tensorwhy.recording import regular_files
from tensorwhy.recording.importing import uncollected
from tensorwhy.recording.sources import Sources


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
    from tensorwhy.pipeline.explaining import explained

    losses, sources = Losses(), Sources()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of strange escapes, and others that concern the programs alone
        found, count, unread = _read(files, named, read, sources, losses)
        diagnoses, excerpts = explained(found, losses, sources)
    return Report(
        tool_version=__version__,
        program=Program(path=_written(path), argv=tuple(map(_written, argv))),
        environment=Environment(python=platform.python_version()),
        diagnoses=tuple(_read_only(each) for each in sorted(diagnoses, key=_place) if not _silenced(each, sources)),
        coverage=Coverage(files_read=count, unobserved=losses.lines(), unread=unread),
        excerpts=excerpts,
    )


def _read(
    files: Iterable[str], named: Collection[str], read: Callable[[str], bytes], sources: Sources, losses: Losses
) -> tuple[list[CaseGroup], int, tuple[Unread, ...]]:
    """What is found in the files, how many of them could be read, and those that could not."""
    from tensorwhy.checks import Foreign, Unreadable, groups

    found: list[CaseGroup] = []
    unread: list[Unread] = []
    count = 0
    for file in files:
        written = _written(file)
        try:
            if written != file:
                raise Unreadable("its name is no text, and no report could name it")
            found += groups(file, read(file), sources, lambda words: losses.add([words]), file in named)
            count += 1
        except OSError as error:
            unread.append(Unread(file=written, reason=error.strerror or str(error)))
        except Unreadable as error:
            unread.append(Unread(file=written, reason=str(error), line=error.line))
        except Foreign as error:
            losses.add([f"{file} was not read: {error}"])
    return found, count, tuple(unread)


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
    """Whether the line says so, as for other linters: `# noqa`, or `# noqa: TW120`."""
    at = diagnosis.primary
    found = _SILENCE.search(sources.line(at.file, at.line)) if at is not None else None
    return found is not None and (found["codes"] is None or diagnosis.code in found["codes"].upper())
