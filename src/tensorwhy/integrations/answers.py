"""The Python API: `record`, `why`, `history`, `explain_gradient`, `install`. A thin layer over the pipeline."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from tensorwhy import pipeline
from tensorwhy.model.messages import counted
from tensorwhy.model.report import Report
from tensorwhy.pipeline import Observation, notebooks

if TYPE_CHECKING:
    from tensorwhy.adapters.protocol import RecordMode
    from tensorwhy.model.history import History


def _how() -> str:
    """Return how to record it next time."""
    ways = (
        "`%load_ext tensorwhy`"
        if notebooks.shell() is not None
        else "`tensorwhy.install()`, or `tensorwhy run PROGRAM`"
    )
    return f"record the computation first: `with tensorwhy.record():`, {ways}"


class Explanation(msgspec.Struct, frozen=True, kw_only=True, repr_omit_defaults=True):
    """An answer that can be printed, or shown at a prompt or in a notebook.

    `report` contains the diagnoses, `history` the origin of the tensor, and `note` additional information.
    """

    report: Report | None = None
    history: History | None = None
    note: str = ""

    def __bool__(self) -> bool:
        """Return whether a reason was found."""
        return self.report is not None and bool(self.report.diagnoses)

    def __str__(self) -> str:
        parts = []
        if self.report is not None and (self or self.report.answers):
            parts.append(str(self.report))
        if self.history is not None:
            parts.append(str(self.history))
        if self.note:
            parts.append(self.note)
        return "\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        import html

        there = self.report is not None and (self or self.report.answers)
        shown = self.report._repr_html_() if self.report is not None and there else ""
        if self.history is not None:
            shown += self.history._repr_html_()
        return shown + (f"<p>{html.escape(self.note)}</p>" if self.note else "")


class Recording:
    """The result of `record()`: the running recording and, after the block, its `report`.

    `report` is None inside the block. Printing a recording, or showing it in a notebook, shows the explanation.
    """

    def __init__(self, mode: RecordMode, show: bool, trace: str | None) -> None:
        self.report: Report | None = None
        self._show = show
        self._observation = Observation(
            record=mode, program=sys.argv[0] if sys.argv else "", argv=tuple(sys.argv[1:]), trace=trace
        )

    def __enter__(self) -> Recording:
        self._observation.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exception: BaseException | None, tb: TracebackType | None
    ) -> None:
        if exception is not None:
            self._observation.failed(exception)
        self.report = self._observation.finish(0 if exception is None else 1)
        if self._show:
            self.report.show()

    def history(self, tensor: Any, limit: int = 50) -> History | None:
        """Return the history of a tensor in this recording."""
        return self._observation.history(tensor, limit)

    def __str__(self) -> str:
        return "tensorwhy is recording" if self.report is None else str(self.report)

    def __repr__(self) -> str:
        return f"<Recording: {'still open' if self.report is None else repr(self.report)}>"

    def _repr_html_(self) -> str:
        return str(self) if self.report is None else self.report._repr_html_()


def record(mode: RecordMode = "auto", *, show: bool = True, trace: str | os.PathLike[str] | None = None) -> Recording:
    """Record the block `with tensorwhy.record() as recording:` and explain lost gradients, histories and graphs in it.

    `show` prints the explanation to standard error at the end of the block; `recording.report` always contains it.
    `mode="full"` records all operations; `"auto"` pauses once every gradient call is known. Exceptions pass through.
    `trace` is a folder (or a URL that fsspec knows) to which a trace is written, as by `tensorwhy run --trace`.
    """
    return Recording(_known(mode, "record"), show, None if trace is None else os.fspath(trace))


def why(x: Any = None, *, limit: int = 20) -> Explanation:
    """Explain why something is None, or where a tensor comes from.

    - `why(gradient)` explains a gradient that is None, `why(gradients)` a list with None in it, and `why()` the last
      None gradient.
    - `why(variable)` and `why(tensor)` show its whole chain in the recorded gradients, and its history.
    - `why(exception)` explains the cause of an exception.

    What happened before recording began is unknown: see `record` and `install`.
    """
    if isinstance(x, BaseException):
        return _of_exception(x)
    if isinstance(x, (list, tuple)) and any(each is None for each in x):
        x = None
    steps = 0
    for observation in pipeline.observations():
        report = observation.about(x)
        if report.diagnoses:
            return Explanation(report=report)
        if report.answers:
            return Explanation(report=report, history=history(x, limit=limit))
        steps += report.coverage.steps_recorded
    if x is None:
        known = f"no lost gradient was found in {counted(steps, 'recorded step')}; ask for a variable or tensor instead"
        return Explanation(note=known if pipeline.observations() else _how())
    return Explanation(history=history(x, limit=limit))


def _of_exception(exception: BaseException) -> Explanation:
    observation = Observation(record="off")
    observation.start()
    observation.failed(exception)
    report = observation.finish(1)
    note = "" if report.diagnoses else f"nothing is known about this {type(exception).__name__}"
    return Explanation(report=report, note=note)


def history(x: Any, *, limit: int = 50) -> History:
    """Return how a tensor was computed: the operation, layer, function and line that created it, and its ancestors.

    Works for eager tensors (while recording, see `record` and `install`), for symbolic tensors of any graph, and for
    Keras tensors. Lists at most `limit` tensors, nearest first. Raises TypeError if `x` is not a tensor.
    """
    found = pipeline.history(x, limit)
    if found is None:
        raise TypeError(
            f"history() takes a tensor, a variable, a Keras layer, or an array that .numpy() returned while recording; "
            f"this is {type(x).__module__}.{type(x).__qualname__}"
        )
    return found


def explain_gradient(target: Any, source: Any, tape: Any = None) -> Explanation:
    """Predict whether the gradient of `target` with respect to `source` (one, or a list) is None, with the whole chain.

    No gradient is computed: the answer follows from the recorded operations and the rules of the tape. `tape` is the
    GradientTape (default: the last one). It must have been opened while recording.
    """
    sources = list(source) if isinstance(source, (list, tuple)) else [source]
    for observation in pipeline.observations():
        report = observation.ask(target, sources, tape)
        if report is not None:
            return Explanation(report=report)
    return Explanation(note=f"this computation was not recorded: {_how()}")


def install(mode: RecordMode = "auto") -> Callable[[], None]:
    """Observe this process from now on and explain it at its end, as `tensorwhy run` does.

    Does nothing if the process is observed already. Returns a function that stops observing, without an explanation.
    """
    mode = _known(mode, "install")
    if pipeline.running():
        return lambda: None
    observation = Observation(record=mode, program=sys.argv[0] if sys.argv else "", argv=tuple(sys.argv[1:]))
    before = sys.excepthook
    failed = []

    def excepthook(kind: type[BaseException], exception: BaseException, tb: TracebackType | None) -> None:
        failed.append(True)
        observation.failed(exception)
        before(kind, exception, exception.__traceback__)

    def at_exit() -> None:
        if _is_here(pid):
            observation.finish(1 if failed else 0).show()

    def uninstall() -> None:
        atexit.unregister(at_exit)
        if getattr(sys, "excepthook", None) is excepthook:
            sys.excepthook = before
        observation.close()

    pid = os.getpid()
    sys.excepthook = excepthook
    atexit.register(at_exit)
    observation.start()
    return uninstall


def _known(mode: RecordMode, caller: str) -> RecordMode:
    from tensorwhy.adapters.protocol import RecordMode

    modes = get_args(RecordMode)
    if mode not in modes:
        raise ValueError(f"{caller}() takes a mode of {', '.join(map(repr, modes))}; this is {mode!r}")
    return mode


class Observed:
    """A block of tensorwhy itself: it is fully recorded, and explained unless it raised. Nothing else observes it."""

    report: Report

    def __enter__(self) -> Observed:
        self._others = pipeline.unobserved()
        self._others.__enter__()
        self._observation = Observation(record="full")
        self._observation.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            if kind is None:
                self.report = self._observation.finish()
            self._observation.close()
        finally:
            self._others.__exit__(None, None, None)


def _is_here(pid: int) -> bool:
    """Return whether this is the observed process itself and not a fork of it."""
    return os.getpid() == pid


def names(items: Iterable[str], most: int = 8) -> str:
    """Return a list of names in words, shortened if it is long."""
    known = list(items)
    rest = f", and {len(known) - most} more" if len(known) > most else ""
    return ", ".join(f"`{name}`" for name in known[:most]) + rest
