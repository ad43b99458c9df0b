"""The function mode that sees each public function; its compiled part does the same, where it was built."""

from __future__ import annotations

import sys
import types
from typing import Any, NamedTuple

import torch
from torch.overrides import TorchFunctionMode

from tensorwhy.adapters.torch.operations import kinds as k
from tensorwhy.adapters.torch.operations.graphs import keeps_graphs
from tensorwhy.adapters.torch.recording import calls as c
from tensorwhy.adapters.torch.recording.rows import Rows
from tensorwhy.adapters.torch.recording.serials import Weak
from tensorwhy.adapters.torch.recording.warned import WARNED
from tensorwhy.recording import hot_path
from tensorwhy.recording import journal as j


class Known(NamedTuple):
    """What is known of a function: its kind, what begins its rows, its name, and the kind for compiled code."""

    kind: k.Kind
    header: int
    name: str
    flags: int


class Mode(TorchFunctionMode):  # type: ignore[misc]
    """Hands every public function of PyTorch to the rows once it has run."""

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self._rows = rows
        self._known: dict[Any, Known] = {}
        compiled = hot_path.mode is not None and hot_path.is_wanted()
        own = Mode.__torch_function__.__code__
        WARNED.mode = None if compiled else own
        WARNED.hidden.add(own)
        if compiled:
            setattr(self, "__torch_function__", types.MethodType(self._watcher(), self))  # noqa: B010

    def __torch_function__(self, func: Any, classes: Any, args: Any = (), kwargs: Any = None) -> Any:
        kind = (self._known.get(func) or self._learn(func)).kind
        rows = self._rows
        if kind.code == k.IN_PLACE and rows.writing and not rows.silent:
            rows.changing(args)
        begun = WARNED.begin()
        try:
            result = func(*args, **kwargs) if kwargs else func(*args)
        except RuntimeError:
            if kind.code != k.SKIP and rows.writing and not rows.silent:
                rows.refused(kind, args, kwargs, sys._getframe(1))
            raise
        finally:
            WARNED.end(begun)
        if kind.code != k.SKIP and rows.writing and not rows.silent:
            rows.write(kind, func, args, kwargs, result, sys._getframe(1))
        return result

    def _learn(self, func: Any) -> Known:
        """Take note of a function that is called for the first time."""
        kind = k.kind_of(func)
        plain = kind.code == k.OP and kind.name not in k.STOPS
        pairing, skipped = kind.name in c.BROADCASTING, kind.code == k.SKIP
        flags = plain | kind.floats << 1 | pairing << 2 | skipped << 3 | (type(func) is types.FunctionType) << 4
        flags |= (kind.code == k.IN_PLACE) << 5
        header = self._rows.journal.header(j.OP, kind.name, 0, 0)
        found = self._known[func] = Known(kind, header, kind.name, flags)
        return found

    def _watcher(self) -> Any:
        """The compiled mode. It reads and writes the tables of the rows."""
        rows, journal, serials, calls = self._rows, self._rows.journal, self._rows.serials, self._rows.calls
        return hot_path.mode.Watcher(
            rows=rows, learn=self._learn, general=rows.write, refused=rows.refused,
            fail=rows.fail, kinds=self._known, serials=serials, known=serials._known, requiring=serials._requiring,
            calls=calls, kept=calls._calls, makers=calls._makers, alive=calls._alive, shapes=calls.shapes,
            scalars=rows.scalars, sequence=rows.sequence, strangers=rows.strangers, journal=journal,
            files=rows.places.files, place_index=journal.place_index, threads=journal.threads, dtypes=k.DTYPES,
            tensor=torch.Tensor, parameter=torch.nn.Parameter, weak=Weak, ref=c.Ref, call=c.Call, plain=c.PLAIN,
            is_autocast=c.is_autocast, autocast=c.autocast, keeps_graphs=keeps_graphs, is_ready_made=c.is_ready_made,
            most=c.MOST, warned=WARNED, again=_again, changing=rows.changing, depth=torch._C._len_torch_function_stack,
        )  # fmt: skip


def _again(func: Any, args: Any, kwargs: Any, error: Exception) -> None:
    try:
        raise error
    finally:
        del error  # else it would hold itself, and the tensors of the call


_again.__code__ = _again.__code__.replace(co_name="__torch_function__")
