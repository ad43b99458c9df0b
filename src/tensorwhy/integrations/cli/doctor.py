"""`tensorwhy doctor`: what is installed, which hooks work here, and what will go unobserved."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import click

_FRAMEWORKS = ("tensorflow", "tensorflow-cpu", "tf-nightly", "keras", "tf-keras", "torch")
_OPTIONAL = {
    "pyarrow": "write traces as Parquet",
    "fsspec": "write traces to remote folders",
    "pygls": "serve editors",
}


@click.command("doctor", short_help="Show what is installed, and which hooks work here.")
def command() -> int:
    """Show what is installed, which hooks work here, and what is not covered."""
    from tensorwhy import __version__
    from tensorwhy.adapters import registry

    click.echo(f"tensorwhy {__version__}, Python {platform.python_version()} ({sys.executable}), {platform.platform()}")
    frameworks = list(_installed(_FRAMEWORKS))
    click.echo(f"frameworks: {', '.join(frameworks) or 'none for this Python, so nothing can be observed'}")
    optional = [f"{name} ({use})" for name, use in _OPTIONAL.items() if not list(_installed((name,)))]
    if optional:
        click.echo(f"not installed: {', '.join(optional)}")
    click.echo(f"recording: {_recording()}")
    if sys.version_info < (3, 11):
        click.echo("columns: read from the bytecode; a few lines have none (Python 3.11 and later provide them)")
    if not frameworks:
        return 1
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    unobserved = []
    tried = 0
    for adapter in registry.discover():
        if not any(importlib.util.find_spec(module.partition(".")[0]) for module in adapter.modules):
            continue
        for name, works, detail in _checks(adapter.name):
            tried += 1
            click.echo(f"  {'ok  ' if works else 'FAIL'}  {adapter.name}: {name}{'' if works else f': {detail}'}")
            if not works:
                unobserved.append(detail or name)
    nothing = "nothing known" if tried else "unknown, because no hook could be tried"
    click.echo(f"not covered here: {'; '.join(unobserved) or nothing}")
    return 0


def _recording() -> str:
    """Return whether the hot path is the compiled one; if not, what would bring it."""
    if os.environ.get("TENSORWHY_PURE"):
        return "pure Python, which is slower (TENSORWHY_PURE is set)"
    if importlib.util.find_spec("tensorwhy.recording._fast") is not None:
        try:
            importlib.import_module("tensorwhy.recording._fast")
        except ImportError as error:
            return f"pure Python, which is slower: the compiled part cannot be loaded ({error})"
        return "compiled"
    headers = sysconfig.get_path("include")
    first = "" if Path(headers, "Python.h").exists() else f"install Python's headers (no Python.h in {headers}), then "
    return (
        f"pure Python, which is slower: no part was compiled at installation. To compile it: {first}install the "
        "wheel for this system, or install again with a C compiler"
    )


def _installed(names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        try:
            yield f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue


def _checks(name: str) -> Iterator[tuple[str, bool, str]]:
    """The adapter's own self-test; that it cannot run is an answer too."""
    from tensorwhy.adapters import registry

    adapter = next(each for each in registry.discover() if each.name == name)
    try:
        selftest = registry.selftest(adapter)
        if selftest is None:
            return
        for check in selftest():
            yield check.name, check.works, check.detail
    except ImportError as error:
        yield "import", False, f"cannot be imported ({error})"
    except Exception as error:
        yield "self-test", False, f"failed with {type(error).__name__}: {error}"
