"""What the command line requires of a trace's folder, said before the program has run for hours."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile

from tensorwhy.integrations.cli.errors import BadInput

_INSTALL = "install `tensorwhy[trace]`"
_ASK = """\
import sys
sys.path = [each for each in sys.path if each]  # not the working directory: what is there is the program's
import fsspec
fsspec.core.url_to_fs(sys.argv[1])
"""


def check_writable(path: str) -> None:
    """Raises BadInput where no trace could be written. Imports nothing that the program might import itself."""
    from tensorwhy.traces.folder import is_remote

    if importlib.util.find_spec("pyarrow") is None:
        raise BadInput(f"--trace {path}: traces are Parquet files, which need pyarrow; {_INSTALL}")
    if is_remote(path):
        if importlib.util.find_spec("fsspec") is None:
            raise BadInput(f"--trace {path}: a remote folder needs fsspec; {_INSTALL}")
        _check_remote(path)
        return
    folder = os.path.abspath(path.removeprefix("file://"))
    try:
        os.makedirs(folder, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".tensorwhy-", dir=folder)
        os.close(handle)
        os.unlink(temporary)
    except FileExistsError:
        raise BadInput(f"--trace {path}: is a file; pass the name of a folder") from None
    except OSError as error:
        raise BadInput(f"--trace {path}: cannot be written ({error.strerror}); pass a writable folder") from None


def _check_remote(path: str) -> None:
    """Return whether fsspec knows this kind of store, and has what it needs for it: asked of a process of its own."""
    done = subprocess.run([sys.executable, "-c", _ASK, path], capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2].partition(": ")[2] or f"exit code {done.returncode}"
        raise BadInput(f"--trace {path}: {reason}; pass a folder, or a URL that fsspec knows here")
