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
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from tensorwhy.integrations import streams
from tensorwhy.integrations.cli.errors import BadInput, not_empty
from tensorwhy.integrations.cli.progress import Progress

if TYPE_CHECKING:
    from tensorwhy.experiments.repair import Changed, Experimenter, Files, Repair
    from tensorwhy.experiments.rerun import Launch, Ran
    from tensorwhy.model.report import Diagnosis, Report


@click.command(
    "fix",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    options_metavar="[OPTIONS] [-m]",
)
@click.option("-m", "module", is_flag=True, help="PROGRAM is a module, as for `python -m`.")
@click.option("--write", is_flag=True, help="Write the confirmed edits into the program's files.")
@click.option("--all", "notes_too", is_flag=True, help="Also repair what the program seems to intend (notes).")
@click.option("--select", "codes", multiple=True, metavar="CODE", help="Only this reason; may be given several times.")
@click.option(
    "--time-limit", type=click.FloatRange(min=1), default=120.0, show_default=True, metavar="SECONDS",
    help="How long each run may take; then the program is interrupted, and what was seen until then counts.",
)  # fmt: skip
@click.argument("program", callback=not_empty)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    module: bool,
    write: bool,
    notes_too: bool,
    codes: tuple[str, ...],
    time_limit: float,
    program: str,
    arguments: tuple[str, ...],
) -> int:
    """Propose edits for what PROGRAM loses, each checked by running a changed copy. Executes the program several times.

    Each run does what the program does: it writes its files and sends its requests again. Its output is not shown.
    """
    from tensorwhy.experiments.repair import Experimenter, Files, groups, with_verifications
    from tensorwhy.experiments.rerun import run

    launch = _launch(module, program, arguments, time_limit)
    wanted = _selected(codes)
    _after_interruption(launch.folder, write)
    _tell(f"running {program}, then a changed copy of it for each repair to try (at most {time_limit:g} s each)")
    stamps = _Stamps(launch.folder)
    progress = Progress(patience=0.0)
    with contextlib.closing(progress):
        progress(f"running {program}")
        before = run(launch)
    if before.refusal:
        raise BadInput(before.refusal)
    if before.report is None:
        raise BadInput(f"{program}: the run gave no report ({before.complaint or 'it was killed'})")
    asked_for = [each for each in before.report.diagnoses if not wanted or each.code in wanted]
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
    for words in left:
        _tell(words)
    edits = [edit for repair in good for edit in repair.edits]
    changed = files.changed(edits)
    root = base if _inside(launch.folder, base) else launch.folder
    if changed.after and write:  # first of all: who reads the diff may stop to read at any line
        _write(changed, launch.folder, stamps)
    _print(_diff(changed, root))
    if changed.after and write:
        _tell(f"wrote {', '.join(_shown(file, base) for file in changed.after)}")
    elif changed.after and root != base:
        _tell(f"the paths of the diff begin in the program's folder: apply it with `patch -p1 -d {shlex.quote(root)}`")
    _tell(_summary(chosen, good, experimenter.runs, before, write, bool(asked_for)))
    return 0 if len(good) == len(repairs) else 1


def _launch(module: bool, program: str, arguments: tuple[str, ...], limit: float) -> Launch:
    from tensorwhy.experiments.rerun import Launch
    from tensorwhy.integrations.cli import target as targets

    target = targets.module(program, arguments) if module else targets.script(program, arguments)
    here = os.getcwd()
    if not module and target.code is None:
        raise BadInput(f"{program}: `fix` repairs source files; give a .py file, or `-m` and a module")
    if not module and not target.file.endswith(".py"):
        raise BadInput(f"{program}: `fix` repairs Python source; give a .py file")
    return Launch(
        program=program if module else os.path.abspath(target.file),
        arguments=arguments,
        module=module,
        folder=here if module else os.path.dirname(os.path.abspath(target.file)),
        directory=here,
        limit=limit,
    )


def _selected(codes: Sequence[str]) -> frozenset[str]:
    from tensorwhy import reasons

    found = set()
    for code in codes:
        reason = reasons.find(code)
        if reason is None:
            raise BadInput(f"--select {code}: there is no such reason; `tensorwhy explain --list` shows all")
        found.add(reason.meta.code)
    return frozenset(found)


class _Stamps:
    """What the program's files held when they were analysed: nothing is written over what somebody edited meanwhile."""

    def __init__(self, folder: str) -> None:
        self._hashes: dict[str, str] = {}
        for place, folders, names in itertools.islice(os.walk(folder), _MOST_FOLDERS):
            folders[:] = [name for name in folders if not name.startswith(".") and name not in _NOT_SOURCES]
            for name in names:
                if name.endswith(".py") and len(self._hashes) < _MOST_FILES:
                    path = os.path.join(place, name)
                    self._hashes[path] = _hash(path)

    def unchanged(self, path: str) -> bool:
        return self._hashes.get(os.path.abspath(path)) == _hash(path)


_NOT_SOURCES = {"__pycache__", "node_modules", "site-packages", "dist-packages"}
_MOST_FILES, _MOST_FOLDERS = 5000, 2000


def _hash(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""


def _together(experimenter: Experimenter, files: Files, repairs: list[Repair]) -> tuple[list[Repair], list[str]]:
    """Those confirmed repairs that can be made at once: their sum is tried too. And words about the others."""
    from tensorwhy.fixes.patch import Conflict

    kept: list[Repair] = []
    left: list[str] = []
    for repair in repairs:
        edits = [edit for each in (*kept, repair) for edit in each.edits]
        try:
            files.changed(edits)
        except Conflict as error:
            left.append(f"{repair.fixes[0][0].code} is left for another run of `fix`: {error}")
            continue
        group = [diagnosis for each in (*kept, repair) for diagnosis in each.group]
        if kept and experimenter.check(group, edits).status != "confirmed":
            left.append(f"{repair.fixes[0][0].code} is left for another run of `fix`: not confirmed beside the others")
            continue
        kept.append(repair)
    return kept, left


def _write(changed: Changed, folder: str, stamps: _Stamps) -> None:
    """All of the files, or none."""
    from tensorwhy.fixes import writing

    for file in changed.after:
        if not stamps.unchanged(file):
            raise BadInput(f"{file} was changed since it was analysed: nothing was written; run `fix` again")
    contents = {
        os.path.realpath(file): (changed.before[file].encoded(), source.encoded())
        for file, source in changed.after.items()
    }
    try:
        writing.write(folder, contents)
    except writing.Unwritten as error:
        raise BadInput(f"{error}: nothing was written; run `fix` again") from None


def _after_interruption(folder: str, write: bool) -> None:
    """What a run that was killed while it wrote has left is put back first; only `--write` may do that."""
    from tensorwhy.fixes import writing

    if not writing.interrupted(folder):
        return
    if not write:
        raise BadInput("an earlier `fix --write` was interrupted while it wrote; the next `fix --write` puts that back")
    try:
        edited = writing.put_back(folder)
    except writing.Unwritten as error:
        raise BadInput(str(error)) from None
    _tell("put back what an earlier `fix --write` had begun to write when it was interrupted")
    for file in edited:
        _tell(f"{file} was edited since, and stays as it is")


def _diff(changed: Changed, root: str) -> str:
    """Whose paths begin in `root`: `patch -p1` and `git apply` take no absolute ones."""
    from tensorwhy.fixes.patch import unified

    return "".join(
        unified(
            changed.before[file].text,
            changed.after[file].text,
            Path(os.path.relpath(os.path.realpath(file), os.path.realpath(root))).as_posix(),
        )
        for file in changed.after
    )


def _print(diff: str) -> None:
    """Where only its beginning is read (`| head`), the exit code and the last words stay what they are."""
    try:
        click.echo(diff, nl=False)
    except BrokenPipeError:
        streams.let_go_of_output()


def _inside(folder: str, base: str) -> bool:
    return Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(base))


def _show_verdicts(report: Report, diagnoses: Sequence[Diagnosis]) -> None:
    """The explanations, with what the experiments said, on standard error; the diff alone goes to standard output."""
    from tensorwhy.integrations.cli.output import checked

    if diagnoses:
        checked("terminal", None).write(msgspec.structs.replace(report, diagnoses=tuple(diagnoses)))


def _summary(
    chosen: Sequence[Diagnosis], good: Sequence[Repair], runs: int, before: Ran, write: bool, notes: bool
) -> str:
    if not chosen:
        failed = f": the program ended with exit code {before.exit_code}, for a reason that is not explained"
        last = f" ({before.complaint})" if before.complaint else ""
        hint = " but what the program seems to intend (notes); `--all` tries that, too" if notes else ""
        return f"nothing to repair{hint}" + (failed + last if before.exit_code and not before.stopped else "")
    repaired = {diagnosis.id for repair in good for diagnosis in repair.group}
    hint = "; `--write` makes these changes" if good and not write else ""
    stopped = "; the program was interrupted at the time limit" if before.stopped else ""
    tried = f"{runs} re-run{'' if runs == 1 else 's'}"
    return f"{len(repaired)} of {len(chosen)} have a confirmed repair ({tried}){stopped}{hint}"


def _shown(file: str, base: str) -> str:
    path = os.path.relpath(file, base)
    return file if path.startswith(os.pardir) else path


def _tell(text: str) -> None:
    print(f"tensorwhy: {text}", file=sys.stderr, flush=True)
