"""Signals wait for hooks, and reach the program as if no hook had been there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.runner import environment
from tensorwhy.recording import interruptions
from tensorwhy.recording.interruptions import Interruptions
from tensorwhy.recording.locations import UserCode

ADAPTER = os.path.join(interruptions._PACKAGE, "adapters", "made_up.py")
HOOK = """
import signal, time
def hook(number, original=None):
    signal.raise_signal(number)
    until = time.monotonic() + 0.02
    while time.monotonic() < until:
        pass
    done.append(number)
def wrapper_of(original):
    def wrapper():
        return original()
    return wrapper
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def space() -> Iterator[dict]:
    """The functions above as if they were hooks, with the stand-ins in place."""
    names: dict = {"done": []}
    exec(compile(HOOK, ADAPTER, "exec"), names)
    interrupts = Interruptions(UserCode())
    interrupts.start()
    yield names
    interrupts.stop()
    assert signal.signal.__module__ == "signal"


def wait() -> None:
    """Be busy until the signal is back."""
    while True:
        os.times()


def frames(error: BaseException) -> list[str]:
    return [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]


def test_a_hook_ends_before_the_interrupt_arrives(space: dict) -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        space["hook"](signal.SIGINT)
        wait()
    assert space["done"] == [signal.SIGINT]
    assert set(frames(caught.value)) == {__file__}


def test_a_handler_that_raises_is_not_taken_for_a_failure_of_the_hook(space: dict) -> None:
    def late(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    try:
        assert signal.getsignal(signal.SIGALRM) is late
        with pytest.raises(TimeoutError) as caught:
            space["hook"](signal.SIGALRM)
            wait()
        assert space["done"] == [signal.SIGALRM]
        assert set(frames(caught.value)) == {__file__}
    finally:
        assert signal.signal(signal.SIGALRM, before) is late


def test_a_handler_gets_the_frame_of_the_program(space: dict) -> None:
    seen: list[str] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(frame.f_code.co_filename))
    space["hook"](signal.SIGUSR1)
    while not seen:
        os.times()
    signal.signal(signal.SIGUSR1, before)
    assert seen == [__file__]


def test_a_method_that_python_wrote_belongs_to_its_class(space: dict) -> None:
    seen: list[int] = []
    written: dict = {"__name__": "made_up", "__file__": ADAPTER, "signal": signal, "seen": seen}
    exec("def __eq__(number):\n    signal.raise_signal(number)\n    seen.append(number)", written)
    with pytest.raises(KeyboardInterrupt):
        written["__eq__"](signal.SIGINT)
        wait()
    assert seen == [signal.SIGINT]


def test_what_a_wrapper_wraps_is_interrupted_at_once(space: dict) -> None:
    with pytest.raises(KeyboardInterrupt):
        space["wrapper_of"](lambda: signal.raise_signal(signal.SIGINT))()


def test_the_program_sees_its_own_handlers_only(space: dict) -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.signal(signal.SIGINT, signal.SIG_IGN) is signal.default_int_handler
    assert signal.signal(signal.SIGINT, signal.default_int_handler) is signal.SIG_IGN


ENDED = """
import os, signal, subprocess, sys, time, types
from tensorwhy.recording.interruptions import Interruptions
from tensorwhy.recording.locations import UserCode
interrupts = Interruptions(UserCode(), None, lambda number: print("dying", number, flush=True))
interrupts.start()
"""


@pytest.mark.parametrize(
    ("body", "said", "code"),
    [
        ("os.kill(os.getpid(), signal.SIGTERM)\nprint('not reached')", "dying 15\n", -15),
        ("os.kill(os.getpid(), signal.SIGHUP)\nprint('not reached')", "dying 1\n", -1),
        ("signal.setitimer(signal.ITIMER_REAL, 0.05)\ntime.sleep(20)\nprint('not reached')", "dying 14\n", -14),
        # The main thread is stuck in a library: no instruction of Python runs.
        (
            "import ctypes\nlibrary, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(64)\n"
            "library.pthread_mutex_lock(mutex)\nsubprocess.Popen(['kill', str(os.getpid())])\n"
            "library.pthread_mutex_lock(mutex)\nprint('not reached')",
            "dying 15\n",
            -15,
        ),
        # A child ends at once, and its parent does not notice.
        (
            "child = os.fork()\nif not child: time.sleep(30)\ntime.sleep(0.1)\nos.kill(child, signal.SIGTERM)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\ntime.sleep(2.5)",
            "-15\n",
            0,
        ),
        # As if it came while the child learns that it is one, where what a handler raises is lost.
        (
            "signal.signal(signal.SIGTERM, lambda *a: sys.exit(3))\nfrom tensorwhy.recording import interruptions\n"
            "raised = compile('signal.raise_signal(15)', interruptions.__file__, 'exec')\n"
            "interrupts.forked = types.FunctionType(raised, globals())\n"
            "child = os.fork()\nif not child: time.sleep(30)\n"
            "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))",
            "3\n",
            0,
        ),
        ("interrupts.stop()\nos.kill(os.getpid(), signal.SIGTERM)", "", -15),
        ("signal.signal(signal.SIGTERM, lambda *a: sys.exit(3))\nos.kill(os.getpid(), signal.SIGTERM)", "", 3),
    ],
    ids=["at once", "hangup", "alarm", "stuck", "child", "young child", "stopped", "own handler"],
)
def test_a_signal_that_ends_the_process_is_told_first(body: str, said: str, code: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(ENDED + body)
    done = subprocess.run(
        [sys.executable, str(program)], env=environment(), capture_output=True, text=True, timeout=180, check=False
    )
    assert (done.stdout, done.returncode) == (said, code), done.stderr


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="reads the masks of threads from Linux")
def test_signals_are_for_the_threads_of_the_program(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        ENDED + "for thread in os.listdir('/proc/self/task'):\n"
        "    status = dict(line.split(':', 1) for line in open(f'/proc/self/task/{thread}/status'))\n"
        "    print(int(thread) == os.getpid(), bool(int(status['SigBlk'], 16) >> signal.SIGTERM - 1 & 1))\n"
    )
    done = subprocess.run(
        [sys.executable, str(program)], env=environment(), capture_output=True, text=True, check=False
    )
    assert sorted(done.stdout.splitlines()) == ["False True", "True False"], done.stderr


HELD = """
import os, signal
from tensorwhy.recording.interruptions import held_back
try:
    with held_back():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        print("saved", flush=True)
    print("went on")
except KeyboardInterrupt:
    print("interrupted", flush=True)
with held_back():
    signal.raise_signal(signal.SIGTERM)
    print("saved", flush=True)
print("went on")
"""


def test_signals_that_are_held_back_come_afterwards() -> None:
    done = subprocess.run([sys.executable, "-c", HELD], capture_output=True, text=True, env=environment())
    assert (done.stdout.split(), done.returncode) == (["saved", "interrupted", "saved"], -signal.SIGTERM), done.stderr
