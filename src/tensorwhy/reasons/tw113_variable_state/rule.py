"""TW113 variable-state: the value travelled through the state of a variable."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, target_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="The value was stored in a variable and read again, and stored values carry no gradient.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when the only way is an assignment to a variable that is read later."""
    fact = case.fact
    if not isinstance(fact, NotPassed) or fact.kind != "state":
        return None
    if fact.exit is not None:
        return _copied(case, fact)
    holder = fact.container or "variable"
    return evidence(
        case,
        fact,
        why=f"it reaches {target_of(case, fact)} only as a value stored in a {holder}, which carries no gradient",
        label=f"stored in a {holder} here, which keeps only the value",
        related=[
            *(mark for line in fact.beside for mark in marked(line, f"also stored in a {holder} here", "stored")),
            *source_made(case, fact),
        ],
        fixes=(
            *_with_weights(case, fact),
            Fix(
                summary="give the tensor a name, and compute with that where the "
                f"{holder} is read; {'store' if fact.container else 'assign'} it only for later steps",
                caveat="unless the gradient should end here; then None is correct",
            ),
        ),
    )


def _with_weights(case: Case, fact: NotPassed) -> tuple[Fix, ...]:
    """The weights of a model are assigned in a loop, and the model is called with them: an inner step of training."""
    at = fact.location
    for loop in case.sources.nodes(at.file) if at is not None else ():
        if at is None or not isinstance(loop, ast.For) or not loop.lineno < at.line <= (loop.end_lineno or 0):
            continue
        owners = [
            ast.unparse(node.value)
            for node in ast.walk(loop.iter)
            if isinstance(node, ast.Attribute) and node.attr in _WEIGHTS
        ]
        if owners:
            model = owners[0]
            return (
                Fix(
                    summary="keep the new weights in a list, and call the model with them instead of assigning: "
                    f"`{model}.stateless_call(new_weights, {model}.non_trainable_variables, x)[0]` in Keras 3",
                    caveat="unless the gradient should end here; then None is correct",
                ),
            )
    return ()


_WEIGHTS = ("trainable_variables", "trainable_weights", "weights", "variables")


def _copied(case: Case, fact: NotPassed) -> Evidence:
    return evidence(
        case,
        fact,
        why=f"it reaches {target_of(case, fact)} only as numbers that were copied into a variable",
        label="only the numbers are stored here",
        related=[*marked(fact.exit, "converted to an array or a number here", "left"), *source_made(case, fact)],
        fixes=(
            Fix(
                summary="compute the updated values as tensors and use them as the weights of the forward pass, "
                "instead of copying them into a variable",
                caveat="unless the copy should stay fixed (a target network); then None is correct",
            ),
        ),
    )
