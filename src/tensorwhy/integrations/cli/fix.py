"""`tensorwhy fix`: edits that were tried on a copy of the program before they are shown or written.

Exit code: 0 when nothing was found or everything found has a confirmed repair, 1 when something has none, 2 for bad
input.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from tensorwhy.integrations.cli import edits, selection
from tensorwhy.integrations.cli.ending import in_order
from tensorwhy.integrations.cli.errors import BadInput, not_empty
from tensorwhy.integrations.cli.output import complain
from tensorwhy.integrations.cli.progress import long_work
from tensorwhy.integrations.cli.trees import walked
from tensorwhy.recording import regular_files

if TYPE_CHECKING:
    from tensorwhy.experiments.repair import Experimenter, Files, Repair
    from tensorwhy.experiments.rerun import Launch, Ran
    from tensorwhy.model.report import Diagnosis, Report


@click.command(
    "fix",
    short_help="Propose fixes, each tested on a changed copy.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    options_metavar="[OPTIONS] [-m]",
)
@click.option("-m", "module", is_flag=True, help="Run PROGRAM as a module, as `python -m` does.")
@click.option("--write", is_flag=True, help="Write the confirmed edits into the program's files.")
@click.option("--all", "notes_too", is_flag=True, help="Also fix notes, which the program seems to intend.")
@selection.options
@click.option(
    "--time-limit", type=click.FloatRange(min=1), default=120.0, show_default=True, metavar="SECONDS",
    help="Interrupt each run after this time and use what was observed until then.",
)  # fmt: skip
@click.option("--proposal", type=click.Path(), hidden=True, help="Save the confirmed change to this file (JSON).")
@click.argument("program", callback=not_empty)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@in_order
def command(
    module: bool,
    write: bool,
    notes_too: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    time_limit: float,
    proposal: str | None,
    program: str,
    arguments: tuple[str, ...],
) -> int:
    """Propose fixes for lost gradients in PROGRAM, each tested on a changed copy. Runs the program several times.

    Each run repeats what the program does, such as writing files and sending requests. Its output is not shown.
    """
    from tensorwhy.experiments.repair import Experimenter, Files, groups, with_verifications
    from tensorwhy.experiments.rerun import run

    launch = _launch(module, program, arguments, time_limit)
    wanted = selection.selection(select, ignore)
    edits.after_interruption(launch.folder, write, "fix --write", complain)
    complain(f"running {program}, then a changed copy of it for each fix to try (at most {time_limit:g} s each)")
    versions = _Versions(launch.folder)
    progress = long_work()
    with contextlib.closing(progress):
        progress(f"running {program}")
        before = run(launch)
    if before.refusal:
        raise BadInput(before.refusal)
    if before.report is None:
        raise BadInput(f"{program}: the run produced no report ({before.complaint or 'it was killed'})")
    asked_for = [each for each in before.report.diagnoses if wanted.wants(each.code)]
    chosen = [each for each in asked_for if notes_too or each.severity != "note"]
    files = Files(launch.folder)
    experimenter = Experimenter(launch, before, files, tell=progress)
    with contextlib.closing(progress):
        repairs = experimenter.together([experimenter.repair(group) for group in groups(chosen)])
    base = os.getcwd()
    checked = with_verifications(before.report.diagnoses, repairs)
    _show_verdicts(before.report, [each for each in checked if any(each.id == one.id for one in chosen)])
    with contextlib.closing(progress):
        good, left = _together(experimenter, files, [repair for repair in repairs if repair.confirmed])
    for words in (*left, *_without_edit(repairs, base)):
        complain(words)
    changed = files.changed([edit for repair in good for edit in repair.edits])
    root = base if edits.inside(launch.folder, base) else launch.folder
    if changed.after and write:  # first of all: who reads the diff may stop to read at any line
        edits.write(changed, launch.folder, versions.unchanged, "fix")
    if changed.after and proposal is not None:
        Path(proposal).write_bytes(edits.saved(changed, launch.folder))
    edits.show(changed, root)
    if changed.after and write:
        complain(f"wrote {', '.join(edits.shown(file, base) for file in changed.after)}")
    elif changed.after and root != base:
        complain(
            f"the paths in the diff are relative to the program's folder; apply it with `patch -p1 -d "
            f"{shlex.quote(root)}`"
        )
    complain(_summary(chosen, good, experimenter.runs, before, write or proposal is not None, bool(asked_for)))
    return 0 if len(good) == len(repairs) else 1


def _launch(module: bool, program: str, arguments: tuple[str, ...], limit: float) -> Launch:
    from tensorwhy.experiments.rerun import Launch
    from tensorwhy.integrations.cli import target as targets

    target = targets.module(program, arguments) if module else targets.script(program, arguments)
    here = os.getcwd()
    if not module and target.code is None:
        raise BadInput(f"{program}: `fix` changes source files; pass a .py file, or `-m` and a module")
    if not module and not (target.file.endswith(".py") and os.path.isfile(target.file)):
        raise BadInput(f"{program}: `fix` changes Python source; pass a .py file")
    return Launch(
        program=program if module else os.path.abspath(target.file),
        arguments=arguments,
        module=module,
        folder=here if module else os.path.dirname(os.path.abspath(target.file)),
        directory=here,
        limit=limit,
    )


class _Versions:
    """What the program's files held when they were analysed: nothing is written over what somebody edited meanwhile."""

    def __init__(self, folder: str) -> None:
        self._hashes: dict[str, str] = {}
        for found in itertools.islice(walked(folder, _foreign), _MOST_FOLDERS):
            for each in found:
                if each.name.endswith(".py") and len(self._hashes) < _MOST_FILES:
                    self._hashes[each.path] = _hash(each.path)

    def unchanged(self, path: str) -> bool:
        return self._hashes.get(os.path.abspath(path)) == _hash(path)


_NOT_SOURCES = {"__pycache__", "node_modules", "site-packages", "dist-packages"}
_MOST_FILES, _MOST_FOLDERS = 5000, 2000


def _foreign(folder: os.DirEntry[str]) -> bool:
    return folder.name.startswith(".") or folder.name in _NOT_SOURCES


def _hash(path: str) -> str:
    try:
        return hashlib.sha256(regular_files.read(path)).hexdigest()
    except OSError:
        return ""


def _together(experimenter: Experimenter, files: Files, repairs: list[Repair]) -> tuple[list[Repair], list[str]]:
    """Those confirmed repairs that can be made at once: their sum is tried too. And words about the others."""
    from tensorwhy.fixes.patch import Conflict

    kept: list[Repair] = []
    left: list[str] = []
    for repair in repairs:
        changes = [edit for each in (*kept, repair) for edit in each.edits]
        try:
            files.changed(changes)
        except Conflict as error:
            left.append(f"{repair.fixes[0][0].code} is left for another run of `fix`: {error}")
            continue
        group = [diagnosis for each in (*kept, repair) for diagnosis in each.group]
        if kept and experimenter.check(group, changes).status != "confirmed":
            left.append(
                f"{repair.fixes[0][0].code} is left for another run of `fix`: not confirmed together with the others"
            )
            continue
        kept.append(repair)
    return kept, left


def _without_edit(repairs: Sequence[Repair], base: str) -> Iterator[str]:
    """Why nothing is changed for a finding, whatever the reason is."""
    for repair in repairs:
        for diagnosis in repair.group:
            at = diagnosis.primary
            where = "" if at is None else f" ({edits.shown(at.file, base)}:{at.line})"
            if repair.confirmed and (not repair.fixes or any(one.id == diagnosis.id for one, _ in repair.fixes)):
                continue
            yield f"no edit for {diagnosis.code} {diagnosis.slug}{where}: {_why_not(diagnosis, repair)}"


def _why_not(diagnosis: Diagnosis, repair: Repair) -> str:
    tried = [fix for one, fix in repair.fixes if one.id == diagnosis.id]
    if repair.confirmed:
        return "the edits for related findings are enough"
    if tried:
        status = (
            "an edit was tried, but the problem remained"
            if repair.verification.status == "refuted"
            else ("an edit was tried, but it is not known whether it helps")
        )
        return f"{status} ({repair.verification.evidence})" if repair.verification.evidence else status
    if any(fix.edits for fix in diagnosis.fixes):
        return "its edit was not reached"
    if diagnosis.fixes:
        return "there is no automatic edit for its fix: the change depends on the intent, or affects several places"
    return "no fix is known"


def _show_verdicts(report: Report, diagnoses: Sequence[Diagnosis]) -> None:
    """The explanations, with what the experiments said, on standard error; the diff alone goes to standard output."""
    from tensorwhy.integrations.cli.output import checked

    if diagnoses:
        checked("terminal", None).write(msgspec.structs.replace(report, diagnoses=tuple(diagnoses)))


def _summary(
    chosen: Sequence[Diagnosis], good: Sequence[Repair], runs: int, before: Ran, write: bool, notes: bool
) -> str:
    if not chosen:
        failed = f": the program ended with exit code {before.exit_code}, and the cause is not explained"
        last = f" ({before.complaint})" if before.complaint else ""
        hint = " except notes, which the program seems to intend; `--all` tries those too" if notes else ""
        return f"nothing to fix{hint}" + (failed + last if before.exit_code and not before.stopped else "")
    repaired = {diagnosis.id for repair in good for diagnosis in repair.group}
    hint = "; `--write` applies these changes" if good and not write else ""
    stopped = "; the program was interrupted at the time limit" if before.stopped else ""
    tried = f"{runs} re-run{'' if runs == 1 else 's'}"
    return f"{len(repaired)} of {len(chosen)} have a confirmed fix ({tried}){stopped}{hint}"
