"""TW121 loop-misuse: gradients that are computed and not applied, or applied to the wrong variables."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.diagnosis.training import name_of, names, refs, verb
from tensorwhy.model.facts.training import Mispaired, NotHanded, UpdatedTensor
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix, Severity
from tensorwhy.source.answers.calls import call_at, is_gradient_call, written_sources
from tensorwhy.source.answers.lists import applied_at_intervals, set_apart, zipped
from tensorwhy.source.answers.presence import only_tested

META = about(
    __name__,
    summary="Gradients are computed and never applied, or paired with the wrong variables, or only with some of them.",
    severity="warning",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when what a loop computes does not get to the optimizer, or to another variable than its own."""
    fact = case.fact
    if isinstance(fact, UpdatedTensor):
        places = {"used": fact.used, "handed": fact.handed}
        return _ROWS[_updated(fact)].evidence(_of_tensor(fact), places)
    if isinstance(fact, Mispaired):
        about = () if fact.problem == "unpaired" else refs(case, fact)
        places = {"asked": fact.asked, "applied": fact.applied}
        return _ROWS[_mispaired(fact)].evidence(_of_variables(case, fact), places, about)
    if not isinstance(fact, NotHanded) or fact.problem == "rebound" or fact.condition is not None:
        return None  # a condition was decided while tracing: that is `trace-time-value`
    places = {"asked": fact.asked, "applied": fact.applied, "copies": fact.copies, "stored": fact.stored}
    places["changed"] = _last_change(case, fact)
    found = _ROWS[_not_handed(case, fact)].evidence(_of_variables(case, fact), places, refs(case, fact))
    return None if found is None else msgspec.structs.replace(found, severity=_severity(case, fact), doubt=_DOUBT)


def _not_handed(case: Case, fact: NotHanded) -> str:
    """The name of the row: the problem, and what makes its words differ."""
    if fact.problem == "never-applied":
        return "copied" if fact.copies is not None else "stored" if fact.stored is not None else fact.problem
    if fact.problem == "dropped":
        return "dropped by zip" if _zip_ends(case, fact) else fact.problem
    if fact.twice:
        return "crossed twice"
    return "crossed" if fact.variables[0].tensor >= 0 else "crossed several"


def _mispaired(fact: Mispaired) -> str:
    if fact.problem != "unpaired":
        return fact.problem
    if fact.keys or fact.nested:
        return "keys" if fact.keys else "nested" if fact.variables else "nested somewhere"
    return ("alone", "one")[len(fact.variables)] if len(fact.variables) < 2 else "unpaired"


def _updated(fact: UpdatedTensor) -> str:
    return "values" if fact.variables else "value" if fact.owner else "tensor"


def _of_variables(case: Case, fact: NotHanded | Mispaired) -> dict[str, object]:
    """What the program calls things, and the words that depend on how many there are."""
    if not fact.variables:
        return {}
    first = fact.variables[0]
    found: dict[str, object] = {
        "names": names(case, fact),
        "first": name_of(case, first),
        "steps": fact.steps,
        "others": fact.others,
        "all": fact.others + len(fact.variables),
        "other": "another variable" if fact.instead is None else name_of(case, fact.instead),
        "of": "" if fact.instead is None else f" of `{name_of(case, fact.instead)}`",
        "shape": _shape(first.shape),
        "changes": verb(fact, "changes", "change"),
        "are": verb(fact, "is", "are"),
        "their": verb(fact, "its", "their"),
    }
    if isinstance(fact, Mispaired):
        return found | {"given": _shape(fact.given)}
    return found | _call(case, fact)


def _call(case: Case, fact: NotHanded) -> dict[str, object]:
    """Where an update by the optimizer is missing, and what it is to be given, as the program calls it."""
    call = call_at(case.sources, fact.asked)
    given = written_sources(call) if call is not None and is_gradient_call(call) else None
    names = case.sources.names(fact.asked) if fact.asked is not None else ()
    last = _last_change(case, fact) or fact.asked
    return {
        "gradients": names[0] if len(names) == 1 else "gradients",
        "variables": ast.unparse(given) if given is not None else "variables",
        "after": f"after line {last.end_line or last.line}, " if last is not None else "",
    }


def _last_change(case: Case, fact: NotHanded) -> Location | None:
    """The last statement of the same block that binds the name of the gradients again."""
    names = case.sources.names(fact.asked) if fact.asked is not None else ()
    asked = case.sources.statement(fact.asked) if fact.asked is not None else None
    if fact.problem != "never-applied" or fact.asked is None or asked is None or len(names) != 1:
        return None
    found = None
    for node in case.sources.nodes(fact.asked.file):
        block = next((b for _, b in ast.iter_fields(node) if isinstance(b, list) and asked in b), None)
        for each in block[block.index(asked) + 1 :] if block is not None else ():
            bound = {
                name.id for name in ast.walk(each) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
            if isinstance(each, ast.Assign) and names[0] in bound:
                found = case.sources.place(fact.asked.file, each.value)
    return found


def _of_tensor(fact: UpdatedTensor) -> dict[str, object]:
    return {
        "what": f"`{fact.name}`" if fact.name else "what it is given",
        "are": "are plain tensors" if fact.several else "is a plain tensor",
        "label": "tensors, where variables are wanted" if fact.several else "no variable",
        "handed": "given by what it reads of a variable" if fact.owner else "handed to the traced function here",
        "function": fact.function,
        "owner": fact.owner,
        "text": fact.text,
        "name": fact.name if fact.name.isidentifier() and not fact.several else "x",
    }


def _severity(case: Case, fact: NotHanded) -> Severity:
    if fact.problem == "never-applied" and fact.copies is None and only_tested(case.sources, fact.asked):
        return "note"  # it asks which gradients exist, and is told
    if fact.problem == "never-applied" and fact.copies is None and applied_at_intervals(case.sources, fact.asked):
        return "note"
    return "note" if fact.shown or (fact.problem == "dropped" and not _zip_ends(case, fact)) else "warning"


def _zip_ends(case: Case, fact: NotHanded) -> bool:
    return zipped(case.sources, fact.applied) and not set_apart(case.sources, fact.asked)


def _shape(sizes: tuple[int | None, ...] | None) -> str:
    return "[" + ", ".join("?" if size is None else str(size) for size in sizes or ()) + "]"


_DOUBT = "an update by hand, without an optimizer, would not have been seen"
_ORDER = (Fix(summary="keep the variables in one list, and use it for `tape.gradient` and for `apply_gradients`"),)
_COMPUTED = ("asked", "computed here", "asked")
_COPIES = ("copies", "this changes a copy: a separate array", "copies")
_STORED = ("stored", "kept here, and not applied", "stored")
_NEVER_APPLIED = Row(
    "gradients are computed in {steps} steps and never applied: {names} never {changes}",
    at=(("asked", "computed here, and never given to an optimizer", ""),),
    fixes=(Fix(summary="{after}apply them: `optimizer.apply_gradients(zip({gradients}, {variables}))`"),),
    beside=(_COPIES, _STORED, ("changed", "changed here, and not applied", "changed")),
    certainty="likely",
)
_DROPPED = Row(
    "the gradient of {names} is computed and not applied: the optimizer gets only {others} of {all} gradients",
    at=(("applied", "only {others} of {all} gradients arrive here", ""),),
    fixes=_ORDER,
    beside=(_COMPUTED, _COPIES, _STORED),
    certainty="likely",
)
_CROSSED = Row(
    "variable `{first}` is updated with the gradient of `{other}`",
    at=(("applied", "gradients and variables are in a different order", ""),),
    fixes=_ORDER,
    beside=(_COMPUTED, _COPIES, _STORED),
)
_UNPAIRED = Row(
    "the optimizer is given gradients and their variables in two lists: it takes pairs, each of a gradient and its "
    "variable",
    at=(("applied", "no pairs of a gradient and a variable", ""),),
    fixes=(Fix(summary="pair them: `optimizer.apply_gradients(zip(gradients, variables))`"),),
    severity="error",
)
_NESTED = Row(
    "the optimizer is given a list ({names}) instead of one variable: each pair is one gradient and one variable",
    at=(("applied", "a list among the variables", ""),),
    fixes=(
        Fix(
            summary="join the lists into one, for `tape.gradient` and for `apply_gradients`: `first + second`, or "
            "`[*first, *second]`, and not `[first, second]` or `first + [second]`"
        ),
    ),
    severity="error",
)
_TENSOR = Row(
    "the optimizer should update {what}, which {are}: only variables can be changed",
    at=(("used", "{label}", ""),),
    fixes=(
        Fix(
            summary="make it a variable, `{name} = tf.Variable({name})`, once before the first step, and compute the "
            "loss from it"
        ),
        Fix(summary="or update it without the optimizer: `{name} = {name} - rate * gradient`"),
    ),
    beside=(("handed", "{handed}", "handed"),),
    severity="error",
)
_ROWS = {
    "never-applied": _NEVER_APPLIED,
    "copied": _NEVER_APPLIED._replace(
        message="gradients are computed in {steps} steps and applied to copies of the weights: {names} never {changes}",
        at=(("asked", "computed here", ""),),
        fixes=(
            Fix(
                summary="write the copies back after each update: `model.set_weights(weights)`, or `assign` to the "
                "variables"
            ),
        ),
    ),
    "stored": _NEVER_APPLIED._replace(
        at=(("asked", "computed here", ""),),
        fixes=(
            Fix(
                summary="apply the stored gradients before they are reset: "
                "`optimizer.apply_gradients(zip(kept, variables))`"
            ),
        ),
    ),
    "dropped": _DROPPED,
    "dropped by zip": _DROPPED._replace(
        at=(("applied", "only {others} of {all} gradients arrive here: `zip` ends with the shorter", ""),)
    ),
    "crossed": _CROSSED,
    "crossed several": _CROSSED._replace(
        message="{names} are updated with the gradients of `{other}`",
        at=(("applied", "these gradients belong to other variables", ""),),
    ),
    "crossed twice": _CROSSED._replace(
        message="{names} {are} updated with gradients of other variables (`{other}`), and nothing is done with {their} "
        "own",
        at=(("applied", "these gradients belong to other variables, to which they are applied as well", ""),),
        fixes=(Fix(summary="give each optimizer the gradients of the variables that it changes"),),
    ),
    "misfit": Row(
        "the optimizer is given a gradient{of} of shape {given} for variable `{first}`, which has shape {shape}",
        at=(("applied", "gradients and variables are in a different order", ""),),
        fixes=_ORDER,
        beside=(_COMPUTED,),
        severity="error",
    ),
    "swapped": Row(
        "the optimizer is given {names} as gradients, and their gradients as variables",
        at=(("applied", "the pairs are the wrong way round", ""),),
        fixes=(Fix(summary="gradients come first: `optimizer.apply_gradients(zip(gradients, variables))`"),),
        beside=(_COMPUTED,),
        severity="error",
    ),
    "unpaired": _UNPAIRED,
    "alone": _UNPAIRED._replace(
        message="the optimizer is given gradients without their variables: it takes pairs, each of a gradient and its "
        "variable"
    ),
    "one": _UNPAIRED._replace(
        message="the optimizer is given a gradient and its variable: it takes a list of such pairs",
        fixes=(Fix(summary="pair them: `optimizer.apply_gradients([(gradient, variable)])`"),),
    ),
    "nested": _NESTED,
    "nested somewhere": _NESTED._replace(
        message="the optimizer is given a list instead of one variable: each pair is one gradient and one variable"
    ),
    "keys": _UNPAIRED._replace(
        message="the optimizer is given keys of a dict: it takes pairs, each of a gradient and its variable",
        at=(("applied", "keys, where gradients and variables are wanted", ""),),
        fixes=(
            Fix(
                summary="`zip` iterates over the keys of a dict; pair the values instead: "
                "`optimizer.apply_gradients([(gradients[key], variables[key]) for key in variables])`"
            ),
        ),
    ),
    "tensor": _TENSOR,
    "value": _TENSOR._replace(fixes=(Fix(summary="pass the variable itself: `{owner}` instead of `{text}`"),)),
    "values": _TENSOR._replace(
        message="the optimizer should update {what}, which {are}: only variables can be changed, and as an argument of "
        "the traced function `{function}` a variable of Keras becomes its value",
        fixes=(
            Fix(
                summary="read the variables from their owner inside the function, as in `model.trainable_variables` or "
                "`self.model.trainable_variables`, and not from an argument"
            ),
        ),
        beside=(("handed", "variables here", "handed"),),
    ),
}
