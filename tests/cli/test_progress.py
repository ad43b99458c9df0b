"""The line that tells what long work is at."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from tensorwhy.integrations.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error as a terminal, on which a second passes whenever somebody looks at the clock."""
    stream = Terminal()
    monkeypatch.setattr(sys, "__stderr__", stream)
    monkeypatch.setattr(progress.time, "monotonic", iter(range(1, 100)).__next__)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return stream


def test_long_work_is_told_and_the_line_is_cleared(terminal: Terminal) -> None:
    tell = progress.Progress()
    tell("beginning")
    tell("checking 1")
    tell("checking 2")
    shown = terminal.getvalue()
    assert "tensorwhy: checking 1" in shown and "tensorwhy: checking 2" in shown
    tell.close()
    assert terminal.getvalue().endswith(("\x1b[2K", "\x1b[1A\x1b[2K", "\x1b[?25h"))


def test_work_that_is_quick_is_not_worth_a_word(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress.time, "monotonic", lambda: 5.0)
    tell = progress.Progress()
    tell("beginning")
    tell("done")
    tell.close()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("kind", ["file", "dumb", "closed"])
def test_nothing_is_written_where_nobody_looks(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    if kind == "file":
        monkeypatch.setattr(sys, "__stderr__", stream := io.StringIO())
    else:
        stream = terminal
    if kind == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    if kind == "closed":
        terminal.close()
    tell = progress.Progress()
    tell("one")
    tell("two")
    tell.close()
    assert kind == "closed" or stream.getvalue() == ""


class Awaited(io.StringIO):
    """A file that says when something was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def flush(self) -> None:
        self.written.set()


def test_a_log_says_what_long_work_is_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stderr__", stream := Awaited())
    tell = progress.long_work()
    assert isinstance(tell, progress.Log)
    tell = progress.Log(pauses=(0, 3600))
    tell("running train.py")
    assert stream.written.wait(60)
    tell.close()
    assert stream.getvalue() == "tensorwhy: running train.py (0 s so far)\n"


def test_a_log_says_nothing_of_quick_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stderr__", stream := io.StringIO())
    tell = progress.Log(pauses=(3600,))
    tell("running train.py")
    tell.close()
    assert stream.getvalue() == ""
