"""The fork server's process: imports the frameworks and tensorwhy once, then forks a child for every program to run.

Importing TensorFlow costs seconds, and tensorwhy a third of one; running a small program costs little more. No
operation has run when a child is forked, so TensorFlow has no thread pools yet, and each child initialises its own.
Requests and answers are JSON lines on standard input and output; a request names the files that take the child's
output.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import sys
import threading
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any


def import_frameworks() -> None:
    """Import what programs import, with all lazy parts, and run no operation."""
    with contextlib.suppress(ModuleNotFoundError):
        import tensorflow as tf

        for name in ("keras", "data", "function", "Variable", "GradientTape"):
            getattr(tf, name)
        _ = tf.keras.layers.Dense
        import keras  # noqa: F401

    with contextlib.suppress(ModuleNotFoundError):
        import torch._dynamo  # noqa: F401  # which an optimizer would import when it is made

    with contextlib.suppress(ModuleNotFoundError):
        import tf_keras  # noqa: F401

    import tensorwhy.integrations.cli.main

    for module in pkgutil.walk_packages(tensorwhy.__path__, "tensorwhy."):
        program = module.name.rpartition(".")[2].startswith(("broken_", "fixed_", "__main__"))
        if not program and not module.name.startswith("tensorwhy.integrations."):
            with contextlib.suppress(ImportError):  # an adapter of what is not installed
                importlib.import_module(module.name)


def serve() -> None:
    """Answer requests until standard input closes. In a child this does not return: the child ends in `run`."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a framework prints while it is imported must not mix with the answers
    import_frameworks()
    # A full collection in a child would look at each object of the frameworks, a tenth of what a program takes; and
    # the pages it writes to would be copied.
    gc.collect()
    gc.freeze()
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            run(request)
        answer = {"exit_code": wait(pid, request["timeout"])}
        print(json.dumps(answer), file=answers, flush=True)


def wait(pid: int, timeout: int) -> int | None:
    """The exit code of a child, negative for a signal; None when it had to be killed for running too long."""
    late = False

    def kill(*_: Any) -> None:
        nonlocal late
        late = True
        os.kill(pid, signal.SIGKILL)

    signal.signal(signal.SIGALRM, kill)
    signal.alarm(timeout)
    _, status = os.waitpid(pid, 0)
    signal.alarm(0)
    return None if late else os.waitstatus_to_exitcode(status)


def run(request: dict[str, Any]) -> None:
    """Become the process that the request asks for: its output files, folder, environment and arguments."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for stream, path in ((0, os.devnull), (1, request["stdout"]), (2, request["stderr"])):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(handle, stream)
        os.close(handle)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    seed_everything()
    code = 1
    try:
        code = exit_code_of(plain if request["plain"] else under_tensorwhy, request["argv"])
        threading._shutdown()  # type: ignore[attr-defined]  # waits for the program's threads, as the interpreter does
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def seed_everything() -> None:
    """The same random numbers as in any other child: two runs of a program can then be compared, and tests repeated."""
    import random

    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    if "tensorflow" in sys.modules:
        sys.modules["tensorflow"].random.set_seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def exit_code_of(start: Any, argv: list[str]) -> int:
    """Run to the end as the interpreter would: SystemExit gives the code, any other exception a traceback and 1."""
    try:
        start(argv)
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return (stop.code or 0) & 0xFF
        print(stop.code, file=sys.stderr)
        return 1
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        return 1
    return 0


def under_tensorwhy(argv: list[str]) -> None:
    """`tensorwhy ARGV...`, as the console script starts it."""
    from tensorwhy.integrations.cli.main import main

    sys.argv = ["tensorwhy", *argv]
    sys.exit(main())


def plain(argv: list[str]) -> None:
    """`python PROGRAM ARGS...`."""
    program = Path(argv[0])
    sys.argv = list(argv)
    sys.path[0] = str(program.resolve().parent)
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = argv[0]
    exec(compile(program.read_bytes(), argv[0], "exec"), main.__dict__)


if __name__ == "__main__":
    # A program takes over the namespace of `__main__`, so nothing of ours may live there.
    import zygote

    zygote.serve()
