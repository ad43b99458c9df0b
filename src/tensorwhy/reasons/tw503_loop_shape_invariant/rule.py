"""TW503 loop-shape-invariant: a loop variable's shape changes from one iteration to the next."""

from __future__ import annotations

import ast
import math

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.model.facts.data import FedData
from tensorwhy.model.facts.loops import LoopShapeChange, Shape
from tensorwhy.model.report import Fix
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

META = about(
    __name__, summary="A loop variable has another shape after an iteration than before, and no declaration allows it."
)


def match(case: Case) -> Evidence | None:
    """Holds when a loop variable's static shape after one iteration does not fit its shape, or invariant, before."""
    fact = case.fact
    if not isinstance(fact, LoopShapeChange):
        return None
    if fact.problem == "state" and any(isinstance(other, FedData) for other in case.others):
        return None  # a state is as long as the batch that the model is made for
    places = {"statement": fact.statement, "before": fact.before, "changed": fact.changed}
    found = _ROWS[_variant(fact)].evidence(_names(fact), places, within_lines=True)
    if found is None or found.fixes:
        return found
    return msgspec.structs.replace(found, fixes=tuple(_advice(fact, case.sources)))


def _variant(fact: LoopShapeChange) -> str:
    """The name of the row: the problem, and where its words differ for what was declared, that as well."""
    if fact.problem == "state":
        return "rnn" if fact.construct == "rnn" else "state declared" if fact.declared else "state"
    if fact.problem == "changes":
        return "element" if fact.element is not None else "declared" if fact.declared else "kept"
    return fact.problem


def _names(fact: LoopShapeChange) -> dict[str, str]:
    name = f"`{fact.variable}`" if fact.variable else "a loop variable"
    return {
        "loop": f"`{fact.construct}`" + (" loop" if fact.construct in ("for", "while") else ""),
        "construct": fact.construct,
        "name": name,
        "it": fact.variable or "it",
        "entry": _text(fact.entry),
        "exit": _text(fact.exit),
        "invariant": _text(fact.invariant),
        "variables": str(fact.entry[0]) if fact.entry else "some",
        "shapes": str(fact.exit[0]) if fact.exit else "some",
        "after": "one iteration" if fact.element is None else f"element {fact.element}",
    }


_BEGINS = ("before", "{it} starts as {entry}", "before")
_BEFORE = ("before", "starts as {entry}", "before")
_MAKES = ("changed", "makes it {exit}", "changed")
_MAKES_SOMEWHERE = ("statement", "makes it {exit}", "changed")
_RUNS_THE_CELL = ("statement", "Keras runs the cell in a loop here", "loop")
_STATE = Row(
    "the cell gets a state of shape {entry} and returns one of shape {exit} for the next step",
    fixes=(
        Fix(
            summary="start with a state of shape {exit}: in the cell's `get_initial_state`, "
            "or where the layer gets its `initial_state`"
        ),
    ),
    at=(_BEFORE, _MAKES, _MAKES_SOMEWHERE),
    beside=(_MAKES, _RUNS_THE_CELL),
)
_CHANGES = "{name} has shape {entry} before the {loop} and {exit} after {after}"
_ONCE = ("statement", "the loop is traced once, for all iterations", "loop")
_TURNS = ("statement", "iterates over the elements", "loop")
_ROWS = {
    "count": Row(
        "{loop} has {variables} loop variables, but `shape_invariants` has {shapes} shapes",
        fixes=(Fix(summary="pass one shape for each loop variable, in the same structure"),),
        at=(("statement", "one shape is needed for each loop variable", "loop"),),
    ),
    "initial": Row(
        "{name} has shape {entry} before the loop, which the declared shape {invariant} does not allow",
        fixes=(Fix(summary="declare a shape that also fits the value before the loop, with None where they differ"),),
        at=(("before", "this is {entry}", "before"), ("statement", "this is {entry}", "before")),
        beside=(("statement", "declared for the loop: {invariant}", "loop"),),
    ),
    "axis": Row(
        "`{construct}` iterates over the first axis of {invariant}, so each step gets {exit}; {name} has the shape of "
        "a slice along the second, {entry}",
        fixes=(
            Fix(
                summary="move the axis to iterate over to the front (`tf.transpose(x, [1, 0, 2])`), and "
                "transpose the result back"
            ),
        ),
        at=(("statement", "each step gets {exit}", "loop"),),
        beside=(_BEFORE,),
        certainty="likely",
    ),
    "array": Row(
        "{name} is a TensorArray, but the shape {invariant} is declared for it. To the loop it is one handle without "
        "dimensions, whatever it holds",
        fixes=(
            Fix(
                summary="declare `tf.TensorShape([])` for it; the shape of its elements is declared where it is "
                "created, with `element_shape`"
            ),
            Fix(summary="or omit `shape_invariants` if all other loop variables keep their shape"),
        ),
        at=(("statement", "{invariant} is declared here, for a handle", "loop"),),
        beside=(("before", "the TensorArray is created here", "before"),),
    ),
    "rnn": Row(
        "the step function gets a state of shape {entry} and returns one of shape {exit} for the next step",
        fixes=(Fix(summary="start with a state of shape {exit}, or return new states of the shape {entry}"),),
        at=(_MAKES, _MAKES_SOMEWHERE),
        beside=(_BEFORE, ("statement", "it is looped here", "loop")),
    ),
    "state": _STATE,
    "state declared": _STATE._replace(
        message="the cell gets a state of shape {entry}, as its `state_size` says, and returns one of shape {exit} "
        "for the next step",
        fixes=(
            Fix(
                summary="return new states of the shapes that `state_size` declares; "
                "or declare the shape that `call` returns"
            ),
        ),
    ),
    **{
        how: Row(_CHANGES + more, at=(_MAKES, _MAKES_SOMEWHERE), beside=(loop, _BEGINS))
        for how, more, loop in (
            ("element", ", and the results are combined in one tensor", _TURNS),
            ("declared", "; the declared shape is {invariant}", _ONCE),
            ("kept", ", and a traced loop keeps the initial shape", _ONCE),
        )
    },
}
_JOINING = ("concat", "append", "stack", "pad", "tile", "repeat")


def _advice(fact: LoopShapeChange, sources: Sources) -> list[Fix]:
    found = []
    shape = same_elements(fact)
    if shape:
        found.append(
            Fix(
                summary=f"give the new value the shape from before the loop: `tf.reshape(..., {shape})`",
                caveat="unless the shape should change; then declare it",
            )
        )
    if fact.declaration:
        where = "as the first statement in the loop" if fact.construct in ("for", "while") else "in the call"
        found.append(
            Fix(
                summary=f"{'or ' * bool(found)}allow it, {where}: `{fact.declaration}`",
                caveat="unless the shape should stay the same; then the line in the loop has a mistake",
            )
        )
    elif fact.construct in ("for", "while"):
        found.append(
            Fix(
                summary="keep one shape, using a mean or a sum in the loop: with distributed data no shape can "
                "be declared"
            )
        )
    if fact.construct.startswith("keras."):
        found.append(Fix(summary="use `tf.while_loop`, which accepts `shape_invariants`; the loops of Keras do not"))
        found.append(Fix(summary="or start with the full shape, and let each iteration set a part of it"))
    elif fact.construct == "scan":
        found.append(Fix(summary="let the accumulator keep one shape, or use `tf.while_loop` with `shape_invariants`"))
    elif _stretches(fact, sources):
        found.append(
            Fix(
                summary=f"{'or ' * bool(found)}start with the shape {_text(fact.exit)}, if the size of 1 is only "
                f"broadcast to another size, such as the batch size"
            )
        )
    elif _appends(fact):
        found.append(
            Fix(
                summary=f"{'or ' * bool(found)}collect with `tf.TensorArray(dtype, size=0, dynamic_size=True)`, "
                "`write`, and one `stack` or `concat` after the loop: concatenating in each iteration copies "
                "everything each time"
            )
        )
    return found


def same_elements(fact: LoopShapeChange) -> str:
    """The shape before the loop, if the value after it has the same elements in another number of axes."""
    if fact.problem != "changes" or fact.entry is None or fact.exit is None or len(fact.entry) == len(fact.exit):
        return ""
    known, unknown = zip(*(_elements(shape) for shape in (fact.entry, fact.exit)))
    if known[0] != known[1] or unknown[0] != unknown[1] or unknown[0] > 1:
        return ""
    return "[" + ", ".join("-1" if each is None else str(each) for each in fact.entry) + "]"


def _elements(shape: Shape) -> tuple[int, int]:
    """The product of the sizes that are known, and how many are not."""
    return math.prod(each for each in shape if each is not None), shape.count(None)


def _appends(fact: LoopShapeChange) -> bool:
    """Whether one dimension grows and the others stay, as when rows are concatenated."""
    if fact.entry is None or fact.exit is None or len(fact.entry) != len(fact.exit):
        return False
    differing = [pair for pair in zip(fact.entry, fact.exit, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and all(now is None or then is None or now > then for then, now in differing)


def _stretches(fact: LoopShapeChange, sources: Sources) -> bool:
    """Whether a size of 1 becomes another one, and not by joining one more: by broadcasting."""
    if fact.entry is None or fact.exit is None or len(fact.entry) != len(fact.exit) or fact.changed is None:
        return False
    differing = [pair for pair in zip(fact.entry, fact.exit, strict=True) if pair[0] != pair[1]]
    statement = sources.statement(fact.changed)
    called = [reading.callee(each) for each in ast.walk(statement) if isinstance(each, ast.Call)] if statement else []
    joined = any(word in name for name in called for word in _JOINING)
    return statement is not None and not joined and all(then == 1 and now != 2 for then, now in differing)


def _text(shape: Shape | None) -> str:
    return "of unknown rank" if shape is None else "[" + ", ".join("?" if d is None else str(d) for d in shape) + "]"
