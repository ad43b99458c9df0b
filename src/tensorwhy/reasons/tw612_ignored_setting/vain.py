"""What is said of settings that another setting, or the way of a call, leaves without effect: a row for each kind."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Evidence
from tensorwhy.diagnosis.rows import Row
from tensorwhy.diagnosis.training import marks
from tensorwhy.model.facts.training import VainKind, VainSetting
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

_ROWS: dict[VainKind, tuple[Row, str, str]] = {
    "loss-weights": (
        Row(
            "`loss_weights` has no effect: `train_step` computes its own loss, and never calls the compiled one",
            "`loss_weights` is set here",
            (
                Fix(summary="in `train_step`, compute the loss with `self.compute_loss(x=x, y=y, y_pred=y_pred)`"),
                Fix(summary="or multiply the terms of the loss by their weights in `train_step`"),
            ),
        ),
        "trained here",
        "this step never asks for the compiled loss",
    ),
    "epoch": (
        Row(
            "the schedule `{0.name}` gets epoch 0 in each of {0.times} calls of `fit`: each call counts from 0 again",
            "`fit` is called anew here for each epoch",
            (
                Fix(summary="continue counting: `fit(..., initial_epoch=epoch, epochs=epoch + 1)`"),
                Fix(summary="or call `fit` once, with all epochs, and do the rest in a callback"),
            ),
        ),
        "this function reads the number of the epoch",
        "",
    ),
    "state": (
        Row(
            "`fit` shuffles the samples, so layer `{0.name}` hands its state on to other samples",
            "shuffles the samples before each epoch",
            (
                Fix(summary="keep the order of the samples: `fit(..., shuffle=False)`"),
                Fix(summary="or, if the batches do not continue each other: create the layer without `stateful=True`"),
            ),
        ),
        "`stateful=True`: sample i of a batch begins with the state of sample i of the batch before",
        "",
    ),
    "closure": (
        Row(
            "{0.times} `Lambda` layers compute the same: each reads `{0.name}` when it is called, and that is "
            "{0.value} by now",
            "reads `{0.name}` of the loop when it is called, not when it is created",
            (
                Fix(summary="bind the value when the function is created: `lambda x, {0.name}={0.name}: ...`"),
                Fix(summary="or write a layer that gets the value in its constructor"),
            ),
        ),
        "the layers are called here, after the loop",
        "",
    ),
    "optimizer": (
        Row(
            "each of {0.times} calls of `fit` trains with a new optimizer, so `{0.name}` forgets its averages of the "
            "gradients each time",
            "the model is compiled anew here, between the calls",
            (
                Fix(summary="compile once, before the first call of `fit`"),
                Fix(summary="to change the learning rate only: `model.optimizer.learning_rate.assign(rate)`"),
            ),
        ),
        "trained here",
        "",
    ),
    "empty": (
        Row(
            "{0.value} of the targets are all zeros: they add nothing to the loss, but `{0.name}` counts each of them "
            "as class 0",
            "these targets have rows without a class",
            (
                Fix(summary="mask the padding: `mask_zero=True` in `Embedding`, or a `Masking` layer"),
                Fix(summary="or give these rows weight 0: `sample_weight`, and `weighted_metrics` in `compile`"),
            ),
        ),
        "",
        "",
    ),
    "equality": (
        Row(
            "the metric `{0.name}` counts outputs that equal the label, but the outputs are probabilities or logits",
            "`Accuracy` compares without rounding",
            (Fix(summary='count the right classes: `{0.value}`, or `"accuracy"`, in `metrics`'),),
        ),
        "trained here",
        "",
    ),
    "threshold": (
        Row(
            "the metric `{0.name}` counts an output above 0.5 as class 1, but the loss takes the outputs for logits, "
            "which are class 1 above 0",
            "`from_logits=True`, and a metric for probabilities",
            (Fix(summary="cut at 0: `BinaryAccuracy(threshold=0.0)` in `metrics`"),),
        ),
        "trained here",
        "",
    ),
    "logits": (
        Row(
            "`{0.value}` takes probabilities, but the last layer `{0.name}` has no activation: its outputs are any "
            "numbers",
            "a layer without activation gives the output",
            (
                Fix(summary="tell the loss that it gets logits: `from_logits=True`"),
                Fix(summary="or give the layer an activation: `sigmoid` for one class, `softmax` for several"),
            ),
        ),
        "compiled with a loss for probabilities here",
        "",
    ),
}
_AT_CALL = ("epoch", "state", "empty")
"""Kinds of which the call is the line to change."""


def evidence(fact: VainSetting) -> Evidence:
    """Return what is said of one setting."""
    row, other, step = _ROWS[fact.kind]
    said = Row(row.message.format(fact), row.label.format(fact), row.fixes)
    primary, second = (fact.used, fact.set_at) if fact.kind in _AT_CALL else (fact.set_at, fact.used)
    return Evidence(
        message=said.message,
        primary=Marked.at(primary, said.label),
        related=marks(primary, (second, other, "other"), (fact.step, step, "step")),
        fixes=tuple(Fix(summary=each.summary.format(fact), caveat=each.caveat) for each in said.fixes),
    )
