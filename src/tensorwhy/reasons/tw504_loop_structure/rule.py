"""TW504 loop-structure: a traced loop or branch gives a variable another dtype or structure, or has no condition."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.loops import LoopStructureChange, NoCondition
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons.tw504_loop_structure import condition

META = ReasonMeta(
    code="TW504",
    slug="loop-structure",
    family="loop",
    summary="A loop variable or a branch result has different types on different paths, or a condition is not a "
    "truth value.",
)

_BRANCHES = ("if", "cond", "case", "switch_case")
_CELL = "RNN"
"""Keras loops over a cell; what goes around are its states."""
_FUNCTIONS = ("function", "method", "builtin_function_or_method")


def match(case: Case) -> Evidence | None:
    """Holds when the values on two ways through a traced loop or branch were seen to be of different kinds."""
    fact = case.fact
    if isinstance(fact, NoCondition):
        return condition.evidence(fact)
    if not isinstance(fact, LoopStructureChange):
        return None
    primary, label = _primary(fact)
    related = [
        Marked.at(place, text, role)
        for place, text, role in (
            (fact.before, _before_label(fact), "before"),
            (fact.changed, _changed_label(fact), "changed"),
            (fact.statement, _traced_label(fact), "statement"),
        )
        if place is not None and text and place != primary
    ]
    return Evidence(
        message=_message(fact),
        primary=Marked.at(primary, label, "primary"),
        related=tuple(related),
        certainty="likely" if fact.inferred else "proved",
        fixes=tuple(_advice(fact)),
    )


def _traced_label(fact: LoopStructureChange) -> str:
    if fact.construct == _CELL:
        return _statement_label(fact)
    return f"the {_kind(fact)} that TensorFlow traces" if fact.element is None else "iterates over the elements"


def _kind(fact: LoopStructureChange) -> str:
    return "branch" if fact.construct in _BRANCHES else "loop"


def _loop(fact: LoopStructureChange) -> str:
    return f"`{fact.construct}`" + (" loop" if fact.construct in ("for", "while") else "")


def _name(fact: LoopStructureChange) -> str:
    if fact.variable:
        return f"`{fact.variable}`"
    return "the result" if fact.construct in _BRANCHES else "a loop variable"


def _primary(fact: LoopStructureChange) -> tuple[Location, str]:
    """The line to change: a plain number before the loop, else what made the other kind of value."""
    if fact.problem == "dtype" and fact.literal and fact.before is not None:
        return fact.before, f"`{fact.literal}` becomes a tensor of dtype {fact.expected} when the loop starts"
    if fact.problem == "elements":
        return fact.before or fact.statement, f"starts as {fact.expected}"
    if fact.problem == "annotated" and fact.before is not None:
        return fact.before, "an annotation without a value"
    if fact.problem == "none" and fact.before is not None and fact.construct not in ("cond", "case", "switch_case"):
        return fact.before, "None is not a value in a loop or branch of the graph"
    if fact.problem == "return-in-loop" and fact.changed is not None:
        return fact.changed, "returns from inside the loop"
    if fact.problem in ("undefined", "never-ran"):
        if fact.construct not in _BRANCHES and fact.changed is not None:
            return fact.changed, "the only place that assigns it"
        return fact.statement, f"the {fact.branch} branch does not assign it" if fact.branch else "no value before this"
    if fact.problem == "no-return":
        return fact.statement, f"the {fact.branch} branch returns nothing"
    if fact.problem == "dtype" and fact.before is not None and _begins_too_narrow(fact):
        return fact.before, f"starts as {fact.expected}"
    if fact.problem == "pair":
        return fact.changed or fact.statement, f"returns {fact.got}" if fact.got else "returns something else"
    if fact.construct == _CELL and fact.problem == "count" and fact.changed is not None:
        return fact.changed, f"returns {_states(fact.got)}"
    if fact.problem in ("dtype", "structure", "object", "operand") and fact.changed is not None:
        return fact.changed, _changed_label(fact)
    return fact.statement, _statement_label(fact)


def _begins_too_narrow(fact: LoopStructureChange) -> bool:
    """A whole number that the loop makes a fraction of: the beginning is what to change, and not the arithmetic."""
    whole = fact.expected.removeprefix("u").startswith("int")
    return fact.construct not in _BRANCHES and whole and fact.got.startswith(("float", "bfloat", "complex"))


def _object(fact: LoopStructureChange) -> str:
    return "a function" if fact.got in _FUNCTIONS else f"an object of class `{fact.got}`"


def _states(count: str) -> str:
    return f"{count} state{'' if count == '1' else 's'}"


def _statement_label(fact: LoopStructureChange) -> str:
    if fact.construct == _CELL:
        return "Keras runs the cell in a loop here"
    if fact.problem in ("count", "no-value"):
        return f"the body must return {fact.expected}, one for each loop variable"
    return f"the {_kind(fact)} that TensorFlow traces"


def _before_label(fact: LoopStructureChange) -> str:
    if fact.problem == "operand":
        return f"`{fact.literal}` becomes a tensor of dtype {fact.expected} when the loop starts"
    if fact.problem in ("dtype", "structure") and fact.expected:
        return f"returns {fact.expected}" if fact.construct in _BRANCHES else f"starts as {fact.expected}"
    return "the value before" if fact.problem == "none" else ""


def _changed_label(fact: LoopStructureChange) -> str:
    if fact.problem == "elements":
        return f"is combined with {fact.got} here"
    if fact.problem in ("dtype", "structure"):
        return f"is combined with {fact.got} here" if fact.literal else f"returns {fact.got}"
    if fact.problem in ("undefined", "none", "never-ran"):
        return "set here" + (f" to {fact.got}" if fact.got else "")
    if fact.problem == "count":
        return f"returns {fact.got}"
    if fact.problem == "no-return":
        return "the other branch returns here"
    if fact.problem == "operand":
        return f"adds {fact.got} to it"
    if fact.problem == "object":
        return f"returns {_object(fact)}" if fact.construct in _BRANCHES else "changes it in the loop"
    return ""


def _message(fact: LoopStructureChange) -> str:
    name, loop = _name(fact), _loop(fact)
    if fact.problem == "pair":
        got = f"returns {fact.got}" if fact.got else "returns something else"
        if fact.construct != _CELL:
            return f"the function of {loop} must return two things, the carry and an output, and {got}"
        return f"the cell's `call` must return two things, the output and the new states, and {got}"
    if fact.problem == "begin":
        return f"the layer starts with states of the sizes {fact.got}, but its cells need {fact.expected}"
    if fact.construct == _CELL:
        if fact.problem == "count":
            return f"the cell gets {_states(fact.expected)} and returns {fact.got} for the next step"
        return f"the cell gets a state of {fact.expected}, but returns one of {fact.got} for the next step"
    if fact.problem == "elements":
        return f"{name} starts as {fact.expected}, but the elements that {loop} adds are {fact.got}"
    if fact.problem == "operand":
        return (
            f"{name} is the plain number {fact.literal} before the {loop}, so it becomes a tensor of "
            f"{fact.expected} inside, "
            f"but {fact.got} is added to it"
        )
    if fact.problem == "dtype" and fact.literal and fact.construct not in _BRANCHES:
        return (
            f"{name} is the plain number {fact.literal} before the {loop}, so it enters the loop as {fact.expected}, "
            f"but one iteration makes it {fact.got}"
        )
    if fact.problem in ("dtype", "structure"):
        if fact.construct in _BRANCHES:
            return f"{name} is {fact.expected} in one branch of {loop} and {fact.got} in the other"
        after = "one iteration" if fact.element is None else f"element {fact.element}"
        return f"{name} is {fact.expected} before the {loop} and {fact.got} after {after}"
    if fact.problem == "object" and fact.construct in _BRANCHES:
        return f"{name} is {_object(fact)} in the {fact.branch} branch of {loop}, but a graph can only choose "
        "between tensors"
    if fact.problem == "object":
        return f"{name} is {_object(fact)}, but a graph can only carry tensors from one iteration of the {loop} "
        "to the next"
    if fact.problem == "none":
        if fact.construct in _BRANCHES:
            return f"{name} is None in the {fact.branch} branch of {loop}, and {fact.got} in the other"
        return f"{name} is None on one path through the {loop}, but a graph has no None"
    if fact.problem == "annotated":
        return f"{name} is only annotated before the {loop}: AutoGraph treats that as a value, but there is none"
    if fact.problem == "undefined":
        if fact.construct in _BRANCHES:
            return f"{name} has no value in the {fact.branch} branch of {loop}, and both branches are traced"
        return f"{name} has no value before the {loop}, but the traced loop needs one"
    if fact.problem == "never-ran":
        return f"the {loop} ran zero times, and only its body assigns {name}"
    if fact.problem == "no-return":
        return f"one branch of {loop} returns a value, but the {fact.branch} branch does not; both are traced"
    if fact.problem == "return-in-loop":
        return f"a `return` inside the traced {loop} would end the function on some iterations only"
    if fact.problem == "count":
        return f"the body of {loop} returns {fact.got} values for {fact.expected} loop variables"
    return f"the body of {loop} returns nothing, and must return {fact.expected}"


def _advice(fact: LoopStructureChange) -> list[Fix]:
    name = fact.variable or "the result"
    if fact.problem == "pair" and fact.construct != _CELL:
        return [Fix(summary="return the carry for the next step and an output: `return carry, carry`")]
    if fact.problem == "pair":
        return [Fix(summary="return the output and a list of the new states: `return output, [output]`")]
    if fact.problem == "begin" and fact.expected.startswith("[["):
        return [Fix(summary="pass each cell its own list: `initial_state=[[h1, c1], [h2, c2]]` for two of LSTM")]
    if fact.problem == "begin":
        return [Fix(summary=f"pass as many states as the cell has: {fact.expected.count(',') + 1}")]
    if fact.construct == _CELL:
        if fact.problem == "count":
            return [Fix(summary="return as many new states as `state_size` declares, in the same order")]
        return [
            Fix(summary=f"return the new state as {fact.expected}: `tf.cast(..., tf.{fact.expected})`"),
            Fix(summary=f"or start with a state of {fact.got}, in `get_initial_state`"),
        ]
    if fact.problem == "elements":
        return [
            Fix(summary=f"start with a value of dtype {fact.got}, like the elements"),
            Fix(summary=f"or cast the elements: `tf.cast(..., tf.{fact.expected})`"),
        ]
    if fact.problem == "operand":
        return [
            Fix(summary=f"cast it there: `tf.cast({fact.variable or '...'}, tf.{fact.got})`"),
            Fix(summary=f"or start with a number of dtype {fact.got}", caveat="unless it is a count or an index"),
        ]
    if fact.problem == "dtype" and fact.literal:
        if fact.got.startswith("float"):
            first = (
                f"`{name} = tf.constant(0, tf.{fact.got})`"
                if name.isidentifier()
                else f"`tf.constant(0, tf.{fact.got})`"
            )
            return [Fix(summary=f"start with a number of the right dtype: {first}")]
        return [Fix(summary=f"start with a tensor of dtype {fact.got}")]
    if fact.problem == "dtype" and _begins_too_narrow(fact):
        return [Fix(summary=f"start with a tensor of dtype {fact.got}")]
    if fact.problem == "dtype":
        return [Fix(summary=f"give both the same dtype, with `tf.cast(..., tf.{fact.expected})` or another constant")]
    if fact.problem == "structure":
        return [Fix(summary="use the same nesting, container types, lengths and keys in both")]
    if fact.problem == "none":
        return [Fix(summary=f"use a tensor of the right shape and dtype instead of None for {name}, such as a zero")]
    if fact.problem == "annotated" and fact.construct in _BRANCHES:
        return [Fix(summary="remove the annotation: AutoGraph accepts none in a branch either")]
    if fact.problem == "annotated":
        return [Fix(summary=f"assign {name} there, with the shape and dtype that it has after the loop")]
    if fact.problem == "undefined":
        where = "before the `if`, or in every branch" if fact.construct in _BRANCHES else "before the loop"
        return [Fix(summary=f"assign {name} {where}")]
    if fact.problem == "never-ran":
        return [Fix(summary=f"assign {name} before the loop, in case there is nothing to iterate over")]
    if fact.problem == "object" and fact.construct not in _BRANCHES:
        return [
            Fix(summary="carry the tensors of the object, and create the object from them in each iteration"),
            Fix(summary="or loop over a Python `range(...)`: then the loop is unrolled, and Python's objects work"),
        ]
    if fact.problem == "object":
        return [
            Fix(summary="use the object in each branch, and let both return a tensor"),
            Fix(
                summary="or decide with a plain Python value that is known while tracing",
                caveat="unless the data decide this, and not the program",
            ),
        ]
    if fact.problem == "no-return":
        return [Fix(summary="return a value of the same dtype and structure in every branch")]
    if fact.problem == "return-in-loop":
        return [Fix(summary="set a variable and `break`, and return it after the loop; define it before the loop")]
    return [Fix(summary="return the new value of every loop variable, in the order of `loop_vars`")]
