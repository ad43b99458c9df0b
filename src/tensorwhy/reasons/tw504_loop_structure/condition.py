"""The words for a condition that is not one truth value."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Evidence
from tensorwhy.model.facts.loops import NoCondition
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

_LOOPS = ("while", "while_loop")


def evidence(fact: NoCondition) -> Evidence:
    """What the condition is instead, and what would decide."""
    text = f"`{fact.text}`" if 0 < len(fact.text) <= 60 else "the condition"
    construct = f"`{fact.construct}`" if fact.construct else "a loop or branch"
    apart = fact.condition.line != fact.statement.line or fact.condition.file != fact.statement.file
    return Evidence(
        message=f"{construct} needs one truth value, but {text} {_is(fact)}",
        primary=Marked.at(fact.condition, _label(fact), "condition"),
        related=(Marked.at(fact.statement, f"the {construct} that it decides", "statement"),) if apart else (),
        fixes=tuple(_fixes(fact)),
    )


def _is(fact: NoCondition) -> str:
    if fact.dtype != "bool":
        return f"is {fact.dtype}, not bool"
    return f"has {_many(fact)}"


def _label(fact: NoCondition) -> str:
    return f"returns {fact.dtype}" if fact.dtype != "bool" else f"returns {_many(fact)}"


def _many(fact: NoCondition) -> str:
    if fact.shape is not None:
        return f"shape [{', '.join('?' if each is None else str(each) for each in fact.shape)}]"
    return f"{fact.size} values" if fact.size is not None else "more than one value"


def _fixes(fact: NoCondition) -> list[Fix]:
    if fact.dtype != "bool":
        return [Fix(summary="compare it with something, such as `... > 0`")]
    if fact.construct in _LOOPS:
        return [
            Fix(
                summary="continue while it holds for any element: `tf.reduce_any(...)`",
                caveat="elements whose condition is already false keep changing, unless `tf.where` keeps their values",
            ),
            Fix(summary="or while it holds for all of them: `tf.reduce_all(...)`"),
        ]
    return [
        Fix(summary="choose for each element: `tf.where(condition, one, other)`"),
        Fix(summary="or decide for all together: `tf.reduce_any(...)` or `tf.reduce_all(...)`"),
    ]
