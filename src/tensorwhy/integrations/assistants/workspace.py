"""What the tools of an assistant do: they call the command line, inside of one folder, with bounds.

Only `apply` writes to the user's files: what a proposal before it has shown, and only where they did not change since.
"""

from __future__ import annotations

import itertools
import os
import re
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import anyio
import msgspec

from tensorwhy.fixes import writing
from tensorwhy.integrations.assistants import jobs
from tensorwhy.integrations.cli.edits import Proposal
from tensorwhy.integrations.cli.errors import BadInput
from tensorwhy.model.plain_text import encodable, plain

MOST = 24_000
"""Characters of one answer, some ten pages."""
_OUTPUT = 4_000
"""Bytes of what the program itself printed."""
_PROPOSALS = 20
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_ERROR = "tensorwhy: error: "
_SOME_UNREAD = 2
"""The exit code of `check` for bad input, and for a file that could not be read beside others."""

Tell = Callable[[float], Awaitable[None]]


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What to run: a file in the workspace, or with `module` a module that is found from there."""

    name: str
    arguments: tuple[str, ...] = ()
    module: bool = False


class Workspace:
    """One folder, the Python that has the user's TensorFlow, and the time that one call may take.

    `tool` is the file that this Python runs as tensorwhy. Bad input of any kind raises BadInput.
    """

    def __init__(self, root: str, python: str, tool: str, limit: float) -> None:
        self._root = os.path.realpath(root)
        self._command = [python, tool]
        self._limit = limit
        self._proposals: dict[str, Proposal] = {}
        self._numbers = itertools.count(1)
        self._alone = anyio.Lock()

    async def run(self, program: Program, limit: float | None, tell: Tell, ask: str = "") -> str:
        """Run a program, and tell what was lost in it, or what is asked of it."""
        with tempfile.TemporaryDirectory(prefix="tensorwhy-") as folder:
            answer = Path(folder, "answer.txt")
            options = ["run", "--output", str(answer), *(["--ask", ask] if ask else [])]
            done = await self._job([*options, *self._words(program)], limit, tell)
            explanation = answer.read_text(encoding="utf-8", errors="replace") if answer.exists() else ""
        if not explanation:
            raise BadInput(
                _refusal(done) or f"the program produced no explanation: {_ending(done)}\n{plain(done.errors[-2000:])}"
            )
        printed = "\n".join(part.strip("\n") for part in (done.output, done.errors) if part.strip())
        parts = [_ending(done), explanation.strip("\n")]
        if printed:
            parts.append(f"The program printed:\n{printed}")
        return bounded("\n\n".join(parts))

    async def check(self, paths: Sequence[str], tell: Tell) -> str:
        """Read sources and notebooks, and tell what is certain to be lost."""
        files = [self._inside(path) for path in paths or ["."]]
        done = await self._job(["check", "--exit-zero", "--", *files], None, tell, most=MOST)
        told = done.exit_code == _SOME_UNREAD and done.output.strip()
        if done.exit_code and not told:
            raise BadInput(_refusal(done) or f"nothing was read: {_ending(done)}\n{plain(done.errors[-2000:])}")
        return bounded(done.output.strip("\n") + (f"\n{done.errors}" if done.errors.strip() else ""))

    async def propose(self, program: Program, codes: Sequence[str], limit: float | None, tell: Tell) -> str:
        """Try repairs in a copy of the program. Tell what is confirmed, and keep it for `apply`; write nothing."""
        each = min(limit or self._limit, self._limit)
        with tempfile.TemporaryDirectory(prefix="tensorwhy-") as folder:
            proposal = Path(folder, "proposal.json")
            options = ["fix", "--time-limit", f"{max(each / 4, 1):g}", "--proposal", str(proposal)]
            selection = [word for code in codes for word in ("--select", code)]
            done = await self._job([*options, *selection, *self._words(program)], each, tell, most=MOST)
            found = proposal.read_bytes() if proposal.exists() else b""
        verdict = bounded(done.errors.strip("\n"))
        if done.stopped:
            return f"{_ending(done)}: no fix was proposed\n\n{verdict}"
        if done.exit_code not in (0, 1) or _refusal(done):
            raise BadInput(_refusal(done) or f"nothing was tested: {_ending(done)}\n{plain(done.errors[-2000:])}")
        if not found:
            return f"No confirmed fix; nothing was written.\n\n{verdict}"
        name = str(next(self._numbers))
        self._proposals[name] = msgspec.json.decode(found, type=Proposal)
        while len(self._proposals) > _PROPOSALS:
            del self._proposals[next(iter(self._proposals))]
        last = f'Nothing was written. `apply_fix` with proposal "{name}" writes this change.'
        return f"{verdict}\n\n{bounded(done.output.strip())}\n\n{last}"

    def apply(self, name: str) -> str:
        """Write a proposal: all of its files, or none where one was changed since."""
        proposed = self._proposals.get(name)
        if proposed is None:
            known = ", ".join(self._proposals)
            ask = f"known: {known}" if known else "none yet: call `propose_fix` first"
            raise BadInput(f"there is no proposal {name!r} ({ask})")
        for file in proposed.files:
            self._inside(file)
        try:
            writing.write(proposed.folder, proposed.files)
        except writing.Unwritten as error:
            raise BadInput(f"{error}: nothing was written; call `propose_fix` again") from None
        del self._proposals[name]
        return "Wrote " + ", ".join(os.path.relpath(file, self._root) for file in proposed.files)

    def explain(self, reason: str) -> str:
        """The page of one reason, or the list of all."""
        from tensorwhy import reasons
        from tensorwhy.integrations.cli.explain import wanted

        if not reason:
            return "\n".join(f"{each.meta.code} {each.meta.slug}: {each.meta.summary}" for each in reasons.catalogue())
        return bounded(wanted(reason).page())

    async def _job(self, words: Sequence[str], limit: float | None, tell: Tell, most: int = _OUTPUT) -> jobs.Done:
        """One at a time: two trainings at once would answer neither in time."""
        if limit is not None and not limit > 0:
            raise BadInput(f"time_limit takes a positive number of seconds; this is {limit:g}")
        for word in words:
            if "\0" in word or word != encodable(word):
                raise BadInput(f"{word!r} cannot be an argument of a program")
        async with self._alone:
            return await jobs.run(
                [*self._command, *words], self._root, min(limit or self._limit, self._limit), most, tell
            )

    def _words(self, program: Program) -> list[str]:
        if program.module:
            if not _MODULE.fullmatch(program.name):
                raise BadInput(f"{program.name!r} is not the name of a module")
            return ["-m", program.name, *program.arguments]
        file = self._inside(program.name)
        if not os.path.isfile(file):
            raise BadInput(f"{program.name}: no such file in {self._root}")
        return [os.path.join(os.curdir, os.path.relpath(file, self._root)), *program.arguments]

    def _inside(self, path: str) -> str:
        """The absolute path, links followed. Raises BadInput for one outside of the workspace."""
        try:
            real = os.path.realpath(os.path.join(self._root, path))
        except ValueError as error:  # a NUL byte
            raise BadInput(f"{path!r} is not a path ({error})") from None
        if real != self._root and not real.startswith(self._root.rstrip(os.sep) + os.sep):
            raise BadInput(f"{path} is outside {self._root}, the folder that this server was started for")
        return real


def _refusal(done: jobs.Done) -> str:
    """What the command line says of bad input."""
    last = done.errors.strip().rpartition("\n")[2]
    return last.removeprefix(_ERROR) if done.exit_code == 2 and last.startswith(_ERROR) else ""


def _ending(done: jobs.Done) -> str:
    if done.stopped:
        return f"interrupted at the time limit, after {done.seconds:.0f} s (with what was observed until then)"
    return f"exit code {done.exit_code} after {done.seconds:.1f} s"


def bounded(text: str) -> str:
    """What fits into one answer, without control characters."""
    text = plain(text)
    if len(text) <= MOST:
        return text
    half = MOST // 2
    return f"{text[:half]}\n[{len(text) - 2 * half:,} characters left out]\n{text[-half:]}"
