"""Observes the Python processes that a program starts, where it was asked for: each writes a trace of its own.

A child finds the folder of traces in its environment, and this folder on its path, whose `sitecustomize` Python runs
first of all. It is observed once it imports a framework. A process that was forked goes on with its parent's modules,
and is not observed.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys

_FOLDER = "TENSORWHY_CHILDREN"


def follow(folder: str) -> None:
    """Have the processes that this one starts from now on observed, and write their traces into a folder."""
    os.environ[_FOLDER] = os.path.abspath(folder)
    rest = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), *([rest] if rest else [])])


def begin() -> None:
    """Observe this process from the import of a framework on, if its parent asks for it."""
    folder = os.environ.get(_FOLDER)
    if not folder:
        return
    from tensorwhy.adapters import registry
    from tensorwhy.recording.importing import ImportWatch

    begun: list[str] = []

    def imported(module: str) -> None:
        if not begun:  # one framework brings the others with it
            _observe(folder)
        begun.append(module)

    watch = ImportWatch({module for adapter in registry.discover() for module in adapter.modules}, imported)
    watch.start()


def _observe(folder: str) -> None:
    from tensorwhy.pipeline import Observation

    argv = getattr(sys, "orig_argv", [""])
    pid = os.getpid()

    def finish(number: int = 0) -> None:
        if os.getpid() != pid:
            return
        late: list[int] = []  # the signal may come when a worker has begun to end by itself
        held = not number and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
        if held:
            signal.signal(signal.SIGTERM, lambda number, frame: late.append(number))
        observation.finish(128 + number if number else 0)
        if held:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if late:
            os.kill(pid, late[0])

    # A pool ends its workers by a signal.
    observation = Observation(program=argv[0], argv=tuple(argv[1:]), trace=folder, dying=finish)
    atexit.register(finish)
    observation.start()
