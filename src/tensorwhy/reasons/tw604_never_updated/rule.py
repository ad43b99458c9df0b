"""TW604 never-updated: tracked, trainable, given a gradient, and yet never changed."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.training import marks, names, refs, verb
from tensorwhy.model.facts.training import NotTrained, UnheardUpdate
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, TensorRef

META = ReasonMeta(
    code="TW604",
    slug="never-updated",
    family="variable",
    summary="A trainable variable was given a gradient in each step, and no update ever changed its value.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when a variable kept its value although an optimizer was given a gradient for it in every step."""
    fact = case.fact
    if isinstance(fact, UnheardUpdate):
        return _unheard(fact)
    if not isinstance(fact, NotTrained) or fact.problem != "never-changed":
        return None
    idle = fact.rate == 0 and fact.optimizer is not None
    # A schedule of Keras's own sets it within the call that trains: the line that made the optimizer says more then.
    lowered = fact.lowered if idle and fact.lowered != fact.asked else None
    primary = lowered or (fact.optimizer if idle else fact.over or fact.zeroed or fact.applied or fact.asked)
    if primary is None:
        return None
    found = refs(case, fact)
    made = fact.variables[0].created
    others = "one other" if fact.others == 1 else f"{fact.others} others"
    beside = f", while {others} did" if fact.others else ""
    why, fix = _why(fact)
    return Evidence(
        message=f"{names(case, fact)} never changed in {fact.steps} steps{beside}: {why}",
        primary=Marked.at(primary, _label(fact, idle, lowered)),
        related=marks(
            primary,
            (made, "made here" if len(found) == 1 else "the first of them is made here", "made"),
            (fact.optimizer, "the optimizer made here", "optimizer"),
            (fact.asked, "the gradients are computed here" if fact.applied else "trained here", "asked"),
            (fact.applied, "the optimizer is given zeros", "applied"),
            (fact.restored, "the former value is stored again, after the new one was used", "restored"),
        ),
        certainty="proved" if fact.rate == 0 or fact.nonzero or fact.underflow else "likely",
        severity="note" if _chosen(fact) else None,
        source=found[0],
        also=found[1:],
        fixes=(fix,),
    )


def _chosen(fact: NotTrained) -> bool:
    """Whether the program did it: it takes updates back, or gives some variables no rate or zeros, and others more."""
    return fact.restored is not None or ((fact.rate == 0 or fact.applied is not None) and fact.others > 0)


def _label(fact: NotTrained, idle: bool, lowered: Location | None) -> str:
    if idle:
        if lowered is not None:
            return "the learning rate becomes 0 here"
        return "the call that trains sets its learning rate to 0" if fact.lowered else "its learning rate is 0"
    if fact.over is not None:
        return "another value is stored here, over the update"
    if fact.applied is None:
        return "trained here, and nothing changes"
    return "here they become zero" if fact.zeroed is not None else "the optimizer is given zeros"


def _unheard(fact: UnheardUpdate) -> Evidence:
    name = fact.variable.rpartition("/")[2]
    return Evidence(
        message=f"`{name}` of `{fact.layer}` never changes: `add_update` does nothing with a pair of a variable and its"
        " new value",
        primary=Marked.at(fact.given, "this update is never made"),
        related=marks(fact.given, (fact.made, "made here", "made")),
        source=TensorRef(name=name, kind="variable", location=fact.made),
        fixes=(
            Fix(summary=f"assign where the new value is computed: `{name}.assign(new_value)`, without `add_update`"),
        ),
    )


def _why(fact: NotTrained) -> tuple[str, Fix]:
    gradients = verb(fact, "its gradient", "their gradients")
    if fact.rate == 0:
        return "the optimizer's learning rate is 0", Fix(
            summary="give the optimizer a learning rate above 0, and look at what sets it: a callback, a schedule",
            caveat="a schedule that ends at 0 is fine if training happened before that",
        )
    if fact.underflow:
        small = verb(fact, "is too small for float16, and becomes zero", "are too small for float16, and become zero")
        times = f"with the loss times {fact.underflow:,} a replay of the step gives other numbers"
        return f"{gradients} {small} ({times})", Fix(
            summary="scale the loss: wrap the optimizer in `tf.keras.mixed_precision.LossScaleOptimizer`, or multiply "
            "the loss before the gradients are computed, and divide them by the same number"
        )
    if fact.restored is not None:
        return f"each update is looked at, and {verb(fact, 'its', 'their')} former value stored again", Fix(
            summary="keep the new value when it is better, if it was meant to stay"
        )
    if fact.applied is not None:
        return f"{gradients} had other values than zero, and the optimizer was given zeros", Fix(
            summary="give the optimizer the gradients before they become zero: look at what clips or masks them, "
            "or clears their sum"
        )
    if fact.over is not None:
        return f"after each update another value is stored in {verb(fact, 'it', 'them')}", Fix(
            summary="leave this assignment out, or let it give what the update has come to: an average is told of the "
            "new value before it is stored",
            caveat="if you want an older value back (for a test or comparison), store it after the loop",
        )
    if fact.nonzero:
        return f"{gradients} had other values than zero, but no update is left at the end of a step", Fix(
            summary="look for what undoes or swallows the update: `set_weights`, `assign` or a constraint in the loop, "
            "a learning rate too small for the dtype"
        )
    if fact.nonzero is False:
        zero = verb(
            fact,
            "was zero in every element, each time that it was",
            "were zero in every element, each time that they were",
        )
        return f"{gradients} {zero} looked at", Fix(
            summary="look for what makes them zero: a loss too small for the dtype (float16 ends at 6e-8: "
            "`LossScaleOptimizer`), or what the gradients are multiplied with",
            caveat="a loss that is already at its minimum correctly moves nothing",
        )
    return f"the optimizer was given {gradients}, and not one value of the model moved", Fix(
        summary="look at the gradients of one step outside of `tf.function` (`run_eagerly=True`): "
        "are they zero, or is each update skipped or undone?",
        caveat="a loss that is already at its minimum correctly moves nothing",
    )
