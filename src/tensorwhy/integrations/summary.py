"""`tensorwhy.summary(model, inputs)`: the output of each layer, and whether a gradient reaches it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tensorwhy.integrations.answers import Observed
from tensorwhy.model.messages import counted
from tensorwhy.model.plain_text import one_line
from tensorwhy.model.report import Report

if TYPE_CHECKING:
    from tensorwhy.adapters.arrivals import OutputStats

Reached = Literal["flows", "zero", "none", "some", ""]
_HEAD = ("layer", "output", "params", "trainable", "tracked", "gradient", "mean", "spread", "zeros", "NaN")
_NUMBERS = ("params", "mean", "spread", "zeros", "NaN")
_LOST = ("NO", "zero", "None", "in part")
"""Cells that begin with this are bad news."""
_GRADIENT = {"flows": "yes", "zero": "zero", "none": "None", "some": "in part", "": "-"}


class LayerRow(msgspec.Struct, frozen=True, kw_only=True):
    """One layer. `gradient` is empty if the layer has nothing to train; `reasons` are codes of the catalogue.

    `tracked` is False for a layer that ran but that the model does not track: it is never trained or saved.
    """

    name: str
    kind: str
    outputs: tuple[OutputStats, ...] = ()
    parameters: int = 0
    trainable: bool = True
    tracked: bool = True
    gradient: Reached = ""
    reasons: tuple[str, ...] = ()
    called: int = 0


class ModelSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The layers of a model in execution order, and the report of what was lost."""

    model: str
    layers: tuple[LayerRow, ...]
    report: Report

    @property
    def parameters(self) -> int:
        """Return the number of parameters of all layers."""
        return sum(layer.parameters for layer in self.layers)

    def __str__(self) -> str:
        cells = (each for layer in self.layers for each in _cells(layer))
        rows = [_HEAD, *(tuple(map(one_line, row)) for row in cells)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        lines = [one_line(self._title()), lines[0], "-" * len(lines[0]), *lines[1:]]
        if self.report.diagnoses:
            lines += ["", str(self.report)]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from tensorwhy.rendering.html import tables

        rows = [_styled(cells) for layer in self.layers for cells in _cells(layer)]
        shown = tables.table(self._title(), _HEAD, rows)
        return shown + (self.report._repr_html_() if self.report.diagnoses else "")

    def _title(self) -> str:
        return f"model {self.model}: {counted(self.parameters, 'parameter')}"


def summary(model: Any, inputs: Any, **options: Any) -> ModelSummary:
    """Run `model(inputs, **options)` once, forward and backward, and return a row for each layer.

    The gradient is computed for a weighted sum of the outputs. No weight changes.
    """
    from tensorwhy.adapters import arrivals as frameworks

    flow, layer_outputs = frameworks.flow(model), frameworks.layer_outputs(model)
    if not flow.is_model(model):
        known = "a Keras model or layer, or a module of PyTorch"
        raise TypeError(f"summary() takes {known}; this is {type(model).__qualname__}")
    with Observed() as observed, layer_outputs.LayerOutputs(model) as outputs:

        def strangers() -> list[Any]:
            """Return the layers that ran and have weights to train, but are not tracked by the model."""
            tracked = {id(layer) for layer in (model, *layer_outputs.layers(model))}
            others = [seen.layer for seen in outputs.seen.values() if id(seen.layer) not in tracked]
            return [variable for layer in others for variable in layer_outputs.own_variables(layer)[0]]

        arrivals = flow.of_model(model, inputs, None, allow_none=True, also=strangers, **options)
    report = observed.report
    reached = {each.key: each.gradient for each in arrivals}
    reasons = _reasons(report)
    known = layer_outputs.layers(model)
    tracked = {id(layer) for layer in known}
    ran = [seen.layer for seen in outputs.seen.values() if seen.layer is not model]
    rows = []
    idle = [layer for layer in known if id(layer) not in outputs.seen and type(layer).__name__ != "InputLayer"]
    for layer in [*ran, *idle]:
        seen = outputs.seen.get(id(layer))
        trainable, other = layer_outputs.own_variables(layer)
        names = [flow.name_of(variable, 0, model) for variable in trainable]
        rows.append(
            LayerRow(
                name=layer_outputs.name(layer, model),
                kind=type(layer).__name__,
                outputs=tuple(layer_outputs.stats(seen.result)) if seen is not None else (),
                parameters=sum(math.prod(size or 0 for size in variable.shape) for variable in (*trainable, *other)),
                trainable=bool(trainable) or not other,
                tracked=id(layer) in tracked,
                gradient=_together([reached[id(variable)] for variable in trainable if id(variable) in reached]),
                reasons=tuple(dict.fromkeys(code for name in names for code in reasons.get(name, ()))),
                called=seen.calls if seen is not None else 0,
            )
        )
    return ModelSummary(
        model=str(getattr(model, "name", "")) or type(model).__name__, layers=tuple(rows), report=report
    )


def _together(states: list[Any]) -> Reached:
    if not states:
        return ""
    first: Reached = states[0]
    return first if len(set(states)) == 1 else "some"


def _reasons(report: Report) -> dict[str, list[str]]:
    """Map variable names to the codes of the reasons that block their gradients."""
    found: dict[str, list[str]] = {}
    for diagnosis in report.diagnoses:
        for source in (diagnosis.source, *diagnosis.also):
            if source is not None:
                found.setdefault(source.name, []).append(diagnosis.code)
    return found


def _cells(layer: LayerRow) -> list[tuple[str, ...]]:
    """Return one row per output; only the first names the layer."""
    lost = f" ({', '.join(layer.reasons)})" if layer.reasons else ""
    first = (
        f"{layer.name} ({layer.kind})",
        f"{layer.parameters:,}",
        ("yes" if layer.trainable else "frozen") if layer.parameters else "-",
        "yes" if layer.tracked else "NO",
        _GRADIENT[layer.gradient] + lost,
    )
    rows: list[tuple[str, ...]] = []
    for index, output in enumerate(layer.outputs or (None,)):
        name, parameters, *states = first if index == 0 else ("",) * 5
        shape = "did not run" if output is None else f"{output.dtype} {_shape(output.shape)}"
        numbers = ("", "", "", "") if output is None else (
            _number(output.mean), _number(output.spread), _share(output.zeros), _share(output.nans),
        )  # fmt: skip
        rows.append((name, shape, parameters, *states, *numbers))
    return rows


def _styled(cells: Sequence[str]) -> list[tuple[str, str]]:
    return [
        (cell, "number" if name in _NUMBERS else "bad" if cell.startswith(_LOST) else "")
        for name, cell in zip(_HEAD, cells)
    ]


def _shape(shape: tuple[int | None, ...]) -> str:
    return f"({', '.join('?' if size is None else str(size) for size in shape)})"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"
