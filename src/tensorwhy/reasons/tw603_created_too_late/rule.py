"""TW603 created-too-late: state came into being after the layer or optimizer that should know it was finished."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import names, refs, verb
from tensorwhy.model.facts.training import NotAsked
from tensorwhy.model.facts.variables import TooLate, Untracked
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words
from tensorwhy.source.answers.lists import taken_before

META = about(
    __name__, summary="A variable or layer was created after the layer or optimizer that should track it was built."
)


def match(case: Case) -> Evidence | None:
    """Match late state that was rejected, variables that were listed too early, and weights made at every call."""
    fact = case.fact
    if isinstance(fact, TooLate):
        if fact.finished == "weights":
            return _weights(fact)
        if fact.finished == "list":
            return _unread(fact)
        if fact.finished == "children":
            return _children(fact)
        return _layer(case, fact) if fact.finished == "layer" else _optimizer(fact)
    if isinstance(fact, NotAsked):
        return _list(case, fact) if fact.taken is None else _incomplete(case, fact, fact.taken)
    if isinstance(fact, Untracked) and fact.held.by == "nothing" and fact.what == "layer" and not fact.read_once:
        return _every_call(fact, case)
    return None


def _root(case: Case, used: Location) -> str:
    """The name of what a line adds to."""
    statement = case.sources.statement(used)
    node = statement.value if isinstance(statement, ast.Expr) else None
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return f"`{node.id}`" if isinstance(node, ast.Name) and node.id != "self" else "this layer"


def _layer(case: Case, fact: TooLate) -> Evidence:
    layer = words.code(fact.finished_name) if fact.finished_name else _root(case, fact.used)
    return Evidence(
        message=f"{layer} is already built, and Keras refuses a new {fact.what} after that",
        primary=Marked.at(fact.used, f"this {fact.what} is added too late", "late"),
        related=words.marks(
            (fact.made, f"{fact.what} created here", "made"),
            (fact.finished_at, "the layer that is built", "finished"),
            primary=fact.used,
        ),
        fixes=(
            Fix(
                summary=f"move this line before the first call or `build` of {layer}, for instance to its `__init__`",
                caveat="unless it should be extended after training; then create a new model that calls the old one",
            ),
        ),
    )


def _weights(fact: TooLate) -> Evidence:
    name = words.code(fact.finished_name)
    return Evidence(
        message=f"{name} has no weights to load into yet: a {fact.what} creates them when it knows its input shape",
        primary=Marked.at(fact.used, f"loaded into {name} before it has weights", "late"),
        related=words.marks((fact.made, "created here, without an input shape", "made"), primary=fact.used),
        fixes=(
            Fix(
                summary=f"build it first: call it on one batch, `{fact.finished_name}.build(input_shape)`, or start "
                "it with `keras.Input(...)`; then load",
            ),
        ),
    )


def _unread(fact: TooLate) -> Evidence:
    name = words.code(fact.finished_name)
    return Evidence(
        message=f"the weights of {name} are listed before it has any: it creates them when it knows its input shape",
        primary=Marked.at(fact.used, f"{name} has no weights yet", "late"),
        related=words.marks((fact.made, "created here, without an input shape", "made"), primary=fact.used),
        fixes=(_LIST_LATER,),
    )


def _children(fact: TooLate) -> Evidence:
    name, more = words.code(fact.finished_name), f" and {fact.others} more" if fact.others else ""
    primary = fact.finished_at or fact.used
    one = not fact.others
    return Evidence(
        message=f"`build` of {name} leaves the layers inside of it unbuilt: {fact.what}{more} "
        f"{'has' if one else 'have'} no weights when the file is loaded",
        primary=Marked.at(primary, "builds only its own weights", "finished"),
        related=words.marks(
            (fact.made, "this layer would create its weights in its first call", "made"),
            (fact.used, "loaded here, before any call", "used"),
            primary=primary,
        ),
        fixes=(
            Fix(
                summary=f"build the inner layers in `build` of {name}: `self.layer.build(input_shape)` for each, with "
                "the shape that it will be called on",
            ),
        ),
    )


_LIST_LATER = Fix(
    summary="read the list where it is used, after the first call; or build the model first: call it on"
    " one batch, `build(input_shape)`, or start it with `keras.Input(...)`",
)


def _optimizer(fact: TooLate) -> Evidence:
    name = words.code(fact.finished_name)
    more = f" and {fact.others} more" if fact.others > 0 else ""
    primary = fact.finished_at if fact.another_model and fact.finished_at is not None else fact.used
    whose = "another model's variables" if fact.another_model else "fewer variables"
    return Evidence(
        message=f"optimizer {name} was built with {whose}, so it does not know {fact.what}{more}",
        primary=Marked.at(primary, "built with the variables of its first use", "optimizer"),
        related=words.marks(
            (fact.made, "the unknown variable is created here", "made"),
            (fact.finished_at, "the optimizer created here", "optimizer"),
            (fact.used, "used here with variables it was not built with", "used"),
            primary=primary,
        ),
        fixes=(
            Fix(
                summary="create a new optimizer for the new set of variables"
                + (" (one per model)" if fact.another_model else ", after adding or unfreezing layers"),
            ),
            Fix(
                summary="or build it once with all variables that it will ever train: `optimizer.build(variables)`",
            ),
        ),
    )


def _every_call(fact: Untracked, case: Case) -> Evidence | None:
    if fact.made is None:
        return None
    text = words.code(case.sources.expression(fact.made))
    return Evidence(
        message=f"{text} creates new weights at every call: each set is used once and never trained",
        primary=Marked.at(fact.made, "a new layer each time this runs", "made"),
        related=words.marks((fact.trained_at, "trained here, without it", "trained"), primary=fact.made),
        severity="warning",
        fixes=(Fix(summary="create the layer once, in `__init__`, and call it here"),),
    )


def _list(case: Case, fact: NotAsked) -> Evidence | None:
    """The gradient is asked for a list that was taken once, and was empty then."""
    taken = taken_before(case.sources, fact.asked) if fact.problem == "nothing-asked" and fact.frozen is None else None
    if taken is None:
        return None
    found = refs(case, fact)
    return Evidence(
        message=f"the list of variables was read before the model had any: it is empty, and {names(case, fact)} "
        f"{verb(fact, 'is', 'are')} not trained",
        primary=Marked.at(taken, "read here, before a first call or `build` creates the variables"),
        related=words.marks((fact.asked, "the list of sources is empty here", "asked"), primary=taken),
        certainty="likely",
        severity="error" if fact.refused else "warning",
        source=found[0],
        also=found[1:],
        fixes=_WHOLE_LIST,
    )


def _incomplete(case: Case, fact: NotAsked, taken: Location) -> Evidence:
    """The gradient is asked for a list that was taken once, when a part of the model had no variables yet."""
    found = refs(case, fact)
    return Evidence(
        message=f"the list of variables was read before all of them were created: {names(case, fact)} "
        f"{verb(fact, 'is', 'are')} not in it and never trained",
        primary=Marked.at(taken, "read here, before a first call or `build` creates the rest"),
        related=words.marks(
            (fact.variables[0].created, "created later", "made"),
            (fact.asked, "the gradient is computed for that list", "asked"),
            primary=taken,
        ),
        certainty="likely",
        severity="warning",
        source=found[0],
        also=found[1:],
        fixes=_WHOLE_LIST,
    )


_WHOLE_LIST = (
    Fix(summary="build the model first: call it on one batch, or give its first layer an input shape"),
    Fix(summary="or read `trainable_variables` in every step instead of keeping a list"),
)
