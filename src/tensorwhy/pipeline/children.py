"""Counts the Python processes that a program starts: each of them is a program of its own, which nobody observes."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tensorwhy.recording.around import told

_PYTHON = re.compile(r"python[0-9.]*(\.exe)?")


class Children:
    """Counts from `start` to `stop`: what `subprocess` starts once that is imported.

    Of `multiprocessing` the module's own counter tells, at no cost.
    """

    def __init__(self) -> None:
        self._started = 0
        self._before = 0
        self._restore: Callable[[], None] | None = None

    def start(self) -> None:
        """Begin to count."""
        self._before = _multiprocessing()

    def imported(self, module: str) -> None:
        """Count what this module starts, too."""
        popen = getattr(sys.modules.get(module), "Popen", None)
        if module != "subprocess" or popen is None or self._restore is not None:
            return
        original = popen.__init__
        popen.__init__ = hook = told(original, self._told)

        def restore() -> None:
            if popen.__init__ is hook:
                popen.__init__ = original

        self._restore = restore

    def _told(self, result: None, process: Any, args: Any = (), *rest: Any, **options: Any) -> None:
        self._started += _runs_python(args)

    def stop(self) -> None:
        """Take the hook out."""
        if self._restore is not None:
            self._restore()
            self._restore = None

    def count(self) -> int:
        """How many there were."""
        return self._started + max(_multiprocessing() - self._before, 0)


def in_words(started: int, observed: int | None = None) -> str:
    """What is not covered because of child processes; empty when there were none.

    `observed` is None where nobody asked for observing them.
    """
    count = started - (observed or 0)
    if count <= 0:
        return ""
    words = "1 child process was not observed" if count == 1 else f"{count} child processes were not observed"
    return f"{words}; `--children` observes those that are not forked" if observed is None else words


def _multiprocessing() -> int:
    """How many processes `multiprocessing` has made so far, pools included."""
    counter = getattr(sys.modules.get("multiprocessing.process"), "_process_counter", None)
    found = re.fullmatch(r"count\((\d+)\)", repr(counter)) if isinstance(counter, itertools.count) else None
    return int(found[1]) - 1 if found is not None else 0


def _runs_python(args: Any) -> bool:
    """True if a command runs Python: by its name, by a file that it is given, or by the first line of a script."""
    words: Sequence[str] = args.split() if isinstance(args, str) else [os.fsdecode(each) for each in args]
    if not words:
        return False
    names = [os.path.basename(word) for word in words[:3]]
    if any(_PYTHON.fullmatch(name) or name.endswith(".py") for name in names):
        return True
    path = shutil.which(words[0])
    if path is None or not os.path.isfile(path):  # a pipe would wait for who writes into it
        return False
    with open(path, "rb") as stream:
        first = stream.readline(256)
    return first.startswith(b"#!") and b"python" in first
