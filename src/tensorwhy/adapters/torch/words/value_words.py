"""What is said of values and gradients that are NaN or infinite: one row for each finding."""

from __future__ import annotations

from tensorwhy.adapters.torch.operations.traits import WORDING
from tensorwhy.adapters.torch.words.found_words import Words

_FIRST = f"find the first batch that gives NaN: {WORDING.checking}"
_DIVERGED = (
    "training diverged: {name}{more} became NaN or infinite {when}, after the weights grew to {grown:.2g} times their"
    " initial size"
)
VALUES = {
    "nan-dropped": Words("not-finite",
        "{name} hands back NaN as a gradient, and anomaly mode stops there; what comes next would drop it: no leaf"
        " tensor gets NaN", "{numbers} numbers that it hands back are NaN",
        "give {name} only values that it has a finite slope for: select before it, not after it",
        {"asked": "this raises in anomaly mode"},
        other="or leave anomaly mode off here, unless other losses of the program need it"),
    "loss-lost-once": Words("not-finite",
        "the loss of call {number} of `backward()` is NaN or infinite, although the weights stay finite", "{label}",
        "check what goes in there: a row that is masked everywhere, 0/0, a mean of nothing",
        {"asked": "the gradient is computed here"}, certainty="likely",
        caveat="unless such a batch is meant to have no effect"),
    "term-flat": Words("zero-curvature",
        "{term} trains nothing: it needs the second derivative of `{name}`, which is zero",
        "the slope of `{name}` is constant on each side",
        "use a function with curvature: `tanh`, `softplus`, `silu` or `sin`",
        {"term": "this term is flat", "asked": "the loss is differentiated here"},
        caveat="if the second derivative should not count, leave its term out of the loss"),
    "weights-not-finite": Words("not-finite", "{name}{more} became NaN or infinite {when}", "trained here", _FIRST,
        {"optimizer": "the optimizer is created here"}, noun="parameter"),
    "weights-diverged": Words("not-finite", _DIVERGED, "trained here", "",
        {"optimizer": "the optimizer is created here"}, noun="parameter"),
    "weights-scaled": Words("not-finite", _DIVERGED,
        "this changes the weights by a multiple of themselves, outside the optimizer", "",
        {"asked": "trained here", "optimizer": "the optimizer is created here"}, noun="parameter"),
    "slope-infinite": Words("not-finite",
        "{name}{more} {are} NaN or infinite after {calls} calls of `backward()`, and each loss until then was finite:"
        " the slope of {operation} is infinite at 0", "no finite slope at 0",
        "keep the input of {operation} away from 0: add a small number such as 1e-7", {"step": "trained here"},
        certainty="possible", other="or " + _FIRST, noun="parameter"),
    "first-given": Words("not-finite",
        "{name}{more} {are} NaN or infinite, since {operation} is given NaN or infinity in call {number} of"
        " `backward()`", "one of its inputs has no graph, and is not finite", "",
        {"computed": "that input is computed here", "step": "trained here"}, certainty="likely", noun="parameter"),
    "first-not-finite": Words("not-finite",
        "{name}{more} {are} NaN or infinite, since {operation} returns NaN or infinity in call {number} of"
        " `backward()`", "{numbers}", "",
        {"step": "trained here"}, certainty="likely", noun="parameter"),
    "leaf-not-finite": Words("not-finite", "{name}{more} {are} NaN or infinite after {calls} calls of `backward()`",
        "changed here", _FIRST, noun="parameter"),
    "step-not-finite": Words("not-finite",
        "{name}{more} {are} NaN or infinite since step {step} of this {kind}, whose gradients were finite: {why}",
        "this step makes them NaN or infinite", "", {"optimizer": "the optimizer is created here"}, severity="error",
        note="{elements} numbers were lost in this step, with a learning rate of {rate:g}", noun="parameter"),
}  # fmt: skip
