"""Keeps what programs did without the tool, so that a program is run plainly once and not in every run of the tests.

A result is kept in the user's cache folder, under a name that stands for everything it depends on: the text of the
program and of the fork server, the Python, the processor, and the versions of what is installed. Programs draw the same
random numbers each time.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from support.runner import HERE, Result

_FRAMEWORKS = ("tensorflow-cpu", "tensorflow", "keras", "tf_keras", "numpy")
_SERVER = [HERE / "zygote.py"]


def kept(files: Sequence[Path], run: Callable[[], Result]) -> Result:
    """Return what the program in these files did the last time it ran here; run it if it never did."""
    place = _folder() / f"{_key(files)}.json"
    try:
        return msgspec.json.decode(place.read_bytes(), type=Result)
    except (OSError, msgspec.DecodeError):
        result = run()
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(msgspec.json.encode(result))
    unfinished.replace(place)
    return result


def _folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tensorwhy-tests" / "plain-runs"


def _key(files: Sequence[Path]) -> str:
    # Programs print paths, in the texts of errors: a result holds for this checkout and this environment.
    parts = [
        str(HERE),
        sys.prefix,
        sys.version,
        platform.processor(),
        platform.machine(),
        os.environ.get("TF_ENABLE_ONEDNN_OPTS", ""),
    ]
    for name in _FRAMEWORKS:
        try:
            parts.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    known = hashlib.sha256("\n".join(parts).encode())
    for file in [*files, *_SERVER]:
        text = file.read_bytes()
        known.update(f"\n{file.name} {len(text)}\n".encode())
        known.update(text)
    return known.hexdigest()
