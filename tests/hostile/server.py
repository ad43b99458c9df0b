"""Runs commands of tensorwhy in forks of a process that has imported everything, under limits.

One request is one line of JSON: `args`, `cwd`, and the files `out` and `err`. The answer says how the command ended.
"""

from __future__ import annotations

import atexit
import json
import linecache
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any, TextIO

SECONDS = 5
"""Of the processor."""
WAITED = 300
"""By the clock, for what waits: a machine with other work gives a process a fiftieth of its time."""
MEMORY = 1 << 30
BATCH = 100
"""So many requests are answered by one fork: what one leaves behind must not change the next."""


def load() -> None:
    """Import what the commands would import, once for all forks."""
    import contextlib
    import gc
    import importlib
    import pkgutil

    import markdown_it
    import platformdirs

    import tensorwhy
    from tensorwhy.checks import all_probes
    from tensorwhy.reasons import catalogue

    catalogue()
    all_probes()
    for package in (tensorwhy, markdown_it, platformdirs):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            program = module.name.rpartition(".")[2].startswith(("broken_", "fixed_", "__main__"))
            if not program and ".adapters." not in module.name:
                with contextlib.suppress(ImportError):  # for what is not installed
                    importlib.import_module(module.name)
    for name in ("pyarrow.parquet", "pyarrow.compute", "hmac", "secrets", "zipfile"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()


def command(request: dict[str, Any]) -> int:
    """What a command says and how it ends, in this process."""
    os.chdir(request["cwd"])
    for number, name in ((1, "out"), (2, "err")):
        file = os.open(request[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
    from tensorwhy.integrations.cli.main import main

    try:
        code = main(request["args"])
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:
        traceback.print_exc()
        code = 99
    if request["args"][0] == "run":
        atexit._run_exitfuncs()  # in which the report is written
    sys.stdout.flush()
    sys.stderr.flush()
    return code


def work(requests: TextIO, answers: TextIO) -> None:
    """Answer requests one after the other. Whoever takes too long ends this process."""
    for line in requests:
        request = json.loads(line)
        _forget_peak()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.alarm(WAITED)
        before = time.process_time()
        code = command(request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        answer = {"code": code, "seconds": time.process_time() - before, "memory": _peak()}
        print(json.dumps(answer), file=answers, flush=True)
        linecache.clearcache()


def _forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        pass  # then a peak is told with all that follow it


def _peak() -> int:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class Worker:
    """A fork that answers some requests."""

    def __init__(self) -> None:
        here, there = os.pipe(), os.pipe()
        self.pid, self.left = os.fork(), BATCH
        if self.pid == 0:
            os.close(here[1])
            os.close(there[0])
            try:
                work(os.fdopen(here[0]), os.fdopen(there[1], "w"))
            finally:
                os._exit(0)
        os.close(here[0])
        os.close(there[1])
        self._requests, self._answers = os.fdopen(here[1], "w"), os.fdopen(there[0])

    def answer(self, line: str) -> str:
        """What it says to a request; how it ended where it says nothing."""
        self.left -= 1
        print(line, end="", file=self._requests, flush=True)
        answer = self._answers.readline()
        if not answer:
            self.left = 0
            _, status, used = os.wait4(self.pid, 0)
            code = os.waitstatus_to_exitcode(status) or 98
            answer = json.dumps({"code": code, "seconds": used.ru_utime + used.ru_stime, "memory": 0}) + "\n"
        elif not self.left:
            self.end()
        return answer

    def end(self) -> None:
        """Let it go."""
        self._requests.close()
        os.waitpid(self.pid, 0)


def serve() -> None:
    """Answer requests until there are no more."""
    load()
    print("ready", flush=True)
    worker: Worker | None = None
    for line in sys.stdin:
        if worker is not None and worker.left and json.loads(line)["args"][0] == "run":
            worker.end()  # hooks of a recording stay in a process
            worker = None
        if worker is None or not worker.left:
            worker = Worker()
            if json.loads(line)["args"][0] == "run":
                worker.left = 1
        print(worker.answer(line), end="", flush=True)
    if worker is not None and worker.left:
        worker.end()


if __name__ == "__main__":
    assert resource.getrlimit(resource.RLIMIT_AS)
    serve()
