"""Python runs this first in a child process that is to be observed; then the `sitecustomize` that it stands before."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _other() -> None:
    """Run the module of this name that would have run without this one."""
    path = [each for each in sys.path if os.path.abspath(each or os.curdir) != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


_other()
try:
    from tensorwhy.integrations.children import begin

    begin()
except Exception:  # this Python may have no tensorwhy: then the child runs unobserved
    pass
