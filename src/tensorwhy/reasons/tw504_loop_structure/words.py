"""What is said of a loop or branch whose values differ: one row for each problem and kind of construct."""

from __future__ import annotations

from typing import Any, NamedTuple

from tensorwhy.diagnosis.reason import Evidence
from tensorwhy.diagnosis.rows import Row
from tensorwhy.model.facts.loops import LoopStructureChange
from tensorwhy.model.report import Fix

_BRANCHES = ("if", "cond", "case", "switch_case")
_CELL = "RNN"
"""Keras loops over a cell; what goes around are its states."""

_Place = tuple[str, str]


class Words(NamedTuple):
    """`at`: the places to look at, the first that is known, each with its label. `before`, `changed`, `statement` and
    `traced` are the labels of these places where they are not the primary one."""

    message: str
    fixes: tuple[Fix, ...]
    at: tuple[_Place, ...] = ()
    before: str = ""
    changed: str = ""
    statement: str = "the {kind} that TensorFlow traces"
    traced: str = "{traced}"


def evidence(fact: LoopStructureChange) -> Evidence | None:
    """Return the row for a fact at its places: the first line is the one to change."""
    said, places = _ROWS[_key(fact)], {"before": fact.before, "changed": fact.changed, "statement": fact.statement}
    beside = (("before", said.before), ("changed", said.changed), ("statement", said.traced))
    return Row(
        said.message,
        fixes=said.fixes,
        at=tuple((place, label, "primary") for place, label in (*said.at, ("statement", said.statement))),
        beside=tuple((place, label, place) for place, label in beside if label),
    ).evidence(_names(fact), places, within_lines=True)


def _key(fact: LoopStructureChange) -> str:
    """The name of the row: the problem, and where its words differ by construct, that as well."""
    problem: str = fact.problem
    way = "cell" if fact.construct == _CELL else "branch" if fact.construct in _BRANCHES else "loop"
    if problem == "begin" and fact.expected.startswith("[["):
        problem = "begin nested"
    elif problem == "dtype" and way != "cell" and fact.literal:
        problem = "literal fraction" if fact.got.startswith("float") else "literal"
    elif problem == "dtype" and way == "loop" and _begins_too_narrow(fact):
        problem = "narrow"
    elif problem == "none" and fact.construct in ("cond", "case", "switch_case"):
        problem = "none called"
    return next(key for key in (f"{problem}, {way}", problem) if key in _ROWS)


def _begins_too_narrow(fact: LoopStructureChange) -> bool:
    """A whole number that the loop makes a fraction of: the beginning is what to change, and not the arithmetic."""
    whole = fact.expected.removeprefix("u").startswith("int")
    return whole and fact.got.startswith(("float", "bfloat", "complex"))


def _names(fact: LoopStructureChange) -> dict[str, Any]:
    branches = fact.construct in _BRANCHES
    name = fact.variable or "the result"
    return {
        "name": f"`{fact.variable}`" if fact.variable else "the result" if branches else "a loop variable",
        "plain": name,
        "operand": fact.variable or "...",
        "first": f"`{name} = tf.constant(0, tf.{fact.got})`"
        if name.isidentifier()
        else f"`tf.constant(0, tf.{fact.got})`",
        "loop": f"`{fact.construct}`" + " loop" * (fact.construct in ("for", "while")),
        "kind": "branch" if branches else "loop",
        "expected": fact.expected,
        "got": fact.got,
        "pair": fact.got or "something else",
        "literal": fact.literal,
        "branch": fact.branch,
        "set": f"set here to {fact.got}" if fact.got else "set here",
        "after": "one iteration" if fact.element is None else f"element {fact.element}",
        "traced": f"the {'branch' if branches else 'loop'} that TensorFlow traces"
        if fact.element is None
        else "iterates over the elements",
        "meets": f"is combined with {fact.got} here" if fact.literal else f"returns {fact.got}",
        "starts": (f"returns {fact.expected}" if branches else f"starts as {fact.expected}") if fact.expected else "",
        "missing": f"the {fact.branch} branch does not assign it" if fact.branch else "no value before this",
        "states": f"{fact.expected} state{'' if fact.expected == '1' else 's'}",
        "new_states": f"{fact.got} state{'' if fact.got == '1' else 's'}",
        "count": fact.expected.count(",") + 1,
    }


_IN_CELL = "Keras runs the cell in a loop here"
_LITERAL = "`{literal}` becomes a tensor of dtype {expected} when the loop starts"
_EACH = "the body must return {expected}, one for each loop variable"
_VALUES = Fix(summary="return the new value of every loop variable, in the order of `loop_vars`")
_START = Fix(summary="start with a tensor of dtype {got}")
_FRACTION = Fix(summary="start with a number of the right dtype: {first}")
_NO_NONE = Fix(
    summary="use a tensor of the right shape and dtype instead of None for {plain}, such as a zero",
)
_IS_NONE = ("before", "None is not a value in a loop or branch of the graph")
_FROM_LITERAL = Words(
    message="{name} is the plain number {literal} before the {loop}, so it enters the loop as {expected}, but the "
    "loop combines it with {got}",
    fixes=(_START,),
    at=(("before", _LITERAL), ("changed", "{meets}")),
    before="{starts}",
    changed="{meets}",
)
_IN_BRANCHES = Words(
    message="{name} is {expected} in one branch of {loop} and {got} in the other",
    fixes=(Fix(summary="give both the same dtype, with `tf.cast(..., tf.{expected})` or another constant"),),
    at=(("changed", "{meets}"),),
    before="{starts}",
    changed="{meets}",
)
_IN_LOOP = _IN_BRANCHES._replace(message="{name} is {expected} before the {loop} and {got} after {after}")
_NESTING = (Fix(summary="use the same nesting, container types, lengths and keys in both"),)
_UNDEFINED = Words(
    message="{name} has no value in the {branch} branch of {loop}, and both branches are traced",
    fixes=(Fix(summary="assign {plain} before the `if`, or in every branch"),),
    at=(("statement", "{missing}"),),
    changed="{set}",
)
_NONE = Words(
    message="{name} is None on one path through the {loop}, but a graph has no None",
    fixes=(_NO_NONE,),
    at=(_IS_NONE,),
    before="the value before",
    changed="{set}",
)
_NONE_IN_BRANCH = _NONE._replace(message="{name} is None in the {branch} branch of {loop}, and {got} in the other")
_ANNOTATED = Words(
    message="{name} is only annotated before the {loop}: AutoGraph treats that as a value, but there is none",
    fixes=(Fix(summary="assign {plain} there, with the shape and dtype that it has after the loop"),),
    at=(("before", "an annotation without a value"),),
)
_BEGIN = "the layer starts with states of the sizes {got}, but its cells need {expected}"

_ROWS = {
    "dtype, loop": _IN_LOOP,
    "dtype, branch": _IN_BRANCHES,
    "structure, loop": _IN_LOOP._replace(fixes=_NESTING),
    "structure, branch": _IN_BRANCHES._replace(fixes=_NESTING),
    "narrow": _IN_LOOP._replace(fixes=(_START,), at=(("before", "starts as {expected}"), *_IN_LOOP.at)),
    "literal": _FROM_LITERAL,
    "literal fraction": _FROM_LITERAL._replace(fixes=(_FRACTION,)),
    "literal, branch": _FROM_LITERAL._replace(message=_IN_BRANCHES.message),
    "literal fraction, branch": _FROM_LITERAL._replace(message=_IN_BRANCHES.message, fixes=(_FRACTION,)),
    "operand": Words(
        message="{name} is the plain number {literal} before the {loop}, so it becomes a tensor of {expected} inside, "
        "but {got} is added to it",
        fixes=(
            Fix(summary="cast it there: `tf.cast({operand}, tf.{got})`"),
            Fix(summary="or start with a number of dtype {got}", caveat="unless it is a count or an index"),
        ),
        at=(("changed", "adds {got} to it"),),
        before=_LITERAL,
        changed="adds {got} to it",
    ),
    "none, loop": _NONE,
    "none, branch": _NONE_IN_BRANCH,
    "none called": _NONE_IN_BRANCH._replace(at=()),
    "annotated": _ANNOTATED,
    "annotated, branch": _ANNOTATED._replace(
        fixes=(Fix(summary="remove the annotation: AutoGraph accepts none in a branch either"),)
    ),
    "undefined, branch": _UNDEFINED,
    "undefined, loop": Words(
        message="{name} has no value before the {loop}, but the traced loop needs one",
        fixes=(Fix(summary="assign {plain} before the loop"),),
        at=(("changed", "the only place that assigns it"), *_UNDEFINED.at),
        changed="{set}",
    ),
    "never-ran": Words(
        message="the {loop} ran zero times, and only its body assigns {name}",
        fixes=(Fix(summary="assign {plain} before the loop, in case there is nothing to iterate over"),),
        at=(("changed", "the only place that assigns it"), *_UNDEFINED.at),
        changed="{set}",
    ),
    "no-return": Words(
        message="one branch of {loop} returns a value, but the {branch} branch does not; both are traced",
        fixes=(Fix(summary="return a value of the same dtype and structure in every branch"),),
        at=(("statement", "the {branch} branch returns nothing"),),
        changed="the other branch returns here",
    ),
    "return-in-loop": Words(
        message="a `return` inside the traced {loop} would end the function on some iterations only",
        fixes=(Fix(summary="set a variable and `break`, and return it after the loop; define it before the loop"),),
        at=(("changed", "returns from inside the loop"),),
    ),
    "count": Words(
        message="the body of {loop} returns {got} values for {expected} loop variables",
        fixes=(_VALUES,),
        changed="returns {got}",
        statement=_EACH,
    ),
    "no-value": Words(
        message="the body of {loop} returns nothing, and must return {expected}", fixes=(_VALUES,), statement=_EACH
    ),
    "pair, cell": Words(
        message="the cell's `call` must return two things, the output and the new states, and returns {pair}",
        fixes=(Fix(summary="return the output and a list of the new states: `return output, [output]`"),),
        at=(("changed", "returns {pair}"), ("statement", "returns {pair}")),
        traced=_IN_CELL,
    ),
    "count, cell": Words(
        message="the cell gets {states} and returns {got} for the next step",
        fixes=(Fix(summary="return as many new states as `state_size` declares, in the same order"),),
        at=(("changed", "returns {new_states}"),),
        statement=_IN_CELL,
        traced=_IN_CELL,
    ),
    "dtype, cell": Words(
        message="the cell gets a state of {expected}, but returns one of {got} for the next step",
        fixes=(
            Fix(summary="return the new state as {expected}: `tf.cast(..., tf.{expected})`"),
            Fix(summary="or start with a state of {got}, in `get_initial_state`"),
        ),
        at=(("changed", "{meets}"),),
        statement=_IN_CELL,
        traced=_IN_CELL,
    ),
    "begin": Words(
        message=_BEGIN,
        fixes=(Fix(summary="pass as many states as the cell has: {count}"),),
        statement=_IN_CELL,
        traced=_IN_CELL,
    ),
    "begin nested": Words(
        message=_BEGIN,
        fixes=(Fix(summary="pass each cell its own list: `initial_state=[[h1, c1], [h2, c2]]` for two of LSTM"),),
        statement=_IN_CELL,
        traced=_IN_CELL,
    ),
}
"""By the problem; a row for one kind of construct (`, branch`, `, loop`, `, cell`) goes before one for all of them."""
