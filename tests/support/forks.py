"""The fork server as its clients see it: one for all workers of a run of the tests, started by the first that needs it.

`Server.python` is a file that is started like Python. The process that takes its arguments is a fork of the server, in
which the frameworks are imported already, and so are the processes that it starts with `sys.executable`.
"""

from __future__ import annotations

import json
import os
import py_compile
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TIMEOUT = 120  # seconds; the slowest program of the tests needs less than twenty

CLIENT = """\
#!{python} -IS
import json, os, signal, socket, sys

if sys.argv[1].startswith("-") and sys.argv[1] != "-m":  # an option of Python itself, or a text to execute
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
client = socket.socket(socket.AF_UNIX)
client.connect({place!r})
request = {{"start": "python", "argv": sys.argv, "cwd": os.getcwd(), "env": dict(os.environ)}}
data = json.dumps(request).encode() + b"\\n"
client.sendall(data[socket.send_fds(client, [data], [0, 1, 2]):])
answers = client.makefile()
process = int(answers.readline())
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, _: os.kill(process, number))
code = int(answers.readline())
if code < 0:
    signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), -code)
os._exit(code)
"""


class Server:
    """`shared` is a folder that all workers of a run of the tests have in common."""

    def __init__(self, shared: Path) -> None:
        self._shared = shared
        self._held: socket.socket | None = None
        """Until all workers have closed theirs, the server goes on."""

    @property
    def python(self) -> str:
        """The path of a Python whose processes are forks of the server."""
        self._start()
        return str(self._shared / "python")

    def run(self, start: str, argv: list[str], cwd: Path, streams: list[int], env: dict[str, str]) -> int | None:
        """Run a program in a fork. Gives its exit code, negative for a signal, or None when it ran for too long."""
        place = self._start()
        request = {"start": start, "argv": argv, "cwd": str(cwd), "env": env}
        data = json.dumps(request).encode() + b"\n"
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(TIMEOUT)
            client.connect(place)
            client.sendall(data[socket.send_fds(client, [data], streams) :])
            try:
                with client.makefile() as stream:
                    answers = stream.read().split()
            except TimeoutError:
                return None
        if len(answers) < 2:
            raise RuntimeError(f"the fork server died: see {self._shared / 'server.err'}")
        return int(answers[1])

    def close(self) -> None:
        """Leave the server, which ends when nobody is left."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def _start(self) -> str:
        """The address of the server, which runs from now on."""
        import fcntl

        address = self._shared / "server"
        if self._held is not None:
            return address.read_text()
        self._shared.mkdir(exist_ok=True)
        with (self._shared / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._held = socket.socket(socket.AF_UNIX)
            try:
                self._held.connect(address.read_text())
            except OSError:
                place = self._serve(address)
                self._held.connect(place)
        return address.read_text()

    def _serve(self, address: Path) -> str:
        from support.runner import environment

        # Compiled under a name that is no file's: the server's frames, which lie below the program's in the stack,
        # must not pass for the user's code.
        compiled, errors = str(self._shared / "zygote.pyc"), self._shared / "server.err"
        py_compile.compile(str(HERE / "zygote.py"), cfile=compiled, dfile="<fork server>", doraise=True)
        place = os.path.join(tempfile.mkdtemp(prefix="tw-"), "server")  # a short path, as sockets need it
        with errors.open("w") as stderr:
            server = subprocess.Popen(
                [sys.executable, compiled, place], env=environment(), text=True, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=stderr,
            )  # fmt: skip
        assert server.stdout is not None
        with server.stdout as answers:
            if answers.readline() != "ready\n":
                pytest.exit(f"the fork server did not start:\n{errors.read_text()}", returncode=1)
        _started.append(server)
        python = self._shared / "python"
        python.write_text(CLIENT.format(python=sys.executable, place=place))
        python.chmod(0o755)
        address.write_text(place)
        return place


_started: list[subprocess.Popen[str]] = []
"""It may have to serve other workers after this one has ended, so nobody waits for it."""
