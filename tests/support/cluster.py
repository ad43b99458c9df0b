"""Starts the processes of a cluster on this machine, each with its part in TF_CONFIG, and waits for them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from support.runner import environment


def config(**counts: int) -> dict[str, list[str]]:
    """A cluster with so many tasks of each kind, on ports that are free now."""
    with ExitStack() as held:
        sockets = {kind: [held.enter_context(socket.socket()) for _ in range(n)] for kind, n in counts.items()}
        for each in (one for many in sockets.values() for one in many):
            each.bind(("127.0.0.1", 0))
        return {kind: [f"127.0.0.1:{each.getsockname()[1]}" for each in many] for kind, many in sockets.items()}


@contextmanager
def task(
    python: str, cluster: dict[str, list[str]], kind: str, index: int, *argv: str
) -> Iterator[subprocess.Popen[str]]:
    """One task: `PYTHON ARGV`, killed at the end if it runs still."""
    value = json.dumps({"cluster": cluster, "task": {"type": kind, "index": index}})
    process = subprocess.Popen(
        [python, *argv],
        env={**environment(), "TF_CONFIG": value, "CUDA_VISIBLE_DEVICES": ""},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        try:
            yield process
        finally:
            process.kill()


def traced(program: Path, folder: Path, *argv: str) -> tuple[str, ...]:
    """The arguments for Python to run a program under tensorwhy, with a trace, and with its report out of the way."""
    output = folder.parent / f"report-{os.urandom(4).hex()}.json"
    options = ("--trace", str(folder), "--format", "json", "--output", str(output), "--no-experiments")
    return ("-m", "tensorwhy", "run", *options, str(program), *argv)
