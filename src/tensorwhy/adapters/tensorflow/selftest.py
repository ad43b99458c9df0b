"""Tries every hook on a few operations: what `tensorwhy doctor` shows.

It runs operations, and so starts TensorFlow: never called in a process of the user's program.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tensorwhy.adapters.protocol import Check
from tensorwhy.adapters.tensorflow.hooks import entry_points
from tensorwhy.adapters.tensorflow.session import TensorFlowSession
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode


def selftest() -> Iterable[Check]:
    """One check for each kind of thing that a recording should see."""
    session = TensorFlowSession(UserCode(own=(os.path.dirname(os.path.abspath(__file__)),)), "full")
    session.start()
    session.recorder.on_function = lambda name, frame: None  # it would stand in for hooks on tracing that see nothing
    try:
        _program()
        if session.recorder.failure:
            yield Check(name="hooks", works=False, detail=f"a hook failed: {session.recorder.failure}")
            return
        events = list(session.journal.events())
        for name, detail, seen in _CHECKS:
            yield Check(name=name, works=seen(session, events), detail=detail)
    finally:
        session.close()
    yield Check(name="entry points", works=entry_points.are_seen(), detail=entry_points.LIMITS)
    yield Check(name="hooks taken out", works=_as_before(), detail="a hook is still in place after recording ended")


def _program() -> None:
    """A little of everything; the last gradient is None."""
    variable = tf.Variable(2.0)
    constant = tf.constant(3.0)

    @tf.function  # type: ignore[untyped-decorator]
    def traced(x: Any) -> Any:
        return tf.exp(x)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(constant)
        target = traced(variable * constant)
        float(target)
    tape.gradient(target, variable)
    tape.gradient(target, tf.constant(1.0))


def _as_before() -> bool:
    from tensorflow.python import pywrap_tfe

    return all(
        getattr(getattr(pywrap_tfe, name), "__module__", "").partition(".")[0] != "tensorwhy"
        for name in ("TFE_Py_FastPathExecute", "TFE_Py_Execute", "TFE_Py_TapeGradient", "TFE_Py_TapeSetNew")
    )


def _event(kind: int, name: str = "") -> Callable[[TensorFlowSession, list[j.Event]], bool]:
    def seen(session: TensorFlowSession, events: list[j.Event]) -> bool:
        return any(event.kind == kind and session.journal.names[event.name].startswith(name) for event in events)

    return seen


def _line(session: TensorFlowSession, events: list[j.Event]) -> bool:
    return any(
        event.kind == j.OP
        and (location := session.journal.location(event.place)) is not None
        and location.function.endswith("_program")
        for event in events
    )


def _traced_line(session: TensorFlowSession, events: list[j.Event]) -> bool:
    return any(
        event.kind == j.GRAPH_OP
        and session.journal.names[event.name] == "Exp"
        and (location := session.journal.location(event.place)) is not None
        and location.file == os.path.abspath(__file__)
        for event in events
    )


_CHECKS: tuple[tuple[str, str, Callable[[TensorFlowSession, list[j.Event]], bool]], ...] = (
    ("eager operations", "operations that run eagerly", _event(j.OP, "Mul")),
    ("lines of operations", "the user's line of an operation", _line),
    (
        "tapes",
        "when a tape is opened and closed",
        lambda s, e: _event(j.RECORDER_NEW)(s, e) and _event(j.RECORDER_REMOVE)(s, e),
    ),
    ("watched tensors", "what a tape was told to watch", _event(j.WATCH)),
    ("variable reads", "variables that were read", _event(j.ACCESS)),
    ("values from Python", "values that come from Python or NumPy", _event(j.ENTRY)),
    ("values to Python", "values that leave by .numpy(), float(), int() or bool()", _event(j.EXIT)),
    ("traced operations", "operations of traced functions", _event(j.GRAPH_OP, "Exp")),
    ("lines of traced code", "the user's line in code that AutoGraph rewrote", _traced_line),
    ("traced functions", "what traced functions take and give", lambda s, e: bool(s.functions.by_name)),
    ("gradient questions", "gradients that are None", lambda s, e: len(s.questions.asked) == 1),
)
