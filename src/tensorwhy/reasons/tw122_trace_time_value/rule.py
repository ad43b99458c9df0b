"""A Python value was frozen into a graph while it was traced, and changed afterwards."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_made, source_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.training import marks, names, refs, verb
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.facts.graph import FrozenDraw, FrozenValue, ReplacedObject
from tensorwhy.model.facts.training import NotHanded
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW122",
    slug="trace-time-value",
    family="gradient",
    summary="A Python value was read once, while a function was traced; its later changes never reached the graph.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when later calls ran with another value than the program had; also where a gradient is None of it."""
    fact = case.fact
    if isinstance(fact, GradientBreak) and fact.frozen is not None:
        frozen = fact.frozen
        return evidence(
            case,
            fact,
            location=frozen.read,
            certainty="likely",
            message=f"{what(case, fact)}: the branch that uses it was never traced, because {_history(frozen)}",
            label=f"{_label(frozen)}; {source_of(case, fact)} is used in the other branch",
            related=source_made(case, fact),
            fixes=_fixes(frozen),
        )
    if isinstance(fact, NotHanded):
        return _never_applied(case, fact)
    if isinstance(fact, FrozenDraw):
        return _drawn(fact)
    if isinstance(fact, ReplacedObject):
        return _replaced(fact)
    if not isinstance(fact, FrozenValue):
        return None
    return Evidence(message=_history(fact), primary=Marked.at(fact.read, _label(fact), "frozen"), fixes=_fixes(fact))


def _drawn(fact: FrozenDraw) -> Evidence:
    times = f"{fact.calls} later call{'s' * (fact.calls != 1)} ran" if fact.calls else "later calls run"
    effect = "each element of the dataset gets the same numbers" if fact.dataset else f"{times} with the same numbers"
    was = "was" if fact.calls else "is"
    function = "a lambda" if fact.function == "lambda" else f"`{fact.function}`"
    return Evidence(
        message=f"`{fact.text}` {was} drawn once, by Python, while {function} {was} traced: {effect}",
        primary=Marked.at(fact.read, "runs while tracing only", "frozen"),
        fixes=(
            Fix(summary="draw with TensorFlow, in each run: `tf.random.uniform(shape)`, `tf.random.normal(shape)`"),
            Fix(summary="or draw outside of the traced function, and pass what was drawn as an argument, as a tensor")
            if not fact.dataset
            else Fix(summary="or wrap what has to be Python in `tf.py_function`: it runs for each element"),
        ),
    )


def _never_applied(case: Case, fact: NotHanded) -> Evidence | None:
    """A count in Python that says when gradients are applied: it was asked once, while the step was traced."""
    condition = fact.condition
    if condition is None:
        return None
    found = refs(case, fact)
    return Evidence(
        message=f"the step that applies the gradients is not in the graph: {names(case, fact)} "
        + verb(fact, "never changes", "never change"),
        primary=Marked.at(condition, "a Python condition, decided once, while the step was traced"),
        related=marks(condition, (fact.asked, f"computed here in {fact.steps} steps, and not applied", "asked")),
        certainty="likely",
        source=found[0],
        also=found[1:],
        fixes=(
            Fix(
                summary="keep what it depends on in a `tf.Variable(..., trainable=False)`, and `assign` to it:"
                " AutoGraph then makes a branch of the graph of it"
            ),
            Fix(summary="or put the condition outside of the traced function, and call another one for the update"),
        ),
    )


def _replaced(fact: ReplacedObject) -> Evidence:
    """A name that stands for another model or optimizer by now: the graph goes on with the first one."""
    calls = f"{fact.stale_calls} later call{'s' * (fact.stale_calls != 1)}"
    kept = "updates with it" if fact.trains else "reads its variables"
    return Evidence(
        message=f"`{fact.name}` was {fact.was} while `{fact.function}` was traced, and the graph {kept}: "
        f"{calls} went on with that, though `{fact.name}` had become {fact.now}",
        primary=Marked.at(fact.read, f"looked up while tracing only: {fact.was} for good", "frozen"),
        fixes=(
            Fix(
                summary="make the traced function together with what it uses: decorate it inside of the function that "
                "makes the model and the optimizer, and call that for each of them"
            ),
            Fix(
                summary="or keep the object, and change what it holds: `set_weights`, a checkpoint, "
                "`optimizer.learning_rate.assign`"
            ),
        ),
    )


def _history(fact: FrozenValue) -> str:
    calls = f"{fact.stale_calls} later call{'s' * (fact.stale_calls != 1)}"
    if fact.counted:
        return (
            f"`{fact.name}` counts on each time it is computed, and was computed once, while `{fact.function}` was "
            f"traced: {calls} ran with what came of it then"
        )
    effect = "decided which branch was traced" if fact.test else "became a constant of the graph"
    return (
        f"`{fact.name}` was {fact.frozen} while `{fact.function}` was traced, and {effect}: "
        f"{calls} ran with that, though it had become {fact.now}"
    )


def _label(fact: FrozenValue) -> str:
    return "computed while tracing only" if fact.counted else f"read while tracing only: {fact.frozen} for good"


def _fixes(fact: FrozenValue) -> tuple[Fix, ...]:
    return (
        Fix(summary="pass the value as an argument, as a tensor: `tf.constant(value)`"),
        Fix(
            summary="or keep it in a `tf.Variable(..., trainable=False)`, and `assign` to it"
            + (": AutoGraph and `tf.cond` then choose the branch in each call" if fact.test else "")
        ),
        Fix(
            summary="or trace again: pass the plain Python value as an argument, or compile the model again",
            caveat="each new value costs a new trace",
        ),
    )
