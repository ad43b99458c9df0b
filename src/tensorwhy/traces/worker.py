"""Under which name this process records into a trace that others may write to as well."""

from __future__ import annotations

import os
import socket

import msgspec

from tensorwhy.traces.layout import worker_name


class _Task(msgspec.Struct):
    type: str = ""
    index: int | None = None


class _Cluster(msgspec.Struct):
    task: _Task = msgspec.field(default_factory=_Task)


def own_name() -> str:
    """`worker-0` as TF_CONFIG says it, `rank-0` as torchrun does, else the host's name and the process's number."""
    try:
        task = msgspec.json.decode(os.environ.get("TF_CONFIG", ""), type=_Cluster).task
    except (msgspec.MsgspecError, UnicodeError):
        task = _Task()
    if task.type and task.index is not None:
        return worker_name(f"{task.type}-{task.index}")
    rank = os.environ.get("RANK", "")
    if rank.isdecimal() and "WORLD_SIZE" in os.environ:
        return worker_name(f"rank-{rank}")
    return worker_name(f"{socket.gethostname()}-{os.getpid()}")
