"""TW611 not-finite: variables are NaN or infinite when training is over."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks, names, refs
from tensorwhy.model.facts.training import NotFinite
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, Verification

META = about(
    __name__, summary="Trained variables, or the loss, are NaN or infinite when training is over.", severity="warning"
)
_GROWN = 1e3


def match(case: Case) -> Evidence | None:
    """Hold for variables that are NaN by now, and that no single operation is named for."""
    fact = case.fact
    if not isinstance(fact, NotFinite) or fact.asked is None:
        return None
    found = refs(case, fact)
    decays = fact.decay is not None and abs(fact.decay) > 1
    primary, label, doubt = fact.asked, "trained here", ""
    if decays and fact.optimizer is not None:
        primary, label = fact.optimizer, "its weight decay makes the weights larger"
    elif (fact.warned is not None or fact.fed) and not _diverged(fact):
        primary, label, doubt = _from_data(fact)
    elif fact.scaled and _diverged(fact):
        primary, label = fact.scaled[0], "this changes the weights by a multiple of themselves, outside the optimizer"
        doubt = "the size of that multiple was not recorded; the learning rate may be too large as well"
    return Evidence(
        message=_message(case, fact),
        primary=Marked.at(primary, label),
        related=marks(
            primary,
            (fact.asked, "trained here", "asked"),
            (fact.optimizer, "the optimizer is created here", "optimizer"),
        ),
        source=found[0] if found else None,
        also=found[1:],
        notes=_notes(fact),
        fixes=_fixes(fact),
        certainty="likely" if doubt else "proved",
        doubt=doubt,
    )


def _message(case: Case, fact: NotFinite) -> str:
    if not fact.variables:
        held = f": {_held(fact)}" if fact.fed else ""
        return f"the loss is NaN or infinite from epoch {fact.epoch} of {fact.epochs} on{held}"
    when = f"after {fact.steps} steps"
    if fact.span is not None:
        when = f"between steps {fact.span[0]} and {fact.span[1]} of {fact.steps}"
    state = f"{names(case, fact)} became NaN or infinite {when}"
    if fact.fed and not _diverged(fact):
        return f"{state}: {_held(fact)}"
    if fact.warned is not None and not _diverged(fact):
        return f"{state}; before that, NumPy computed a number that is not finite: {fact.warning}"
    if not _diverged(fact):
        return state
    return f"training diverged: {state}, after the weights grew to {fact.grown:.2g} times their initial size"


def _held(fact: NotFinite) -> str:
    found = [f"`{name}` holds {count} number{'s' if count > 1 else ''}" for name, count in fact.fed]
    return f"{' and '.join(found)} that {'is' if fact.fed[0][1] == 1 and len(fact.fed) == 1 else 'are'} NaN or infinite"


def _from_data(fact: NotFinite) -> tuple[Location, str, str]:
    """The line to show where NaN comes with the data, what stands there, and what is not known of it."""
    assert fact.asked is not None
    if fact.warned is None:
        return fact.asked, "trained on these data here", ""
    doubt = "" if fact.fed else "that this number reaches the training data was not recorded"
    return fact.warned, f"NumPy: {fact.warning}", doubt


def _diverged(fact: NotFinite) -> bool:
    return fact.grown is not None and fact.grown >= _GROWN


def _notes(fact: NotFinite) -> tuple[str, ...]:
    notes = []
    if fact.span is not None and fact.epoch:
        notes.append(f"the loss of epoch {fact.epoch} is the first that is not finite")
    if fact.decay is not None and abs(fact.decay) > 1:
        product = ""
        if fact.decays and fact.rate:
            product = (
                f": learning rate {fact.rate:.4g} times weight decay {fact.decays:.4g} is {fact.rate * fact.decays:.4g}"
            )
        notes.append(
            f"replayed: with a gradient of zero, an update multiplies the weights by {fact.decay:.4g}{product}"
        )
    return tuple(notes)


def _fixes(fact: NotFinite) -> tuple[Fix, ...]:
    if fact.decay is not None and abs(fact.decay) > 1:
        return (
            Fix(
                summary="make the weight decay so small that learning rate times weight decay is far below 1",
                caveat="clipping gradients does not help: the decay is not a part of the gradient",
            ),
        )
    if _diverged(fact):
        by_hand = [
            Fix(
                summary=f"check the update on line {at.line} first: with a factor that is too large, it makes the "
                "weights larger in each step, and clipping gradients does not help"
            )
            for at in fact.scaled
        ]
        rate = f" of {fact.rate:.3g}" if fact.rate is not None else ""
        return (
            *by_hand,
            Fix(
                summary="scale inputs and targets to mean 0 and standard deviation 1; if the loss still grows, divide "
                f"the learning rate{rate} by 10, repeatedly"
            ),
            Fix(summary="if the loss still grows at any learning rate, one of its terms has the wrong sign"),
        )
    if fact.fed or fact.warned is not None:
        line = f" computed on line {fact.warned.line}" if fact.warned is not None else ""
        return (
            Fix(
                summary=f"keep such samples out of the data{line}: drop them, or clip what they are computed from",
                caveat="a lower learning rate or clipped gradients do not help",
            ),
        )
    return (
        Fix(
            summary="find the first batch that gives NaN: call `tf.debugging.enable_check_numerics()` before training",
            verification=Verification(),
        ),
    )
