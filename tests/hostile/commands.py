"""What must hold of every command, whatever it was given."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from hostile import server
from support.runner import environment

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
COMMAND = re.compile(r"^\s*::[a-z]|##[\w.-]*\[", re.MULTILINE)

OWN_FAULT = re.compile(
    r"the check \w+ failed \(.*|rule TW\d+ [\w-]+ failed: .*|fix of TW\d+ failed: .*|explaining failed: .*"
)


class Commands:
    """The server, and a folder for what is given to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server = subprocess.Popen(
            [sys.executable, server.__file__],
            env=environment(),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._server.stdout is not None
        assert self._server.stdout.readline() == "ready\n"

    def close(self) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait(60)

    def harmless(self, *args: str, cwd: Path, report: Path | None = None) -> tuple[int, str, str]:
        """Run a command, and check all that must hold. Gives its exit code and what it wrote, there or to `report`."""
        out, err = self.folder / "out", self.folder / "err"
        assert self._server.stdin is not None and self._server.stdout is not None
        request: dict[str, Any] = {"args": args, "cwd": str(cwd), "out": str(out), "err": str(err)}
        print(json.dumps(request), file=self._server.stdin, flush=True)
        answer = json.loads(self._server.stdout.readline())
        written, said = out.read_bytes().decode(), err.read_bytes().decode()
        if report is not None and report.exists():
            written += report.read_bytes().decode()
        assert answer["code"] in (0, 1, 2), (answer, said[-3000:])
        assert "Traceback" not in said, said[-3000:]
        if "--diff" in args:  # lines end as those of the file do
            written = written.replace("\r\n", "\n")
        assert not OWN_FAULT.search(written), OWN_FAULT.findall(written)
        assert answer["seconds"] < server.SECONDS and answer["memory"] < server.MEMORY, answer
        for text in (written, said):
            assert not UNSEEN.search(text), _around(text, UNSEEN.search(text)[0])  # type: ignore[index]
        assert not COMMAND.search(said), said
        assert "github" in args or not COMMAND.search(written), COMMAND.search(written)
        if answer["code"] == 2 and not written:
            assert len(said.splitlines()) == 1 and len(said) < 3000, said
        if answer["code"] != 2 and "--diff" not in args and ("json" in args or "sarif" in args):
            json.loads(written)
        return answer["code"], written, said


def _around(text: str, word: str) -> str:
    at = text.find(word)
    return text[max(at - 200, 0) : at + 300]


def emptied(folder: Path) -> Path:
    """A folder with nothing in it."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder
