"""A signal that ends a command ends what the command has started, too."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from support.runner import environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

PROGRAM = """
import signal
from tensorwhy.integrations.cli.ending import in_order

@in_order
def work(number):
    try:
        signal.raise_signal(number)
        print("went on")
    finally:
        print("in order", flush=True)

signal.signal(signal.SIGHUP, lambda *_: print("of its own"))
work(signal.SIGHUP)
work(signal.SIGTERM)
"""


def test_a_command_that_is_terminated_is_unwound_first() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment())
    assert done.stdout.splitlines() == ["of its own", "went on", "in order", "in order"]
    assert (done.stderr, done.returncode) == ("", -signal.SIGTERM)
