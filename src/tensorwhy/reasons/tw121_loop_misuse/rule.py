"""TW121 loop-misuse: gradients that are computed and not applied, or applied to the wrong variables."""

from __future__ import annotations

from tensorwhy.diagnosis.presence import only_tested
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.training import applied_at_intervals, marks, name_of, names, refs, set_apart, verb, zipped
from tensorwhy.model.facts.training import Mispaired, NotHanded, UpdatedTensor
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, Severity

META = ReasonMeta(
    code="TW121",
    slug="loop-misuse",
    family="gradient",
    summary="Gradients are computed and never applied, or paired with the wrong variables, or only with some of them.",
    severity="warning",
    keeps_value=True,
)

_ORDER = "keep the variables in one list, and use it for `tape.gradient` and for `apply_gradients`"


def match(case: Case) -> Evidence | None:
    """Holds when what a loop computes does not get to the optimizer, or to another variable than its own."""
    fact = case.fact
    if isinstance(fact, UpdatedTensor):
        return _updated(fact)
    if isinstance(fact, Mispaired):
        return _mispaired(case, fact)
    return _not_handed(case, fact) if isinstance(fact, NotHanded) and fact.problem != "rebound" else None


def _not_handed(case: Case, fact: NotHanded) -> Evidence | None:
    primary = fact.asked if fact.problem == "never-applied" else fact.applied
    if primary is None or fact.condition is not None:  # decided while tracing: that is `trace-time-value`
        return None
    found = refs(case, fact)
    return Evidence(
        message=_message(case, fact),
        primary=Marked.at(primary, _label(case, fact)),
        related=marks(
            primary,
            (fact.asked, "computed here", "asked"),
            (fact.copies, "this changes a copy: a separate array", "copies"),
            (fact.stored, "kept here, and not applied", "stored"),
        ),
        certainty="proved" if fact.problem == "crossed" else "likely",
        severity=_severity(case, fact),
        source=found[0],
        also=found[1:],
        fixes=(Fix(summary=_fix(fact)),),
    )


def _mispaired(case: Case, fact: Mispaired) -> Evidence | None:
    if fact.applied is None:
        return None
    if fact.problem == "unpaired":
        return _unpaired(case, fact, fact.applied)
    found, swapped = refs(case, fact), fact.problem == "swapped"
    label = "the pairs are the wrong way round" if swapped else "gradients and variables are in a different order"
    return Evidence(
        message=f"the optimizer is given {names(case, fact)} as gradients, and their gradients as variables"
        if swapped
        else _misfit(case, fact),
        primary=Marked.at(fact.applied, label),
        related=marks(fact.applied, (fact.asked, "computed here", "asked")),
        severity="error",
        source=found[0],
        also=found[1:],
        fixes=(
            Fix(
                summary="gradients come first: `optimizer.apply_gradients(zip(gradients, variables))`"
                if swapped
                else _ORDER
            ),
        ),
    )


def _updated(fact: UpdatedTensor) -> Evidence:
    what = f"`{fact.name}`" if fact.name else "what it is given"
    are = "are plain tensors" if fact.several else "is a plain tensor"
    message = f"the optimizer should update {what}, which {are}: only variables can be changed"
    label = "given by what it reads of a variable" if fact.owner else "handed to the traced function here"
    if fact.variables:
        message += (
            f", and as an argument of the traced function `{fact.function}` a variable of Keras becomes its value"
        )
        label = "variables here"
    return Evidence(
        message=message,
        primary=Marked.at(fact.used, "tensors, where variables are wanted" if fact.several else "no variable"),
        related=marks(fact.used, (fact.handed, label, "handed")),
        severity="error",
        fixes=tuple(Fix(summary=each) for each in _for_tensors(fact)),
    )


def _for_tensors(fact: UpdatedTensor) -> list[str]:
    if fact.variables:
        return [
            "read the variables from their owner inside the function, as in `model.trainable_variables` or "
            "`self.model.trainable_variables`, and not from an argument",
        ]
    if fact.owner:
        return [f"pass the variable itself: `{fact.owner}` instead of `{fact.text}`"]
    name = fact.name if fact.name.isidentifier() and not fact.several else "x"
    return [
        f"make it a variable, `{name} = tf.Variable({name})`, once before the first step, and compute the loss from it",
        f"or update it without the optimizer: `{name} = {name} - rate * gradient`",
    ]


def _unpaired(case: Case, fact: Mispaired, primary: Location) -> Evidence:
    if fact.keys:
        return _keys(primary)
    if fact.nested:
        return _nested(case, fact, primary)
    one = len(fact.variables) == 1
    how = "and their variables in two lists" if fact.variables else "without their variables"
    message = f"the optimizer is given gradients {how}: it takes pairs, each of a gradient and its variable"
    pairs = "[(gradient, variable)]" if one else "zip(gradients, variables)"
    return Evidence(
        message="the optimizer is given a gradient and its variable: it takes a list of such pairs" if one else message,
        primary=Marked.at(primary, "no pairs of a gradient and a variable"),
        fixes=(Fix(summary=f"pair them: `optimizer.apply_gradients({pairs})`"),),
        severity="error",
    )


def _nested(case: Case, fact: Mispaired, primary: Location) -> Evidence:
    of = f" ({names(case, fact)})" if fact.variables else ""
    return Evidence(
        message=f"the optimizer is given a list{of} instead of one variable: each pair is one gradient and one "
        f"variable",
        primary=Marked.at(primary, "a list among the variables"),
        fixes=(
            Fix(
                summary="join the lists into one, for `tape.gradient` and for `apply_gradients`: `first + second`, or "
                "`[*first, *second]`, and not `[first, second]` or `first + [second]`"
            ),
        ),
        severity="error",
    )


def _keys(primary: Location) -> Evidence:
    return Evidence(
        message="the optimizer is given keys of a dict: it takes pairs, each of a gradient and its variable",
        primary=Marked.at(primary, "keys, where gradients and variables are wanted"),
        fixes=(
            Fix(
                summary="`zip` iterates over the keys of a dict; pair the values instead: "
                "`optimizer.apply_gradients([(gradients[key], variables[key]) for key in variables])`"
            ),
        ),
        severity="error",
    )


def _severity(case: Case, fact: NotHanded) -> Severity:
    if fact.problem == "never-applied" and fact.copies is None and only_tested(case.sources, fact.asked):
        return "note"  # it asks which gradients exist, and is told
    if fact.problem == "never-applied" and fact.copies is None and applied_at_intervals(case, fact.asked):
        return "note"
    return "note" if fact.shown or (fact.problem == "dropped" and not _zip_ends(case, fact)) else "warning"


def _zip_ends(case: Case, fact: NotHanded) -> bool:
    return zipped(case, fact.applied) and not set_apart(case, fact.asked)


def _message(case: Case, fact: NotHanded) -> str:
    if fact.problem == "never-applied" and fact.copies is not None:
        return (
            f"gradients are computed in {fact.steps} steps and applied to copies of the weights: "
            f"{names(case, fact)} " + verb(fact, "never changes", "never change")
        )
    if fact.problem == "never-applied":
        return f"gradients are computed in {fact.steps} steps and never applied: {names(case, fact)} " + verb(
            fact, "never changes", "never change"
        )
    if fact.problem == "dropped":
        return (
            f"the gradient of {names(case, fact)} is computed and not applied: the optimizer gets only "
            f"{fact.others} of {fact.others + len(fact.variables)} gradients"
        )
    other = name_of(case, fact.instead) if fact.instead is not None else "another variable"
    if fact.twice:
        are, own = verb(fact, "is", "are"), verb(fact, "its", "their")
        given = f"gradients of other variables (`{other}`)"
        return f"{names(case, fact)} {are} updated with {given}, and nothing is done with {own} own"
    if fact.variables[0].tensor < 0:
        return f"{names(case, fact)} are updated with the gradients of `{other}`"
    return f"variable `{name_of(case, fact.variables[0])}` is updated with the gradient of `{other}`"


def _misfit(case: Case, fact: Mispaired) -> str:
    first = fact.variables[0]
    of = f" of `{name_of(case, fact.instead)}`" if fact.instead is not None else ""
    return (
        f"the optimizer is given a gradient{of} of shape {_shape(fact.given)} "
        f"for variable `{name_of(case, first)}`, which has shape {_shape(first.shape)}"
    )


def _shape(sizes: tuple[int | None, ...] | None) -> str:
    return "[" + ", ".join("?" if size is None else str(size) for size in sizes or ()) + "]"


def _label(case: Case, fact: NotHanded) -> str:
    if fact.problem == "never-applied":
        goes_on = fact.copies is not None or fact.stored is not None
        return "computed here" if goes_on else "computed here, but never used"
    if fact.problem == "dropped":
        some = f"only {fact.others} of {fact.others + len(fact.variables)} gradients arrive here"
        return f"{some}: `zip` ends with the shorter" if _zip_ends(case, fact) else some
    if fact.twice:
        return "these gradients belong to other variables, to which they are applied as well"
    if fact.variables[0].tensor < 0:
        return "these gradients belong to other variables"
    return "gradients and variables are in a different order"


def _fix(fact: NotHanded) -> str:
    if fact.problem == "never-applied" and fact.copies is not None:
        return "write the copies back after each update: `model.set_weights(weights)`, or `assign` to the variables"
    if fact.problem == "never-applied" and fact.stored is not None:
        return "apply the stored gradients before they are reset: `optimizer.apply_gradients(zip(kept, variables))`"
    if fact.problem == "never-applied":
        return "apply them: `optimizer.apply_gradients(zip(gradients, variables))`"
    if fact.twice:
        return "give each optimizer the gradients of the variables that it changes"
    return _ORDER
