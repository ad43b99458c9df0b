"""A traced function made a variable where it may not."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import LateVariable
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import call_at

META = about(
    __name__, summary="A variable (or a layer with its weights) was created on a later call of a `tf.function`."
)


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, LateVariable):
        return None
    function = f"`{fact.function}`" if fact.function else "a traced function"
    made = _leaks.code(fact.layer or fact.created, case)
    if fact.nested:
        message = (
            f"`{made}` creates a variable from a tensor of an inner graph of {function}, which the variable outlives"
        )
        label = "a variable is created from a tensor without a value"
    elif fact.state:
        message = (
            f"`{made}` creates optimizer variables on a later call of {function}, but only the first call may create "
            "variables"
        )
        label = "creates the optimizer's variables at its first use"
    elif fact.first is not None:
        message = (
            f"`{made}` creates a variable on a later call of {function}, but only the first call may create variables"
        )
        label = "creates a variable, and was not reached in the first call"
    else:
        message = (
            f"`{made}` creates a variable each time {function} is traced, but only the first call may create variables"
        )
        label = (
            f"creates {'an optimizer' if fact.optimizer else 'a layer'} and its variables again in each trace"
            if fact.layer
            else "creates a variable on a later call"
        )
    return Evidence(
        message=message,
        primary=Marked.at(fact.layer or fact.created, label, "created"),
        related=_leaks.elsewhere(fact.layer, Marked.at(fact.created, "its variables are created here", "built"))
        if fact.layer is not None
        else _leaks.elsewhere(fact.created, Marked.at(fact.first, _first(fact), "first"))
        if fact.first is not None
        else (),
        fixes=_nested_fixes()
        if fact.nested
        else _state_fixes(fact, _is_given(fact, case.sources))
        if fact.state
        else _path_fixes(fact)
        if fact.first is not None
        else (
            Fix(
                summary=f"create it once: move line {(fact.layer or fact.created).line} out of {function} (in a class: "
                "to `__init__`)"
            ),
            Fix(
                summary="or, in a method, create it in the first call only: `if self.v is None: self.v = ...`",
                caveat="the guarded line runs only in the first call, so later calls must not need a new variable",
            ),
        ),
    )


def _first(fact: LateVariable) -> str:
    given = f", with `{fact.given}`," if fact.given else ""
    return f"the first call{given} took another path"


def _path_fixes(fact: LateVariable) -> tuple[Fix, ...]:
    return (
        Fix(summary="create the variable outside of the function, before its first call"),
        Fix(
            summary="or create it on every path: do it at the beginning of the function, guarded by "
            "`if ... is None`, so that the first call creates it"
        ),
    )


def _nested_fixes() -> tuple[Fix, ...]:
    return (
        Fix(summary="start from plain numbers or a NumPy array, which belong to no graph"),
        Fix(summary="or create the first value under `with tf.init_scope():`, outside all graphs"),
    )


def _is_given(fact: LateVariable, sources: Sources) -> bool:
    """Return whether the optimizer is an argument of the function: then each one can have a function of its own."""
    call, function = call_at(fact.created, sources), sources.function(fact.created)
    owner = call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs] if function else []
    return isinstance(owner, ast.Name) and owner.id in [each.arg for each in given]


def _state_fixes(fact: LateVariable, given: bool) -> tuple[Fix, ...]:
    before = "`optimizer.build(variables)`" if fact.state == "build" else "one `apply_gradients`"
    function = fact.function.rpartition(".")[2] or "step"
    build = f"let the optimizer create its variables outside the function, before its first call: {before}"
    each = (
        f"use one traced function per optimizer: `tf.function({function})` of the plain Python function, once for each"
    )
    if given:
        return Fix(summary=each), Fix(summary=f"or {build}", caveat="the model needs its variables before that")
    return Fix(summary=build), Fix(summary=f"or {each}")
