"""Asserts for people's own test suites. Each raises AssertionError with the explanation in its message."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from tensorwhy.integrations.answers import Observed, names
from tensorwhy.model.report import Report


def assert_gradients_flow(
    model_or_fn: Any, inputs: Any, sources: Sequence[Any] | None = None, *, allow_zeros: bool = True, **options: Any
) -> None:
    """Fail when a gradient of the output is None; with `allow_zeros=False` also when one is exactly zero.

    For a Keras model or layer, `sources` are its trainable variables unless given, and `options` (such as
    `training=True`) go to the call. For a function they are its floating-point inputs; a tuple of inputs is its
    positional arguments.
    """
    __tracebackhide__ = True
    from tensorwhy.adapters.tensorflow import flow

    with Observed() as observed:
        if flow.is_model(model_or_fn):
            arrivals = flow.of_model(model_or_fn, inputs, sources, **options)
        else:
            arrivals = flow.of_function(model_or_fn, inputs, sources)
    lost = [each.name for each in arrivals if each.gradient == "none"]
    zero = [each.name for each in arrivals if each.gradient == "zero" and not allow_zeros]
    problems = []
    if lost:
        problems.append(f"the gradient is None for {len(lost)} of {len(arrivals)}: {names(lost)}")
    if zero:
        problems.append(f"the gradient is exactly zero for {len(zero)} of {len(arrivals)}: {names(zero)}")
    _fail(problems, observed.report)


def assert_all_trained(model: Any, step: Callable[[], Any]) -> None:
    """Fail when a trainable variable of the model did not change in one `step()`.

    A model that has no variables yet is built by a first step; then `step` is called twice. Where a failure cannot be
    explained, because the step had been compiled before, it is called once more without being compiled.
    """
    __tracebackhide__ = True
    from tensorwhy.adapters.tensorflow import values

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
        report = observed.report if observed.report.diagnoses else _not_compiled(step) or observed.report
        _fail([f"{len(still)} of {len(before)} trainable variables did not change: {names(still)}"], report)


def _not_compiled(step: Callable[[], Any]) -> Report | None:
    """The report of one more step, all of which runs in Python; None where it fails."""
    from tensorwhy.adapters.tensorflow import flow

    try:
        with Observed() as observed, flow.eagerly():
            step()
    except Exception:  # the assertion has failed already, and this only explains it
        return None
    return observed.report


def assert_no_leaks(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Fail when a symbolic tensor is reachable after `fn(*args, **kwargs)` that was not before. Gives what `fn` gave.

    Such a tensor escaped from the trace of a function, a loop or a branch, and has no value outside of it.
    """
    __tracebackhide__ = True
    from tensorwhy.adapters.tensorflow.failures import escaped

    frame = sys._getframe(1)
    before = escaped.reachable(fn, frame)
    result = fn(*args, **kwargs)
    leaked = [each for key, each in escaped.reachable(fn, frame).items() if key not in before]
    if leaked:
        tensors = "1 symbolic tensor" if len(leaked) == 1 else f"{len(leaked)} symbolic tensors"
        raise AssertionError("\n".join([f"{tensors} escaped:", *(f"  {each}" for each in leaked)]))
    return result


def _fail(problems: list[str], report: Report) -> None:
    __tracebackhide__ = True  # pytest then ends the traceback at the line of the test
    if problems:
        reasons = "\n\n" + str(report) if report.diagnoses else ""
        raise AssertionError("\n".join(problems) + reasons)
