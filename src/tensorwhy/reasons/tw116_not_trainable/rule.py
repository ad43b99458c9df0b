"""TW116 not-trainable: a variable that training does not reach: frozen, or not in the list that is trained."""

from __future__ import annotations

from tensorwhy.diagnosis import gradient, stored
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.training import asked_elsewhere, marks, names, picked, refs, sources_made, taken_before, verb
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.facts.training import (
    NotAsked,
    NothingToOptimize,
    NothingTrainable,
    OverruledTrainable,
    StaleTrainable,
)
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW116",
    slug="not-trainable",
    family="gradient",
    summary="A variable affects the target but is not trained: it is frozen, not trainable, or not in the trained "
    "list.",
    severity="warning",
)
_TRACED = "without effect on a step that was traced before"
_EARLIER = Fix(summary="or set `trainable` before the step is first called")

_EAGER = Fix(
    summary="check how the list is built: with a scope or a name that no variable has, too early, or with "
    "`tf.compat.v1.trainable_variables()`, which lists no eager variables"
)
CHOSEN = Fix(summary="check how the list is built: with a scope or a name that no variable has, or too early")
"""Where the list is empty, and nothing is known to be frozen."""


def match(case: Case) -> Evidence | None:
    """Holds for an empty list of sources, for what a loop leaves out, and for non-trainable variables in the list."""
    fact = case.fact
    if isinstance(fact, GradientBreak):
        return _asked_for(case, fact)
    if isinstance(fact, StaleTrainable):
        return _too_late(case, fact)
    if isinstance(fact, NothingTrainable):
        return _nothing(case, fact)
    if isinstance(fact, NothingToOptimize):
        return _refused(case, fact)
    if isinstance(fact, OverruledTrainable):
        return _overruled(case, fact)
    if not isinstance(fact, NotAsked):
        return None
    if fact.problem == "nothing-asked":
        return _empty(case, fact)
    if fact.problem == "frozen":
        return _on_purpose(case, fact)
    return _left_out(case, fact) if fact.problem == "left-out" and fact.taken is None else None


def _empty(case: Case, fact: NotAsked) -> Evidence | None:
    primary = fact.frozen or sources_made(case, fact.asked)
    if primary is None or (fact.frozen is None and taken_before(case, fact.asked) is not None):
        return None
    layer = f"`{fact.layer}`" if fact.layer else "the layer"
    found = refs(case, fact)
    return Evidence(
        message=f"no gradient is computed: the list of sources is empty, and {names(case, fact)} "
        + verb(fact, "is", "are")
        + " not trained"
        + (f", because {layer} was frozen" if fact.frozen else ""),
        primary=Marked.at(primary, "from here on it has no trainable variables" if fact.frozen else "an empty list"),
        related=marks(primary, (fact.asked, "the list of sources is empty here", "asked")),
        severity="error" if fact.refused else "warning",
        source=found[0],
        also=found[1:],
        fixes=(
            Fix(
                summary=f"leave {layer} trainable: only the variables whose gradients you apply will change",
                caveat=f"unless {layer} should stay frozen: in that case do not ask for its gradient",
            )
            if fact.frozen
            else _EAGER,
        ),
    )


def _refused(case: Case, fact: NothingToOptimize) -> Evidence:
    """The list is empty, or nothing that the loss is computed from can be in it."""
    found = refs(case, fact)
    computed = (
        f"the loss is computed from {names(case, fact)}" if found else "the loss depends on no trainable variable"
    )
    first = fact.variables[0].created if found else None
    if fact.chosen:
        primary = fact.made or fact.asked
        why, label = "its list of variables is empty", "this list is empty"
        why += f", and {computed}" if found else ""
        fix = CHOSEN
    elif found and first is not None:
        primary = first
        why = f"{computed}, and none of it is among the trainable variables of the graph"
        label = "created here, and not among the trainable variables"
        fix = Fix(summary="create the weights to train without `trainable=False`, or pass them as `var_list`")
    else:
        primary = fact.asked
        why, label = computed, "nothing here can be trained"
        fix = Fix(summary="make the weights to train variables of this graph, with `tf.Variable` or `get_variable`")
    return Evidence(
        message=f"the optimizer has nothing to optimize: {why}",
        primary=Marked.at(primary, label),
        related=marks(primary, (fact.asked, "optimized here", "asked"), (first, "created here", "made")),
        severity="error",
        source=found[0] if found else None,
        also=found[1:],
        fixes=(fix,),
    )


def _too_late(case: Case, fact: StaleTrainable) -> Evidence:
    found = refs(case, fact)
    what = names(case, fact) if found else f"the weights of `{fact.layer}`"
    settled = "`compile`" if fact.at_compile else "the first `fit` after `compile`"
    if fact.running:
        settled = "the first step of `fit`"
    because = "the step was traced before" if fact.traced else f"{settled} fixes the set of trained weights"
    if fact.value:
        so = f"{what} {verb(fact, 'stays', 'stay')} frozen, and never {verb(fact, 'changes', 'change')}"
    else:
        so = f"{what} {verb(fact, 'goes', 'go')} on being trained"
    return Evidence(
        message=f"`trainable = {fact.value}` comes too late: {so}, because {because}",
        primary=Marked.at(fact.said, _TRACED if fact.traced else "without effect until the model is compiled again"),
        related=marks(
            fact.said,
            (
                fact.trained_at,
                "this was running"
                if fact.running
                else f"traced with {verb(fact, 'it', 'them')}"
                if fact.traced
                else "trained here, as it was settled before",
                "trained",
            ),
        ),
        source=found[0] if found else None,
        also=found[1:],
        fixes=(Fix(summary="trace the step again afterwards: create a new `tf.function` for it"), _EARLIER)
        if fact.traced
        else (
            Fix(
                summary="train in two phases: let this `fit` end, set `trainable`, `compile`, and call `fit` again, "
                "with an `initial_epoch`"
                if fact.running
                else "set `trainable` first, then call `compile`; after each change, compile again"
            ),
        ),
    )


def _overruled(case: Case, fact: OverruledTrainable) -> Evidence:
    found = refs(case, fact)
    outer = f"`{fact.outer}`" if fact.outer else "the model"
    layer = f" of `{fact.layer}`" if fact.layer else ""
    return Evidence(
        message=f"`trainable = True` has no effect inside {outer}, which is frozen itself: {names(case, fact)}"
        f"{layer} never {verb(fact, 'changes', 'change')}",
        primary=Marked.at(fact.said, f"without effect while {outer} is frozen"),
        related=marks(
            fact.said,
            (fact.outer_said, f"{outer} is frozen here", "frozen"),
            (fact.trained_at, "trained here, without it", "trained"),
        ),
        source=found[0],
        also=found[1:],
        fixes=(
            Fix(
                summary=f"set `trainable = True` for {outer} first, then `trainable = False` for the layers in it "
                f"that should not change, and compile after that",
            ),
        ),
    )


def _nothing(case: Case, fact: NothingTrainable) -> Evidence:
    found = refs(case, fact)
    model = f"`{fact.model}`" if fact.model else "the model"
    return Evidence(
        message=f"nothing of {model} is trained: {names(case, fact)} {verb(fact, 'is', 'are')} not trainable",
        primary=Marked.at(fact.said, "from here on nothing is left to train"),
        related=marks(fact.said, (fact.trained_at, "trained here, without any change", "trained")),
        severity="error" if fact.warned else "warning",
        source=found[0],
        also=found[1:],
        fixes=(
            Fix(
                summary=f"leave {model} itself trainable, and freeze the layers that should not change: inside a "
                f"frozen model, the flag of a layer has no effect"
                if fact.overruled
                else "freeze only the layers that should not change; the others need `trainable = True`, and "
                "`compile` after it",
                caveat="a model that is trained as part of another model needs no separate training call",
            ),
            Fix(
                summary=f"or, if only the model around {model} should leave it alone: set `trainable = True` before"
                " this call, and `trainable = False` after it (Keras 2: compile it before you freeze it)",
            ),
        ),
    )


def _on_purpose(case: Case, fact: NotAsked) -> Evidence | None:
    if fact.frozen is None:
        return None
    found = refs(case, fact)
    layer = f" of `{fact.layer}`" if fact.layer else ""
    return Evidence(
        message=f"{names(case, fact)}{layer} {verb(fact, 'stays as it is', 'stay as they are')}, as this line asks for",
        primary=Marked.at(fact.frozen, f"frozen here; {fact.others} variables are trained beside", "frozen"),
        related=marks(fact.frozen, (fact.asked, "trained here, without it", "asked")),
        severity="note",
        source=found[0],
        also=found[1:],
    )


def _left_out(case: Case, fact: NotAsked) -> Evidence | None:
    if fact.freed is not None:
        return _freed_late(case, fact, fact.freed)
    primary = sources_made(case, fact.asked)
    if primary is None:
        return None
    found = refs(case, fact)
    made = fact.variables[0].created
    comes = verb(fact, "comes", "come")
    where = f"{comes} {'after' if fact.behind else 'before'} what is trained here"
    if fact.of_model:
        where = f"{verb(fact, 'belongs', 'belong')} to `{fact.of_model}`, {comes} after what its own step trains"
    return Evidence(
        message=f"{names(case, fact)} {where}, and {verb(fact, 'is', 'are')} never trained: nobody asks for "
        + verb(fact, "its gradient, and its value never changed", "their gradients, and their values never changed"),
        primary=Marked.at(primary, f"{_count(fact.others)} trained here, without {verb(fact, 'it', 'them')}"),
        related=marks(
            primary,
            (made, "created here", "made"),
            (fact.asked, "the gradient is computed here", "asked"),
            *(
                (place, f"{verb(fact, 'it is', 'they are')} not among the sources here either", "again")
                for place in fact.again
            ),
        ),
        certainty="likely",
        severity="note" if _may_be_left_out(case, fact) else "warning",
        source=found[0],
        also=found[1:],
        fixes=(
            Fix(
                summary="ask for them in the one of these calls that is to train them, and apply their gradients"
                if fact.again
                else "add the variables to the list that is differentiated and applied",
                caveat="if it should stay fixed, set `trainable = False` explicitly",
            ),
        ),
    )


def _may_be_left_out(case: Case, fact: NotAsked) -> bool:
    """Return whether it is behind what is trained, or the program has a say in it.

    It picks what is trained, sets these variables itself, or trains another model in a step that it did not come to.
    """
    return (
        (fact.behind and not fact.of_model)
        or picked(case, fact.asked)
        or asked_elsewhere(case, fact.asked, fact.unreached)
        or all(_set(case, variable) for variable in fact.variables)
    )


def _set(case: Case, variable: Variable) -> bool:
    made = variable.created
    bound = case.sources.names(made) if made is not None else ()
    return made is not None and len(bound) == 1 and stored.by_hand(case.sources, [made.file], bound[0])


def _freed_late(case: Case, fact: NotAsked, freed: Location) -> Evidence:
    """They were set free when the step that trains the others had been traced."""
    found = refs(case, fact)
    return Evidence(
        message=f"`trainable = True` comes too late: {names(case, fact)} {verb(fact, 'stays', 'stay')} frozen, "
        f"and never {verb(fact, 'changes', 'change')}, because the step was traced before",
        primary=Marked.at(freed, _TRACED),
        related=marks(freed, (fact.asked, f"traced without {verb(fact, 'it', 'them')}", "asked")),
        certainty="likely",
        source=found[0],
        also=found[1:],
        fixes=(
            Fix(
                summary="trace the step again afterwards: create a new `tf.function` for it, and a new optimizer, "
                "which then knows all variables"
            ),
            _EARLIER,
        ),
    )


def _count(number: int) -> str:
    return "one variable is" if number == 1 else f"{number} variables are"


def _asked_for(case: Case, fact: GradientBreak) -> Evidence | None:
    """A state variable (a moving average, a counter) among the sources, while the trainable ones have gradients."""
    source = fact.sources[0]
    if not gradient.state_among_sources(fact):
        return None
    place = sources_made(case, fact.question.location)
    return gradient.evidence(
        case,
        fact,
        message=f"{gradient.what(case, fact)}: it is not trainable, a state that the layer updates by itself",
        label="this list holds variables that are not trainable",
        location=place,
        related=gradient.marked(fact.source_made, f"`{source.name.removesuffix(':0')}` is created here", "source"),
        fixes=(Fix(summary="ask for `trainable_variables`"),),
    )
