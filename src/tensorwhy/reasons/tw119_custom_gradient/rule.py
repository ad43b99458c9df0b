"""TW119 custom-gradient: a custom gradient gave None."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_made
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import GradientBreak, RefusedBackward
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A custom gradient returned None for this input, or gradients for the wrong inputs.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when a backward function returned None for this input, is not asked, or is one that TensorFlow refuses."""
    fact = case.fact
    if isinstance(fact, RefusedBackward):
        return _refused(fact)
    if not isinstance(fact, GradientBreak) or fact.kind != "custom-gradient":
        return None
    if fact.role == "recomputed":
        return evidence(
            case,
            fact,
            why="a recomputed function used it without getting it as an argument",
            label="passes gradients only to the arguments of the function and to variables",
            related=[*source_made(case, fact), *marked(fact.entry, "used here, but not an argument", "used")],
        )
    if fact.role == "closure":
        return evidence(
            case,
            fact,
            why="a function with a custom gradient used it without getting it as an argument",
            label="used here without being an argument, so the custom gradient has no gradient for it",
        )
    return evidence(
        case,
        fact,
        why=f"the custom gradient of `{fact.op}` returned None for it",
        label=f"the custom gradient of `{fact.op}` returns None here",
    )


def _refused(fact: RefusedBackward) -> Evidence:
    if fact.passed is not None:
        return (_ignored if fact.problem == "ignored" else _by_keyword)(fact, fact.passed)
    if fact.wrapper:
        return _wrapped(fact)
    name = f"`{fact.name}`" if fact.name else "the backward function"
    read = _listed(fact.variables)
    message = {
        "variables": f"{name} must take `variables`, because its function reads {read}, which is not an argument",
        "pair": f"{name} must return two things: the gradients of the arguments, and a list of those of {read}",
        "of-variables": f"{name} returns {_gradients(fact.got)} for variables, but its function reads {read}",
        "count": f"{name} returns {_gradients(fact.got)}, but its function has {fact.wanted} arguments"
        if fact.wanted != 1
        else f"{name} returns {_gradients(fact.got)}, but its function has one argument",
    }[fact.problem]
    label = {
        "variables": "takes no `variables`",
        "pair": "returns only the gradients of the arguments",
        "of-variables": f"returns {fact.got} of {fact.wanted}",
        "count": f"returns {fact.got} of {fact.wanted}" if fact.got < fact.wanted else f"returns {fact.got}",
    }[fact.problem]
    place = fact.declared if fact.problem == "variables" else fact.returned
    called = fact.name or "backward"
    taking = f"declare it as `{called}(upstream, variables=None)`, and " if fact.problem == "variables" else ""
    beside = Fix(
        summary=f"{taking}return `gradients, [one for each of variables]`",
        caveat="TensorFlow chooses the order of the variables: identify them by name, or differentiate the function "
        "again under a tape",
    )
    one_each = Fix(summary="return one gradient for each argument, in order, and None for an argument that needs none")
    as_arguments = Fix(summary="or pass the variables to the function as arguments, and return their gradients as well")
    return Evidence(
        message=message,
        primary=Marked.at(place, label),
        related=tuple(marked(fact.called, "this fails", "failed")),
        fixes=(one_each,) if fact.problem == "count" else (beside, as_arguments),
    )


def _ignored(fact: RefusedBackward, passed: Location) -> Evidence:
    names = " and ".join(f"`{each}`" for each in fact.keywords)
    return Evidence(
        message=f"the custom gradient of `{fact.function}` is ignored: it is used only for arguments that are "
        f"passed by position, and {names} {'are' if len(fact.keywords) > 1 else 'is'} passed by keyword",
        primary=Marked.at(passed, "no argument is passed by position"),
        related=tuple(marked(fact.declared, "this custom gradient is never used here", "declared")),
        severity="warning",
        fixes=(Fix(summary=f"pass {names} to `{fact.function}` by position"),),
    )


def _wrapped(fact: RefusedBackward) -> Evidence:
    name = f"`{fact.name}`" if fact.name else "the backward function"
    return Evidence(
        message=f"the decorator takes {_listed(fact.variables)} for a variable that is no argument, and {name} takes "
        f"no `variables`: the argument is an object of class `{fact.wrapper}` in its place",
        primary=Marked.at(fact.called or fact.declared, f"passes an object of class `{fact.wrapper}`"),
        related=tuple(marked(fact.declared, "takes no `variables`", "declared")),
        fixes=(Fix(summary="pass a tensor of the variable: `tf.convert_to_tensor(variable)`"),),
    )


def _by_keyword(fact: RefusedBackward, passed: Location) -> Evidence:
    names = " and ".join(f"`{each}`" for each in fact.keywords)
    several = len(fact.keywords) > 1
    return Evidence(
        message=f"`{fact.name or 'the backward function'}` returns {_gradients(fact.got)}, but the decorator wants "
        f"{_gradients(fact.wanted)}: it counts only arguments that are passed by position, and {names} "
        f"{'are' if several else 'is'} passed by keyword",
        primary=Marked.at(passed, f"passes {names} by keyword"),
        related=(
            *marked(fact.returned, f"returns {fact.got}, one for each argument of `{fact.function}`", "returned"),
            *marked(fact.called, "this fails", "failed"),
        ),
        fixes=(
            Fix(
                summary=f"pass {names} to `{fact.function}` by position",
                caveat=f"unless {'they need' if several else 'it needs'} no gradient; then do not return one",
            ),
        ),
    )


def _gradients(count: int) -> str:
    return "one gradient" if count == 1 else f"{count} gradients"


def _listed(names: tuple[str, ...]) -> str:
    """The variables by name, where they are few and somebody named them."""
    if len(names) > 2 or len(set(names)) < len(names) or not all(names) or "Variable" in names:
        return "a variable" if len(names) == 1 else f"{len(names)} variables"
    return f"variable{'s' * (len(names) > 1)} " + " and ".join(f"`{name}`" for name in names)
