"""Runs commands of tensorwhy in forks of a process that has imported everything, under limits.

One request is one line of JSON: `args`, `cwd`, and the files `out` and `err`. The answer says how the command ended.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import signal
import sys
import time
import traceback
from typing import Any

SECONDS = 5
"""Of the processor, and twice as many by the clock for each process that the machine may have to run beside it."""
WAITED = 60
MEMORY = 1 << 30


def load() -> None:
    """Import what the commands would import, once for all forks."""
    import contextlib
    import gc
    import importlib
    import pkgutil

    import markdown_it
    import platformdirs

    import tensorwhy
    from tensorwhy.checks import all_probes
    from tensorwhy.reasons import catalogue

    catalogue()
    all_probes()
    for package in (tensorwhy, markdown_it, platformdirs):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            program = module.name.rpartition(".")[2].startswith(("broken_", "fixed_", "__main__"))
            if not program and ".adapters." not in module.name:
                with contextlib.suppress(ImportError):  # for what is not installed
                    importlib.import_module(module.name)
    for name in ("pyarrow.parquet", "pyarrow.compute", "hmac", "secrets", "zipfile"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()


def child(request: dict[str, Any]) -> int:
    """The command, in a process of its own."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(WAITED)
    os.chdir(request["cwd"])
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(request[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    from tensorwhy.integrations.cli.main import main

    try:
        code = main(request["args"])
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:
        traceback.print_exc()
        code = 99
    if request["args"][0] == "run":
        atexit._run_exitfuncs()  # in which the report is written
    sys.stdout.flush()
    sys.stderr.flush()
    return code


def serve() -> None:
    """Answer requests until there are no more."""
    load()
    print("ready", flush=True)
    for line in sys.stdin:
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            code = 98
            try:
                code = child(json.loads(line))
            finally:
                os._exit(code)
        _, status, used = os.wait4(pid, 0)
        answer = {
            "code": os.waitstatus_to_exitcode(status),
            "seconds": used.ru_utime + used.ru_stime,
            "waited": time.monotonic() - started,
            "memory": used.ru_maxrss * 1024,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    assert resource.getrlimit(resource.RLIMIT_AS)
    serve()
