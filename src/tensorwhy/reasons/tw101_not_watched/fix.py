"""Tells the tape to watch the source."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import calls, syntax, tape
from tensorwhy.model.facts.gradient import NotWatched
from tensorwhy.model.report import Edit, Fix
from tensorwhy.reasons import _recorders
from tensorwhy.source.concrete import nodes as cst


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`tape.watch(source)` as the first statement of the tape's block; with it, what else the question needs."""
    fact = case.fact
    if not isinstance(fact, NotWatched):
        return
    if fact.watched == "late":
        yield Fix(
            summary="call `tape.watch` before the first use",
            edits=_earlier(fact, case),
            caveat="unless the values before it are meant to be constant; then nothing needs to change",
        )
        return
    if fact.sources[0].tensor < 0 and fact.question.asked > 1:
        yield Fix(
            summary="ask for the variables themselves: a model's `trainable_variables`, not `get_weights()`",
            caveat="unless these are not weights; then convert them to tensors and watch those",
        )
        return
    expression = _recorders.watched(case, fact)
    variable = _as_variable(fact, expression, case)
    if fact.sources[0].tensor < 0:
        yield Fix(
            summary=f"make `{expression or '...'}` a `tf.Variable`: no tape takes a `{fact.sources[0].dtype}`",
            edits=variable,
            caveat="unless it is re-created in every step; then convert it to a tensor and watch that",
        )
        return
    if fact.updated:
        yield Fix(
            summary=f"make `{expression or '...'}` a `tf.Variable`, once before the first step: an optimizer updates"
            " nothing else",
            edits=variable,
            caveat="unless it should stay fixed; then do not pass it to the optimizer",
        )
        return
    frozen = fact.sources[0].variable and fact.sources[0].trainable is False
    tape_name = _recorders.name(case, fact.made.recorder) or "tape"
    outside = _recorders.outside(case)
    moved = f", and move {outside} after it" if outside else ""
    yield Fix(
        summary=f"call `{tape_name}.watch({expression or '...'})` as the first thing inside the `with`{moved}",
        edits=_recorders.edits(case),
        caveat="unless it is frozen on purpose; then None is correct"
        if frozen
        else "unless you want the gradient of another tensor; then name that one in the call",
    )
    trainable = _as_trainable(fact, case) if frozen else ()
    if trainable:
        yield Fix(
            summary="or create it as trainable: tapes watch trainable variables automatically",
            edits=trainable,
            caveat="unless it is frozen on purpose; then None is correct",
        )
    if variable:
        yield Fix(
            summary=f"or make `{expression}` a `tf.Variable`, which tapes watch automatically",
            edits=variable,
            caveat="unless it is re-created in every step; then call `watch` in every step",
        )


def _as_variable(fact: NotWatched, expression: str, case: Case) -> tuple[Edit, ...]:
    """The value that a plain tensor or array was made of, in a variable. Only where its name is bound once."""
    source, place = fact.sources[0], fact.made.source
    tree = syntax.tree(place.file, case.sources) if place is not None else None
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if source.variable or tree is None or not tf or not expression.isidentifier():
        return ()
    bound = [
        statement
        for statement in tree.inside(tree.module, cst.SimpleStatementLine)
        if isinstance(target := syntax.target(statement), cst.Name) and target.value == expression
    ]
    value = syntax.value(bound[0]) if len(bound) == 1 else None
    if value is None or tree.line(bound[0]) != (place.line if place is not None else 0):
        return ()
    return (tree.replaced(value, f"{tf}.Variable({tree.text(value)})"),)


def _as_trainable(fact: NotWatched, case: Case) -> tuple[Edit, ...]:
    """`trainable=True` for the variable, where its maker was told the contrary."""
    made = calls.find(fact.made.source, case.sources) if fact.made.source is not None else None
    if fact.made.source is None or made is None or not any(each.arg == "trainable" for each in made.keywords):
        return ()
    edit = calls.with_keyword(fact.made.source, "trainable", "True", case.sources)
    return (edit,) if edit is not None else ()


def _earlier(fact: NotWatched, case: Case) -> tuple[Edit, ...]:
    """The call of `watch`, moved to the top of the tape's block."""
    expression, opened, place = _recorders.watched(case, fact), fact.made.recorder, fact.watched_at
    tree = syntax.tree(place.file, case.sources) if place is not None else None
    if tree is None or opened is None or not expression:
        return ()
    for statement in tree.statements_at(place)[-1:]:
        removed = tree.removed(statement)
        added = tape.recorded(opened, case.sources, watch=(expression,))
        if removed is not None and added and tree.text(statement.body[0]).endswith(f".watch({expression})"):
            return (removed, *added)
    return ()
