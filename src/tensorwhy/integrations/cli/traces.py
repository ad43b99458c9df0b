"""What the command line requires of a trace's folder, said before the program has run for hours."""

from __future__ import annotations

import importlib.util
import os
import tempfile

from tensorwhy.integrations.cli.errors import BadInput

_INSTALL = "install `tensorwhy[trace]`"


def check_writable(path: str) -> None:
    """Raises BadInput where no trace could be written. Imports nothing that the program might import itself."""
    from tensorwhy.traces.folder import is_remote

    if importlib.util.find_spec("pyarrow") is None:
        raise BadInput(f"--trace {path}: traces are Parquet files, which need pyarrow; {_INSTALL}")
    if is_remote(path):
        if importlib.util.find_spec("fsspec") is None:
            raise BadInput(f"--trace {path}: a remote folder needs fsspec; {_INSTALL}")
        return
    folder = os.path.abspath(path.removeprefix("file://"))
    try:
        os.makedirs(folder, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".tensorwhy-", dir=folder)
        os.close(handle)
        os.unlink(temporary)
    except FileExistsError:
        raise BadInput(f"--trace {path}: is a file; give the name of a folder") from None
    except OSError as error:
        raise BadInput(f"--trace {path}: cannot be written ({error.strerror}); give a writable folder") from None
