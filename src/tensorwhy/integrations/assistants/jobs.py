"""Run one command for a tool call, with bounded time and output; it ends when the call ends.

A program that an assistant starts may run forever, print without end, or leave processes behind. None of that may
outlive or stall the server.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import anyio
import anyio.abc
import msgspec

GRACE = 30.0
"""Seconds that an interrupted program has for its explanation."""
_LAST_WORDS = 1.0
"""Seconds for the end of a call: for output that was written already, and for cleaning up when it is canceled."""
_HEARTBEAT = 5.0


class Text:
    """The beginning and the end of a stream, at most so many bytes of it."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._held = 0
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Take what was read next."""
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        rest = data[max(room, 0) :]
        if rest:
            self._tail.append(rest)
            self._held += len(rest)
        while self._held > self._half:
            first = self._tail.popleft()
            cut = min(len(first), self._held - self._half)
            self._dropped += cut
            self._held -= cut
            if cut < len(first):
                self._tail.appendleft(first[cut:])

    def __str__(self) -> str:
        head = self._head.decode("utf-8", "replace")
        tail = b"".join(self._tail).decode("utf-8", "replace")
        return f"{head}\n[{self._dropped:,} bytes left out]\n{tail}" if self._dropped else head + tail


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """How a command ended. `stopped` means that the time limit was reached."""

    exit_code: int
    stopped: bool
    seconds: float
    output: str
    errors: str


async def run(
    command: Sequence[str], folder: str, limit: float, most: int, tell: Callable[[float], Awaitable[None]]
) -> Done:
    """Run a command in a folder, interrupt it after `limit` seconds, and keep `most` bytes of each of its two streams.

    `tell` hears every few seconds how long it has been running. Nothing that the command started survives this call.
    """
    began = time.monotonic()
    output, errors = Text(most), Text(most)
    process = await anyio.open_process(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,  # the server's own is the protocol
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"},
        start_new_session=sys.platform != "win32",
    )
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read, process.stdout, output)
            tasks.start_soon(_read, process.stderr, errors)
            stopped = not await _ended(process, limit, lambda: tell(time.monotonic() - began))
            if stopped:
                _interrupt(process)
                await _ended(process, GRACE, lambda: tell(time.monotonic() - began))
            _kill(process)
            tasks.cancel_scope.deadline = anyio.current_time() + _LAST_WORDS
    finally:
        with anyio.CancelScope(shield=True):
            if process.returncode is None:  # `fix` ends what it started itself
                _interrupt(process)
                with anyio.move_on_after(_LAST_WORDS):
                    await process.wait()
            _kill(process)
            await process.aclose()
    code = process.returncode
    return Done(
        exit_code=-1 if code is None else code,
        stopped=stopped,
        seconds=time.monotonic() - began,
        output=str(output),
        errors=str(errors),
    )


async def _ended(process: anyio.abc.Process, limit: float, tell: Callable[[], Awaitable[None]]) -> bool:
    """Return whether the process ended in time."""
    deadline = anyio.current_time() + limit
    while process.returncode is None and anyio.current_time() < deadline:
        with anyio.move_on_after(min(_HEARTBEAT, deadline - anyio.current_time())):
            await process.wait()
            return True
        await tell()
    return process.returncode is not None


async def _read(stream: anyio.abc.ByteReceiveStream | None, text: Text) -> None:
    assert stream is not None
    with contextlib.suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
        while True:
            text.add(await stream.receive())


def _interrupt(process: anyio.abc.Process) -> None:
    with contextlib.suppress(OSError):
        process.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)


def _kill(process: anyio.abc.Process) -> None:
    """End the process and what it started, as far as that stayed in its group."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
