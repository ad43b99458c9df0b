"""Takes the `stop_gradient` out, and leaves what it was called with."""

from __future__ import annotations

from tensorwhy.diagnosis import stored
from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import calls, syntax
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.report import Edit, Fix
from tensorwhy.source.concrete import nodes as cst

_NAME = "stop_gradient"
_MAKERS = ("Variable", "add_weight")


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`tf.stop_gradient(x)` as `x`, where the call stands in the user's own code."""
    fact = case.fact
    if not isinstance(fact, NotPassed):
        return
    if fact.by_question:
        yield Fix(
            summary="remove the path of the source from `stop_gradients`",
            caveat="unless you want a partial derivative with the rest held fixed; then None is correct",
        )
        return
    if fact.replaced:
        yield Fix(
            summary="keep this, and train the value that it puts in with a term of its own: its distance to the value "
            "that it replaces, such as `tf.reduce_mean((y - tf.stop_gradient(x)) ** 2)` for `x + tf.stop_gradient(y - "
            "x)`",
            caveat="unless nothing is to be learned here; then None is correct",
        )
        return
    call = calls.find(fact.location, case.sources, _NAME) if fact.location is not None else None
    own = call is not None and calls.name(call) == _NAME
    removed = calls.left_out(fact.location, case.sources, _NAME) if own and fact.location else _given(fact, case)
    fixed = _untrainable(case, fact)
    yield Fix(
        summary="remove the `stop_gradient`",
        edits=() if fixed else removed,  # where the program sets the value, a gradient would pull at it as well
        caveat="unless the value is meant to be a constant (a target, a baseline); then None is correct",
    )
    if fixed:
        yield Fix(
            summary="or, because the program sets its value itself, create it with `trainable=False`",
            edits=fixed,
            caveat="unless this only sets its initial value; then leave it trainable",
        )


def _untrainable(case: Case, fact: NotPassed) -> tuple[Edit, ...]:
    """`trainable=False` for a variable that the program assigns values to, such as a moving average."""
    source, made = fact.sources[0], fact.made.source
    if made is None or not source.variable or not source.trainable:
        return ()
    bound = case.sources.names(made)
    if len(bound) != 1 or not stored.by_hand(case.sources, [made.file], bound[0]):
        return ()
    found = (calls.with_keyword(made, "trainable", "False", case.sources, named=maker) for maker in _MAKERS)
    return next(((edit,) for edit in found if edit is not None), ())


def _given(fact: NotPassed, case: Case) -> tuple[Edit, ...]:
    """`compose(tf.square, tf.stop_gradient)`: the only one of the file, which is called elsewhere."""
    tree = syntax.tree(fact.location.file, case.sources) if fact.location is not None else None
    if tree is None:
        return ()
    found = [each for each in tree.inside(tree.module, cst.Attribute) if each.attr.value == _NAME]
    if len(found) != 1 or tree.canonical(found[0]) != f"tensorflow.{_NAME}":
        return ()
    parent = tree.parent(found[0])
    if not isinstance(parent, (cst.Arg, cst.Element)) or (isinstance(parent, cst.Arg) and parent.star):
        return ()
    return (tree.replaced(found[0], f"{tree.text(found[0].value)}.identity"),)
