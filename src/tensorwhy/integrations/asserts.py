"""Asserts for your test suite. Each raises AssertionError with the explanation in its message."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tensorwhy.integrations.answers import Observed, names
from tensorwhy.model.plain_text import one_line
from tensorwhy.model.report import Report

_UNTIL_EXPLAINED = 3
"""A step is looked at more closely after it gave zeros several times."""


def assert_gradients_flow(
    model_or_fn: Any, inputs: Any, sources: Sequence[Any] | None = None, *, allow_zeros: bool = True, **options: Any
) -> None:
    """Fail if a gradient of the output is None or, with `allow_zeros=False`, exactly zero.

    For a Keras model or layer, or a module of PyTorch, `sources` default to its trainable variables, and `options`
    (such as `training=True`) are passed to the call. For a function, they default to its floating-point inputs; a tuple
    of inputs is passed as positional arguments. To explain a zero, the same pass runs three more times.
    """
    __tracebackhide__ = True
    from tensorwhy.adapters import arrivals as frameworks

    flow = frameworks.flow(model_or_fn, inputs, sources)
    if flow.is_model(model_or_fn):
        once = functools.partial(flow.of_model, model_or_fn, inputs, sources, **options)
    else:
        once = functools.partial(flow.of_function, model_or_fn, inputs, sources)
    with Observed() as observed:
        arrivals = once()
        zero = [each.name for each in arrivals if each.gradient == "zero" and not allow_zeros]
        for _ in range(_UNTIL_EXPLAINED if zero else 0):
            once()
    lost = [each.name for each in arrivals if each.gradient == "none"]
    problems = []
    if lost:
        problems.append(f"the gradient is None for {len(lost)} of {len(arrivals)}: {names(lost)}")
    if zero:
        problems.append(f"the gradient is exactly zero for {len(zero)} of {len(arrivals)}: {names(zero)}")
    _fail(problems, observed.report)


def assert_all_trained(model: Any, step: Callable[[], Any]) -> None:
    """Fail if a trainable variable of the model does not change in one `step()`.

    If the model has no variables yet, a first step builds it, and `step` is called twice. If a failure cannot be
    explained because the step was compiled before, `step` is called once more without compilation.
    """
    __tracebackhide__ = True
    from tensorwhy.adapters import arrivals

    values = arrivals.values(model)
    with Observed() as observed:
        if not values.known(model):
            step()
        before = values.digests(model)
        if not before:
            raise ValueError(
                f"assert_all_trained() needs an object with trainable variables; this {type(model).__name__} has none"
            )
        step()
    after = values.digests(model)
    still = [name for name, digest in before.items() if after.get(name) == digest]
    if still:
        report = observed.report if observed.report.diagnoses else _not_compiled(model, step) or observed.report
        _fail([f"{len(still)} of {len(before)} trainable variables did not change: {names(still)}"], report)


def _not_compiled(model: Any, step: Callable[[], Any]) -> Report | None:
    """Return the report of one more step that runs in Python only; None if it fails."""
    from tensorwhy.adapters import arrivals

    try:
        with Observed() as observed, arrivals.flow(model).eagerly():
            step()
    except Exception:  # the assertion has failed already, and this only explains it
        return None
    return observed.report


def assert_no_leaks(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Fail if `fn(*args, **kwargs)` leaves a symbolic tensor reachable that was not before. Return the result of `fn`.

    Such a tensor escaped from the trace of a function, a loop or a branch, and has no value outside it.
    PyTorch has none.
    """
    __tracebackhide__ = True
    if "tensorflow" not in sys.modules and "keras" not in sys.modules:
        raise ValueError("assert_no_leaks() looks for symbolic tensors of TensorFlow, which is not imported")
    from tensorwhy.adapters.tensorflow.failures import escaped

    frame = sys._getframe(1)
    before = escaped.reachable(fn, frame)
    result = fn(*args, **kwargs)
    leaked = [each for key, each in escaped.reachable(fn, frame).items() if key not in before]
    if leaked:
        tensors = "1 symbolic tensor" if len(leaked) == 1 else f"{len(leaked)} symbolic tensors"
        raise AssertionError("\n".join([f"{tensors} escaped:", *(f"  {one_line(str(each))}" for each in leaked)]))
    return result


def _fail(problems: list[str], report: Report) -> None:
    __tracebackhide__ = True  # pytest then ends the traceback at the line of the test
    if problems:
        reasons = "\n\n" + str(report) if report.diagnoses else ""
        raise AssertionError("\n".join(map(one_line, problems)) + reasons)
