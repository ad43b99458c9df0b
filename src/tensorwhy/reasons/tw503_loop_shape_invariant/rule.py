"""TW503 loop-shape-invariant: a loop variable's shape changes from one iteration to the next."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.data import FedData
from tensorwhy.model.facts.loops import LoopShapeChange, Shape
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

META = ReasonMeta(
    code="TW503",
    slug="loop-shape-invariant",
    family="loop",
    summary="A loop variable has another shape after an iteration than before, and no declaration allows it.",
)


_JOINING = ("concat", "append", "stack", "pad", "tile", "repeat")


def match(case: Case) -> Evidence | None:
    """Holds when a loop variable's static shape after one iteration does not fit its shape, or invariant, before."""
    fact = case.fact
    if not isinstance(fact, LoopShapeChange):
        return None
    loop = f"`{fact.construct}`" + (" loop" if fact.construct in ("for", "while") else "")
    if fact.problem == "count":
        return Evidence(
            message=f"{loop} has {_first(fact.entry)} loop variables, "
            f"but `shape_invariants` has {_first(fact.exit)} shapes",
            primary=Marked.at(fact.statement, "one shape is needed for each loop variable", "loop"),
            fixes=(Fix(summary="pass one shape for each loop variable, in the same structure"),),
        )
    if fact.problem == "state":
        misfit = any(isinstance(other, FedData) for other in case.others)
        return None if misfit else _state(fact)  # a state is as long as the batch that the model is made for
    name = f"`{fact.variable}`" if fact.variable else "a loop variable"
    if fact.problem == "initial":
        return _initial(fact, name)
    if fact.problem == "axis":
        return _axis(fact, name)
    if fact.problem == "array":
        return _array(fact, name)
    if fact.problem == "rows":
        name = f"a part of the ragged {name}" if fact.variable else "a part of a ragged loop variable"
    after = "one iteration" if fact.element is None else f"element {fact.element}"
    message = f"{name} has shape {_text(fact.entry)} before the {loop} and {_text(fact.exit)} after {after}"
    if fact.element is not None:
        message += ", and the results are combined in one tensor"
    elif fact.declared:
        message += f"; the declared shape is {_text(fact.invariant)}"
    else:
        message += ", and a traced loop keeps the initial shape"
    changed = fact.changed or fact.statement
    related = []
    if fact.changed is not None:
        once = "the loop is traced once, for all iterations" if fact.element is None else "iterates over the elements"
        related.append(Marked.at(fact.statement, once, "loop"))
    if fact.before is not None:
        related.append(Marked.at(fact.before, _begins(fact), "before"))
    return Evidence(
        message=message,
        primary=Marked.at(changed, f"makes it {_text(fact.exit)}", "changed"),
        related=tuple(related),
        fixes=tuple(_advice(fact, case.sources)),
    )


def _begins(fact: LoopShapeChange) -> str:
    name = fact.variable or "it"
    return f"{name} starts here" if fact.problem == "rows" else f"{name} starts as {_text(fact.entry)}"


def _initial(fact: LoopShapeChange, name: str) -> Evidence:
    return Evidence(
        message=f"{name} has shape {_text(fact.entry)} before the loop, which the declared shape "
        f"{_text(fact.invariant)} does not allow",
        primary=Marked.at(fact.before or fact.statement, f"this is {_text(fact.entry)}", "before"),
        related=(Marked.at(fact.statement, f"declared for the loop: {_text(fact.invariant)}", "loop"),),
        fixes=(Fix(summary="declare a shape that also fits the value before the loop, with None where they differ"),),
    )


def _array(fact: LoopShapeChange, name: str) -> Evidence:
    related = Marked.at(fact.before, "the TensorArray is created here", "before") if fact.before is not None else None
    return Evidence(
        message=f"{name} is a TensorArray, but the shape {_text(fact.invariant)} is declared for it. To the loop it is "
        "one handle without dimensions, whatever it holds",
        primary=Marked.at(fact.statement, f"{_text(fact.invariant)} is declared here, for a handle", "loop"),
        related=(related,) if related is not None else (),
        fixes=(
            Fix(
                summary="declare `tf.TensorShape([])` for it; the shape of its elements is declared where it is "
                "created, with `element_shape`"
            ),
            Fix(summary="or omit `shape_invariants` if all other loop variables keep their shape"),
        ),
    )


def _state(fact: LoopShapeChange) -> Evidence:
    given = f"the cell gets a state of shape {_text(fact.entry)}{', as its `state_size` says,' * fact.declared}"
    changed = Marked.at(fact.changed or fact.statement, f"makes it {_text(fact.exit)}", "changed")
    begun = Marked.at(fact.before, f"starts as {_text(fact.entry)}", "before") if fact.before is not None else None
    if fact.construct == "rnn":
        return Evidence(
            message=f"the step function gets a state of shape {_text(fact.entry)} and returns one of shape "
            f"{_text(fact.exit)} for the next step",
            primary=changed,
            related=(*((begun,) if begun is not None else ()), Marked.at(fact.statement, "it is looped here", "loop")),
            fixes=(
                Fix(
                    summary=f"start with a state of shape {_text(fact.exit)}, or return new states of the shape "
                    f"{_text(fact.entry)}"
                ),
            ),
        )
    return Evidence(
        message=f"{given} and returns one of shape {_text(fact.exit)} for the next step",
        primary=begun or changed,
        related=(
            *((changed,) if begun is not None else ()),
            Marked.at(fact.statement, "Keras runs the cell in a loop here", "loop"),
        ),
        fixes=(
            Fix(
                summary="return new states of the shapes that `state_size` declares; "
                "or declare the shape that `call` returns"
            )
            if fact.declared
            else Fix(
                summary=f"start with a state of shape {_text(fact.exit)}: in the cell's `get_initial_state`, "
                "or where the layer gets its `initial_state`"
            ),
        ),
    )


def _axis(fact: LoopShapeChange, name: str) -> Evidence:
    related = Marked.at(fact.before, f"starts as {_text(fact.entry)}", "before") if fact.before is not None else None
    return Evidence(
        message=f"`{fact.construct}` iterates over the first axis of {_text(fact.invariant)}, so each step gets "
        f"{_text(fact.exit)}; {name} has the shape of a slice along the second, {_text(fact.entry)}",
        primary=Marked.at(fact.statement, f"each step gets {_text(fact.exit)}", "loop"),
        related=(related,) if related is not None else (),
        certainty="likely",
        fixes=(
            Fix(
                summary="move the axis to iterate over to the front (`tf.transpose(x, [1, 0, 2])`), and "
                "transpose the result back"
            ),
        ),
    )


def _advice(fact: LoopShapeChange, sources: Sources) -> list[Fix]:
    found = []
    if fact.declaration:
        where = "as the first statement in the loop" if fact.construct in ("for", "while") else "in the call"
        found.append(
            Fix(
                summary=f"allow it, {where}: `{fact.declaration}`",
                caveat="unless the shape should stay the same: in that case the line in the loop has a mistake",
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
    elif _appends(fact) and fact.problem != "rows":
        found.append(
            Fix(
                summary=f"{'or ' * bool(found)}collect with `tf.TensorArray(dtype, size=0, dynamic_size=True)`, "
                "`write`, and one `stack` or `concat` after the loop: concatenating in each iteration copies "
                "everything each time"
            )
        )
    return found


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


def _first(shape: Shape | None) -> str:
    return str(shape[0]) if shape else "some"
