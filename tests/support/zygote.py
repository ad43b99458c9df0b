"""The fork server's process: imports the frameworks and tensorwhy once, then forks a child for every program to run.

Importing TensorFlow costs seconds, and tensorwhy a third of one; running a small program costs little more. No
operation has run when a child is forked, so TensorFlow has no thread pools yet, and each child initialises its own.
All workers of a run of the tests share it.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
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


def serve(place: str) -> None:
    """Answer requests on the socket at `place` until no client is connected any more.

    A request is a line of JSON, with the three standard streams of the process. The answer is a line with the number
    of the process, and one with its exit code, negative for a signal. A client that leaves takes its process with it.
    """
    ready = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a framework prints while it is imported must not mix with the answer
    import_frameworks()
    # A full collection in a child would look at each object of the frameworks, a tenth of what a program takes; and
    # the pages it writes to would be copied.
    gc.collect()
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen(100)
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    print("ready", file=ready, flush=True)
    running: dict[socket.socket, int] = {}
    """The clients, with the process of each; 0 before it has asked for one."""
    came = False
    while running or not came:  # the first client is the one that waits for "ready"
        for found in select.select([listener, awake, *running], [], [])[0]:
            if found is listener:
                running[listener.accept()[0]] = 0
                came = True
            elif found == awake:
                os.read(awake, 1000)
                ended(running)
            elif found in running:  # it may be gone by now
                answer(found, running, [listener, *running], [awake, wake])
    os.unlink(place)
    os.rmdir(os.path.dirname(place))


def answer(
    client: socket.socket, running: dict[socket.socket, int], sockets: list[socket.socket], pipe: list[int]
) -> None:
    """Start the process that a client asks for; end it when the client is gone."""
    data, streams, _, _ = socket.recv_fds(client, 1 << 20, 3)
    if not data:
        if running[client]:
            for kill in (os.killpg, os.kill):  # it may have no group of its own yet
                with contextlib.suppress(ProcessLookupError):
                    kill(running[client], signal.SIGKILL)
        client.close()
        del running[client]
        return
    while not data.endswith(b"\n"):
        data += client.recv(1 << 20)
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for each in sockets:
            each.close()
        for number in pipe:
            os.close(number)
        run(json.loads(data), streams)
    for number in streams:
        os.close(number)
    running[client] = pid
    with contextlib.suppress(OSError):
        client.sendall(b"%d\n" % pid)


def ended(running: dict[socket.socket, int]) -> None:
    """Tell the clients whose processes have ended how that was."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        for client in [each for each, number in running.items() if number == pid]:
            with contextlib.suppress(OSError):
                client.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
            client.close()
            del running[client]


def run(request: dict[str, Any], streams: list[int]) -> None:
    """Become the process that the request asks for: its streams, folder, environment and arguments."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, handle in enumerate(streams):
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    seed_everything()
    code = 1
    try:
        code = exit_code_of(STARTS[request["start"]], request["argv"])
        threading._shutdown()  # type: ignore[attr-defined]  # waits for the program's threads, as the interpreter does
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
            if code < 0:
                signal.signal(-code, signal.SIG_DFL)
                os.kill(os.getpid(), -code)
        finally:
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
    except BaseException as error:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
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


def python(argv: list[str]) -> None:
    """`python ARGV...`, where the first of them is this Python: the processes that it starts are forks, too."""
    sys.executable, *rest = sys.orig_argv = argv
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    if rest[0] == "-m":
        sys.argv = rest[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(rest[1], run_name="__main__", alter_sys=True)
    else:
        plain(rest)


STARTS = {"tensorwhy": under_tensorwhy, "plain": plain, "python": python}

if __name__ == "__main__":
    # A program takes over the namespace of `__main__`, so nothing of ours may live there.
    import zygote

    zygote.serve(sys.argv[1])
