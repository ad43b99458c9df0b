"""`tensorwhy.keras.GradientFlow`: a callback of `fit` that watches whether gradients reach every layer.

One class serves Keras 2 and Keras 3. It derives from neither, but has every method that their callback lists call.
So importing it imports no framework.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Collection
from types import FrameType
from typing import Any

import msgspec

from tensorwhy import pipeline, rendering
from tensorwhy.model.plain_text import one_line
from tensorwhy.model.report import Report, VariableView
from tensorwhy.pipeline import Observation
from tensorwhy.recording.importing import installed
from tensorwhy.recording.locations import UserCode

_HEAD = ("variable", "gradient", "last norm", "measured", "updated")


class GradientFlowWarning(UserWarning):
    """A warning about a problem in training; the message is the explanation."""


class Hooks:
    """Every method that a callback list of Keras may call, without effect."""

    async_safe = False
    _supports_tf_logs = False
    params: Any = None
    model: Any = None

    def set_params(self, params: Any) -> None:
        self.params = params

    def set_model(self, model: Any) -> None:
        self.model = model

    def _implements_train_batch_hooks(self) -> bool:
        return True

    def _implements_test_batch_hooks(self) -> bool:
        return False

    def _implements_predict_batch_hooks(self) -> bool:
        return False

    def _nothing(self, *args: Any, **kwargs: Any) -> None:
        pass

    on_train_begin = on_train_end = on_test_begin = on_test_end = on_predict_begin = on_predict_end = _nothing
    on_epoch_begin = on_epoch_end = on_batch_begin = on_batch_end = _nothing
    on_train_batch_begin = on_train_batch_end = on_test_batch_begin = on_test_batch_end = _nothing
    on_predict_batch_begin = on_predict_batch_end = _nothing


class GradientFlow(Hooks):
    """Warn once about each problem in `fit`, and record the gradient of each variable over time.

    - `sample`: a batch `(x, y)`. Every `every` epochs, the gradient of the model's loss on it is computed for each
      variable. The norms are in `report.variables`. This does not change the training.
    - `steps`: compute it after these training steps instead, counted from 0 over all epochs. Needs `sample`.
    - `log_dir`: write findings for TensorBoard as text and, with a `sample`, the norms as one scalar per layer.

    After training, `report` contains all findings.
    """

    def __init__(
        self,
        sample: tuple[Any, Any] | None = None,
        *,
        every: int = 1,
        steps: Collection[int] | None = None,
        log_dir: str | None = None,
    ) -> None:
        if steps is not None and sample is None:
            raise ValueError("GradientFlow(steps=...) needs sample=(x, y): a batch to compute gradients for")
        if sample is not None and not (isinstance(sample, (tuple, list)) and len(sample) == 2):
            raise ValueError(f"GradientFlow(sample=...) takes a pair (x, y); this is {type(sample).__name__}")
        if every < 1:
            raise ValueError(f"GradientFlow(every=...) takes a number of epochs, at least 1; this is {every}")
        if log_dir is not None and not installed("tensorboard"):
            raise ValueError("GradientFlow(log_dir=...) needs TensorBoard: pip install tensorboard")
        self.report: Report | None = None
        self._sample = sample
        self._every = every
        self._chosen = None if steps is None else frozenset(steps)
        self._step = self._epoch = 0
        self._log_dir = log_dir
        self._writer: Any = None
        self._observation: Observation | None = None
        self._warned: set[tuple[object, ...]] = set()
        self._reports: list[Report] = []
        self._norms: dict[str, list[tuple[int, Any]]] = defaultdict(list)
        self._before: dict[str, bytes | None] = {}

    def __repr__(self) -> str:
        if self.report is None:
            return "<GradientFlow: no finished training>"
        return f"<GradientFlow: {self.report!r}>"

    def _repr_html_(self) -> str:
        from tensorwhy.rendering.html import tables

        if self.report is None:
            return tables.table("GradientFlow: no finished training", (), ())
        rows = [_row(view) for view in self.report.variables]
        norms = tables.table("gradients of the variables", _HEAD, rows) if rows else ""
        return (self.report._repr_html_() if self.report.diagnoses or not rows else "") + norms

    def on_train_begin(self, logs: Any = None) -> None:
        from tensorwhy.adapters.tensorflow import values

        if self._observation is not None:  # the fit before this one failed, which tells no callback
            self._observation.close()
        self.report = None
        self._step = self._epoch = 0
        self._reports.clear()
        self._norms.clear()
        self._before = values.digests(self.model)
        self._observation = Observation(program="fit", argv=(), experiments=False)
        self._observation.start()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if batch == 0:
            self._look()
            if not self._before:  # the first step has built the model
                from tensorwhy.adapters.tensorflow import values

                self._before = values.digests(self.model)
        if self._chosen is not None and self._step in self._chosen:
            self._measure(self._step)
        self._step += 1

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._look()
        if self._chosen is None and epoch % self._every == 0:
            self._measure(epoch)

    def on_train_end(self, logs: Any = None) -> None:
        if self._observation is None:
            return
        self._tell(self._observation.finish())
        self._observation = None
        self.report = self._summed_up()

    def _look(self) -> None:
        if self._observation is not None:
            self._tell(self._observation.so_far())

    def _tell(self, report: Report) -> None:
        new = []
        for diagnosis in report.diagnoses:
            key = (diagnosis.code, diagnosis.primary, diagnosis.message)
            if key not in self._warned and diagnosis.severity != "note":
                self._warned.add(key)
                new.append(diagnosis)
        report = msgspec.structs.replace(report, diagnoses=tuple(new))
        self._reports.append(report)
        if new:
            self._log(report)
            _warn("\n" + str(report))

    def _log(self, report: Report) -> None:
        """Write new findings for TensorBoard at the step or epoch of the norms."""
        if self._log_dir is None:
            return
        from tensorwhy.adapters.tensorflow import flow

        render = rendering.renderer("markdown")
        at = self._epoch if self._chosen is None else self._step
        try:
            with pipeline.unobserved():
                for diagnosis in report.diagnoses:
                    found = msgspec.structs.replace(report, diagnoses=(diagnosis,))
                    name = f"findings/{diagnosis.code} {diagnosis.slug}"
                    flow.write_text(self._events(), name, render(found, rendering.Options(base=os.getcwd())), at)
        except Exception as error:  # a folder that cannot be written must not end a training that lasted for hours
            self._log_dir = None
            said = f"writing for TensorBoard stopped: {type(error).__name__}: {error}"
            _warn(one_line(said))

    def _events(self) -> Any:
        """Return the writer for TensorBoard; opens a file on the first use."""
        from tensorwhy.adapters.tensorflow import flow

        assert self._log_dir is not None
        self._writer = self._writer or flow.writer(os.path.join(self._log_dir, "gradients"))
        return self._writer

    def _measure(self, at: int) -> None:
        """Compute the norms. A sample that the model does not accept must not end the training."""
        if self._sample is None:
            return
        try:
            self._take(at, *self._sample)
        except Exception as error:
            self._sample = None
            said = f"computing gradients of the sample stopped: {type(error).__name__}: {error}"
            _warn(one_line(said))

    def _take(self, at: int, x: Any, y: Any) -> None:
        from tensorwhy.adapters.tensorflow import flow

        layers: dict[str, float] = defaultdict(float)
        with pipeline.unobserved():
            arrivals = flow.of_loss(self.model, x, y)
        for arrival in arrivals:
            self._norms[arrival.name].append((at, arrival))
            layers[arrival.name.rpartition("/")[0]] += (arrival.norm or 0.0) ** 2
        if self._log_dir is not None:
            flow.write_norms(self._events(), {name: total**0.5 for name, total in layers.items()}, at)

    def _summed_up(self) -> Report:
        from tensorwhy.adapters.tensorflow import values

        last = self._reports[-1]
        diagnoses = tuple(
            msgspec.structs.replace(diagnosis, id=f"d{number}", together_with=())
            for number, diagnosis in enumerate((d for report in self._reports for d in report.diagnoses), 1)
        )
        excerpts: dict[str, dict[int, str]] = {}
        for report in self._reports:
            for file, lines in report.excerpts.items():
                excerpts.setdefault(file, {}).update(lines)
        after = values.digests(self.model)
        views = []
        for name, digest in after.items():
            taken = self._norms.get(name, [])
            arrivals = [arrival for _, arrival in taken]
            views.append(
                VariableView(
                    name=name.rpartition("/")[2],
                    layer=name.rpartition("/")[0],
                    dtype=arrivals[-1].dtype if arrivals else "",
                    shape=arrivals[-1].shape if arrivals else None,
                    trainable=True,
                    tracked=True,
                    updated=self._before[name] != digest if name in self._before else None,
                    gradient=arrivals[-1].gradient if arrivals else "unknown",
                    steps=tuple(at for at, _ in taken),
                    norms=tuple(_number(arrival.norm) for arrival in arrivals),
                )
            )
        return msgspec.structs.replace(last, diagnoses=diagnoses, variables=tuple(views), excerpts=excerpts)


def _number(norm: float | None) -> Any:
    """Return a norm as the report writes it: a word if JSON has no number for it."""
    if norm is None or norm - norm == 0:
        return norm
    return "nan" if norm != norm else "inf"


def _warn(text: str) -> None:
    """Warn at the user's call of `fit`, regardless of the Keras frames in between."""
    user = UserCode()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not user.owns(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        warnings.warn(text, GradientFlowWarning, stacklevel=2)
        return
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    name = frame.f_globals.get("__name__", "<unknown>")
    warnings.warn_explicit(
        text, GradientFlowWarning, frame.f_code.co_filename, frame.f_lineno, module=name, registry=registry
    )


def _row(view: VariableView) -> list[tuple[str, str]]:
    """Return a variable as a table row: its last norm, or why there is none."""
    last = view.norms[-1] if view.norms else ""
    norm = f"{last:.3g}" if isinstance(last, float) else "None" if last is None else last
    return [
        ("/".join(filter(None, (view.layer, view.name))), ""),
        (view.gradient, "bad" if view.gradient in ("none", "zero") else ""),
        (norm, "number"),
        (str(len(view.steps)), "number"),
        ({True: "yes", False: "NO", None: ""}[view.updated], "bad" if view.updated is False else ""),
    ]
