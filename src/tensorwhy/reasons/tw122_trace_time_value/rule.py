"""A Python value was frozen into a graph while it was traced, and changed afterwards."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence, source_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks, names, refs, verb
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.facts.graph import FrozenKind, FrozenValue
from tensorwhy.model.facts.training import NotHanded
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A Python value was read once, while a function was traced; its later changes never reached the graph.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when later calls ran with another value than the program had; also where a gradient is None of it."""
    fact = case.fact
    if isinstance(fact, Unused) and fact.frozen is not None:
        frozen = fact.frozen
        return evidence(
            case,
            fact,
            location=frozen.read,
            certainty="likely",
            why=f"the branch that uses it was never traced, because {_history(frozen)}",
            label=f"{_label(frozen)}; {source_of(case, fact)} is used in the other branch",
            fixes=_fixes(frozen),
        )
    if isinstance(fact, NotHanded):
        return _never_applied(case, fact)
    if not isinstance(fact, FrozenValue):
        return None
    return Evidence(
        message=_history(fact),
        primary=Marked.at(fact.read, _label(fact), "frozen"),
        related=marks(
            fact.read, (fact.set, "its value in every call" if fact.kind == "state" else "set here later", "set")
        ),
        fixes=_fixes(fact),
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
        related=marks(
            condition,
            (
                fact.asked,
                f"computed here in {fact.steps} steps, and not applied" if fact.computed else "trained here",
                "asked",
            ),
        ),
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


_HISTORIES: dict[FrozenKind, str] = {
    "number": "`{0.name}` was {0.frozen} while `{0.function}` was traced, and became a constant of the graph: "
    "{calls} still used {0.frozen}, although it had become {0.now}",
    "test": "`{0.name}` was {0.frozen} while `{0.function}` was traced, and decided which branch was traced: "
    "{calls} used that value, although it had become {0.now}",
    "count": "`{0.name}` changes each time it is computed, but was computed only once, while `{0.function}` was "
    "traced: "
    "{calls} used that one value",
    "state": "`{0.name}` is stored once, while `{0.function}` is traced, and not in each call: "
    "{calls} started with the value that it had before the trace",
    "object": "`{0.name}` was {0.frozen} while `{0.function}` was traced, and the graph reads its variables: "
    "{calls} still used it, although `{0.name}` had become {0.now}",
    "optimizer": "`{0.name}` was {0.frozen} while `{0.function}` was traced, and the graph updates with it: "
    "{calls} still used it, although `{0.name}` had become {0.now}",
}
_LABELS: dict[FrozenKind, str] = {
    "number": "read only during tracing: always {0.frozen}",
    "test": "read only during tracing: always {0.frozen}",
    "count": "computed only during tracing",
    "state": "runs only during tracing, and stores a tensor without a value",
    "draw": "runs only during tracing",
    "object": "read only during tracing: always {0.frozen}",
    "optimizer": "read only during tracing: always {0.frozen}",
}


def _history(fact: FrozenValue) -> str:
    calls = f"{fact.stale_calls} later call{'s' * (fact.stale_calls != 1)}"
    if fact.kind != "draw":
        return _HISTORIES[fact.kind].format(fact, calls=calls)
    times = f"{calls} ran" if fact.stale_calls else "later calls run"
    effect = "each element of the dataset gets the same numbers" if fact.dataset else f"{times} with the same numbers"
    was = "was" if fact.stale_calls else "is"
    function = "a lambda" if fact.function == "lambda" else f"`{fact.function}`"
    return f"`{fact.name}` {was} drawn once, by Python, while {function} {was} traced: {effect}"


def _label(fact: FrozenValue) -> str:
    return _LABELS[fact.kind].format(fact)


_AS_ARGUMENT = Fix(summary="pass the value as an argument, as a tensor: `tf.constant(value, dtype)`")
_AGAIN = Fix(
    summary="or trace again: pass the plain Python value as an argument, or compile the model again",
    caveat="each new value costs a new trace",
)
_COMPILED = Fix(
    summary="or trace again after each change: create the traced function again (for `fit`: compile the model again)",
    caveat="each new value costs a new trace",
)
_AS_VARIABLE = "or keep it in a `tf.Variable(..., trainable=False)`, and `assign` to it"
_COMPUTED = (
    "keep the number that changes in a `tf.Variable(..., trainable=False)`, and `assign` to it; compute the rest here "
    "with TensorFlow's functions (`tf.minimum` in place of `min`)"
)
_DRAWN = "draw with TensorFlow, in each run: `tf.random.uniform(shape)`, `tf.random.normal(shape)`"
_TOGETHER = (
    Fix(
        summary="create the traced function together with what it uses: decorate it inside the function that "
        "creates the model and the optimizer, and call that function for each of them"
    ),
    Fix(
        summary="or keep the object and change its contents: `set_weights`, a checkpoint, "
        "`optimizer.learning_rate.assign`"
    ),
)


def _fixes(fact: FrozenValue) -> tuple[Fix, ...]:
    if fact.kind == "state":
        kept = f"`{fact.name} = tf.Variable(..., trainable=False)` before the first call"
        return (
            Fix(summary=f"keep it in a variable: {kept}, and `{fact.name}.assign(...)` here"),
            Fix(summary="or pass it to the function as an argument, return its new value, and store that outside"),
        )
    if fact.kind == "draw":
        outside = "or draw outside of the traced function, and pass what was drawn as an argument, as a tensor"
        python = "or wrap what has to be Python in `tf.py_function`: it runs for each element"
        return (Fix(summary=_DRAWN), Fix(summary=python if fact.dataset else outside))
    if fact.kind in ("object", "optimizer"):
        return _TOGETHER
    branch = ": AutoGraph and `tf.cond` then choose the branch in each call" if fact.kind == "test" else ""
    if "." in fact.name and fact.kind in ("number", "test") and _is_number(fact.frozen):  # no argument, an attribute
        if not fact.name.replace(".", "").isidentifier():  # it is computed from what changes
            return (Fix(summary=_COMPUTED + branch), _COMPILED)
        kept = f"`{fact.name} = tf.Variable({fact.frozen}, trainable=False)` before the first call"
        return (Fix(summary=f"keep it in a variable: {kept}, and `{fact.name}.assign(value)` later{branch}"), _COMPILED)
    return (_AS_ARGUMENT, Fix(summary=_AS_VARIABLE + branch), _AGAIN)


def _is_number(text: str) -> bool:
    try:
        return isinstance(ast.literal_eval(text), (bool, int, float))
    except (ValueError, SyntaxError):
        return False
