"""TW116 not-trainable: a variable that training does not reach: frozen, or not in the list that is trained."""

from __future__ import annotations

import msgspec

from tensorwhy.diagnosis import gradient, stored
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.diagnosis.training import marks, names, refs, verb
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
from tensorwhy.model.report import Fix, Severity
from tensorwhy.source.answers.lists import asked_elsewhere, picked, sources_made, taken_before

META = about(
    __name__,
    summary="A variable affects the target but is not trained: it is frozen, not trainable, or not in the trained "
    "list.",
    severity="warning",
)

CHOSEN = Fix(summary="check how the list is built: with a scope or a name that no variable has, or too early")
"""Where the list is empty, and nothing is known to be frozen."""
_About = NotAsked | NothingToOptimize | StaleTrainable | OverruledTrainable | NothingTrainable


def match(case: Case) -> Evidence | None:
    """Holds for an empty list of sources, for what a loop leaves out, and for non-trainable variables in the list."""
    fact = case.fact
    if isinstance(fact, GradientBreak):
        return _asked_for(case, fact)
    if not isinstance(fact, _About):
        return None
    variant = _variant(case, fact)
    found = _ROWS[variant].evidence(_names(case, fact), _places(case, fact), refs(case, fact)) if variant else None
    if found is None:
        return None
    severity = _severity(case, fact, variant) or found.severity
    beside: tuple[Marked, ...] = ()
    if isinstance(fact, NotAsked) and variant == "left out again":
        either = f"{verb(fact, 'it is', 'they are')} not among the sources here either"
        beside = marks(found.primary, *((at, either, "again") for at in fact.again))
    return msgspec.structs.replace(found, severity=severity, related=found.related + beside)


def _places(case: Case, fact: _About) -> dict[str, Location | None]:
    """The places of a fact, by the names that rows know them by."""
    places = {"first": fact.variables[0].created if fact.variables else None}
    if isinstance(fact, NotAsked):
        listed = fact.problem in ("nothing-asked", "left-out")
        places |= {"asked": fact.asked, "frozen": fact.frozen, "freed": fact.freed}
        return places | {"list": sources_made(case.sources, fact.asked) if listed else None}
    if isinstance(fact, NothingToOptimize):
        return places | {"asked": fact.asked, "made": fact.made}
    places |= {"said": fact.said, "trained_at": fact.trained_at}
    return places | {"outer_said": fact.outer_said} if isinstance(fact, OverruledTrainable) else places


def _severity(case: Case, fact: _About, variant: str) -> Severity | None:
    """What the row has, unless the framework noticed it, too, or the program has a say in it."""
    if isinstance(fact, NotAsked) and variant.startswith("left out"):
        return "note" if _may_be_left_out(case, fact) else "warning"
    if isinstance(fact, NotAsked) and fact.problem == "nothing-asked":
        return "error" if fact.refused else None
    return "error" if isinstance(fact, NothingTrainable) and fact.warned else None


def _variant(case: Case, fact: _About) -> str:
    """The name of the row; empty where there is nothing to say."""
    if isinstance(fact, NotAsked):
        return _not_asked(case, fact)
    if isinstance(fact, NothingToOptimize):
        first = fact.variables[0].created if fact.variables else None
        if fact.chosen:
            return "chosen" if fact.variables else "chosen from nothing"
        if first is not None:
            return "not among"
        return "nothing to optimize" if fact.variables else "no variable"
    if isinstance(fact, StaleTrainable):
        return "stale traced" if fact.traced else "stale running" if fact.running else "stale"
    if isinstance(fact, OverruledTrainable):
        return "overruled"
    return "nothing trainable inside" if fact.overruled else "nothing trainable"


def _not_asked(case: Case, fact: NotAsked) -> str:
    if fact.problem == "nothing-asked":
        if fact.frozen is None and taken_before(case.sources, fact.asked) is not None:
            return ""
        return "frozen list" if fact.frozen is not None else "empty list"
    if fact.problem == "frozen":
        return "on purpose"
    if fact.problem != "left-out" or fact.taken is not None:
        return ""
    return "freed" if fact.freed is not None else "left out again" if fact.again else "left out"


def _names(case: Case, fact: _About) -> dict[str, object]:
    """What the program calls things, and the words that depend on how many there are."""
    layer = "" if isinstance(fact, (NothingToOptimize, NothingTrainable)) else fact.layer
    frozen = fact.frozen if isinstance(fact, NotAsked) else None
    bound = case.sources.names(frozen) if frozen is not None else ()
    if len(bound) == 1 and bound[0].endswith(".trainable"):
        layer = bound[0].removesuffix(".trainable")  # as the program calls it
    found: dict[str, object] = {
        "names": names(case, fact) if fact.variables else f"the weights of `{layer}`",
        "the_layer": f"`{layer}`" if layer else "the layer",
        "of_layer": f" of `{layer}`" if layer else "",
    }
    found |= {one: one if len(fact.variables) == 1 else several for one, several in _VERBS}
    if isinstance(fact, StaleTrainable):
        found["value"] = fact.value
        found["so"] = "{stays} frozen, and never {changes}" if fact.value else "{goes} on being trained"
        found["so"] = str(found["so"]).format_map(found)
        found["settled"] = "`compile`" if fact.at_compile else "the first `fit` after `compile`"
    if isinstance(fact, OverruledTrainable):
        found["outer"] = f"`{fact.outer}`" if fact.outer else "the model"
    if isinstance(fact, NothingTrainable):
        found["model"] = f"`{fact.model}`" if fact.model else "the model"
    if isinstance(fact, NotAsked):
        found["others"] = fact.others
        found["trained"] = "one variable is" if fact.others == 1 else f"{fact.others} variables are"
        found["where"] = f"{found['comes']} {'after' if fact.behind else 'before'} what is trained here"
        if fact.of_model:
            belongs = f"{found['belongs']} to `{fact.of_model}`"
            found["where"] = f"{belongs}, {found['comes']} after what its own step trains"
    return found


_VERBS = (
    ("is", "are"),
    ("it", "them"),
    ("stays", "stay"),
    ("stays as it is", "stay as they are"),
    ("changes", "change"),
    ("goes", "go"),
    ("comes", "come"),
    ("belongs", "belong"),
    ("its gradient, and its value never changed", "their gradients, and their values never changed"),
)


_TRACED = "without effect on a step that was traced before"
_EARLIER = Fix(summary="or set `trainable` before the step is first called")
_MADE = ("first", "created here", "made")
_EMPTY = Row(
    "no gradient is computed: the list of variables is empty, and {names} {is} not trained",
    at=(("list", "an empty list", ""),),
    fixes=(
        Fix(
            summary="check how the list is built: with a scope or a name that no variable has, too early, or with "
            "`tf.compat.v1.trainable_variables()`, which lists no eager variables"
        ),
    ),
    beside=(("asked", "the list of variables is empty here", "asked"),),
    severity="warning",
)
_FROZEN = _EMPTY._replace(
    message=_EMPTY.message + ", because {the_layer} was frozen",
    at=(("frozen", "from here on it has no trainable variables", ""),),
    fixes=(
        Fix(
            summary="leave {the_layer} trainable; in a step that should not change it, do not apply its gradients",
            caveat="unless {the_layer} should stay frozen; then None is correct",
        ),
    ),
)
_NO_VARIABLE = Row(
    "the optimizer has nothing to optimize: the loss depends on no trainable variable",
    at=(("asked", "nothing here can be trained", ""),),
    fixes=(Fix(summary="make the weights to train variables of this graph, with `tf.Variable` or `get_variable`"),),
    beside=(("asked", "optimized here", "asked"), _MADE),
    severity="error",
)
_CHOSEN = _NO_VARIABLE._replace(
    message="the optimizer has nothing to optimize: its list of variables is empty",
    at=(("made", "this list is empty", ""), ("asked", "this list is empty", "")),
    fixes=(CHOSEN,),
)
_STALE = Row(
    "`trainable = {value}` comes too late: {names} {so}, because {settled} fixes the set of trained weights",
    at=(("said", "without effect until the model is compiled again", ""),),
    fixes=(Fix(summary="set `trainable` first, then call `compile`; after each change, compile again"),),
    beside=(("trained_at", "trained here, as it was settled before", "trained"),),
)
_NOTHING = Row(
    "nothing of {model} is trained: {names} {is} not trainable",
    at=(("said", "from here on nothing is left to train", ""),),
    fixes=(
        Fix(
            summary="freeze only the layers that should not change; the others need `trainable = True`, and "
            "`compile` after it",
            caveat="a model that is trained as part of another model needs no separate training call",
        ),
        Fix(
            summary="or, if only the model around {model} should leave it alone: set `trainable = True` before"
            " this call, and `trainable = False` after it (Keras 2: compile it before you freeze it)",
        ),
    ),
    beside=(("trained_at", "trained here, without any change", "trained"),),
    severity="warning",
)
_LEFT_OUT = Row(
    "{names} {where}, and {is} never trained: nobody asks for {its gradient, and its value never changed}",
    at=(("list", "{trained} trained here, without {it}", ""),),
    fixes=(
        Fix(
            summary="add the variables to the list that is differentiated and applied",
            caveat="if it should stay fixed, set `trainable = False` explicitly",
        ),
    ),
    beside=(_MADE, ("asked", "the gradient is computed here", "asked")),
    certainty="likely",
)
_ROWS = {
    "empty list": _EMPTY,
    "frozen list": _FROZEN,
    "no variable": _NO_VARIABLE,
    "nothing to optimize": _NO_VARIABLE._replace(
        message="the optimizer has nothing to optimize: the loss is computed from {names}"
    ),
    "not among": _NO_VARIABLE._replace(
        message="the optimizer has nothing to optimize: the loss is computed from {names}, and none of it is among the "
        "trainable variables of the graph",
        at=(("first", "created here, and not among the trainable variables", ""),),
        fixes=(Fix(summary="create the weights to train without `trainable=False`, or pass them as `var_list`"),),
    ),
    "chosen": _CHOSEN._replace(message=_CHOSEN.message + ", and the loss is computed from {names}"),
    "chosen from nothing": _CHOSEN,
    "stale": _STALE,
    "stale running": _STALE._replace(
        message=_STALE.message.replace("{settled}", "the first step of `fit`"),
        fixes=(
            Fix(
                summary="train in two phases: let this `fit` end, set `trainable`, `compile`, and call `fit` again, "
                "with an `initial_epoch`"
            ),
        ),
        beside=(("trained_at", "this was running", "trained"),),
    ),
    "stale traced": _STALE._replace(
        message="`trainable = {value}` comes too late: {names} {so}, because the step was traced before",
        at=(("said", _TRACED, ""),),
        fixes=(Fix(summary="trace the step again afterwards: create a new `tf.function` for it"), _EARLIER),
        beside=(("trained_at", "traced with {it}", "trained"),),
    ),
    "overruled": Row(
        "`trainable = True` has no effect inside {outer}, which is frozen itself: {names}{of_layer} never {changes}",
        at=(("said", "without effect while {outer} is frozen", ""),),
        fixes=(
            Fix(
                summary="set `trainable = True` for {outer} first, then `trainable = False` for the layers in it "
                "that should not change, and compile after that"
            ),
        ),
        beside=(
            ("outer_said", "{outer} is frozen here", "frozen"),
            ("trained_at", "trained here, without it", "trained"),
        ),
    ),
    "nothing trainable": _NOTHING,
    "nothing trainable inside": _NOTHING._replace(
        fixes=(
            Fix(
                summary="leave {model} itself trainable, and freeze the layers that should not change: inside a "
                "frozen model, the flag of a layer has no effect",
                caveat=_NOTHING.fixes[0].caveat,
            ),
            _NOTHING.fixes[1],
        )
    ),
    "on purpose": Row(
        "{names}{of_layer} {stays as it is}, as this line asks for",
        at=(("frozen", "frozen here; {others} variables are trained beside", "frozen"),),
        beside=(("asked", "trained here, without it", "asked"),),
        severity="note",
    ),
    "left out": _LEFT_OUT,
    "left out again": _LEFT_OUT._replace(
        fixes=(
            Fix(
                summary="ask for them in the one of these calls that is to train them, and apply their gradients",
                caveat=_LEFT_OUT.fixes[0].caveat,
            ),
        )
    ),
    "freed": Row(
        "`trainable = True` comes too late: {names} {stays} frozen, and never {changes}, because the step was traced "
        "before",
        at=(("freed", _TRACED, ""),),
        fixes=(
            Fix(
                summary="trace the step again afterwards: create a new `tf.function` for it, and a new optimizer, "
                "which then knows all variables"
            ),
            _EARLIER,
        ),
        beside=(("asked", "traced without {it}", "asked"),),
        certainty="likely",
    ),
}


def _may_be_left_out(case: Case, fact: NotAsked) -> bool:
    """Return whether it is behind what is trained, or the program has a say in it.

    It picks what is trained, sets these variables itself, or trains another model in a step that it did not come to.
    """
    return (
        (fact.behind and not fact.of_model)
        or picked(case.sources, fact.asked)
        or asked_elsewhere(case.sources, fact.asked, fact.unreached)
        or all(_set(case, variable) for variable in fact.variables)
    )


def _set(case: Case, variable: Variable) -> bool:
    made = variable.created
    bound = case.sources.names(made) if made is not None else ()
    return made is not None and len(bound) == 1 and stored.by_hand(case.sources, [made.file], bound[0])


def _asked_for(case: Case, fact: GradientBreak) -> Evidence | None:
    """A state variable (a moving average, a counter) among the sources, while the trainable ones have gradients."""
    source = fact.sources[0]
    if not gradient.state_among_sources(fact):
        return None
    place = sources_made(case.sources, fact.question.location)
    return gradient.evidence(
        case,
        fact,
        message=f"{gradient.what(case, fact)}: it is not trainable, a state that the layer updates by itself",
        label="this list holds variables that are not trainable",
        location=place,
        related=gradient.marked(fact.made.source, f"`{source.name.removesuffix(':0')}` is created here", "source"),
        fixes=(Fix(summary="ask for `trainable_variables`"),),
    )
