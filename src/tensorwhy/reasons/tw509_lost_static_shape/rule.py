"""TW509 lost-static-shape: what comes after needs a static shape, and one operation before it gave a result without."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.loops import LostShape, Shape
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW509",
    slug="lost-static-shape",
    family="loop",
    summary="The static shape of a tensor is needed, but an earlier operation (or a generator) returned a result "
    "without one.",
)


def match(case: Case) -> Evidence | None:
    """Holds when a shape was refused as not known, and the line is known from which on it was not."""
    fact = case.fact
    if not isinstance(fact, LostShape):
        return None
    related: tuple[Marked, ...] = ()
    if (fact.needed.file, fact.needed.line) != (fact.made.file, fact.made.line):
        related = (Marked.at(fact.needed, _need(fact), "needed"),)
    return Evidence(
        message=_message(fact),
        primary=Marked.at(fact.made, _label(fact), "lost"),
        related=related,
        fixes=tuple(_fixes(fact)),
    )


def _what(fact: LostShape) -> str:
    return "the size of the last axis" if fact.last else "the number of axes"


def _who(fact: LostShape) -> str:
    return f"`{fact.by}`" if fact.by else "what comes after"


def _need(fact: LostShape) -> str:
    return f"`{fact.by}` needs {_what(fact)}" if fact.by else f"{_what(fact)} is needed here"


def _message(fact: LostShape) -> str:
    call = f"`{fact.call}`" if fact.call else "an operation"
    needs = f"{_who(fact)} needs {_what(fact)}"
    if fact.means == "python":
        return f"{call} runs Python, so its result has no static shape, but {needs}"
    if fact.means == "generator" and not fact.last:
        return f"{call} does not know the shapes of the generator's values, but {needs}"
    if fact.means == "decoded" and not fact.last:
        return f"the result of {call} may have three axes or four (an animation), but {needs}"
    if fact.means == "branches":
        which = f"the branches of {call}" if fact.call else "the branches of a condition"
        return f"{needs}, but {which} return different ones: {' and '.join(map(_shape, fact.branches))}"
    shape = f": its shape is {_shape(fact.got)}" if fact.got is not None else ""
    if fact.means == "declared":
        return f"{needs}, but this input is declared without{shape}"
    source = {"layer": f"layer {call} returns", "generator": "the generator yields"}.get(fact.means, f"{call} returns")
    return f"{needs}, but {source} a tensor without{shape}"


def _label(fact: LostShape) -> str:
    if fact.means == "branches":
        return f"gives {' or '.join(map(_shape, fact.branches))}"
    if fact.given is not None and fact.given != fact.got:
        return f"gets {_shape(fact.given)}, returns {_shape(fact.got)}"
    return "declared here" if fact.means == "declared" else "not known from here on"


def _shape(shape: Shape | None) -> str:
    return (
        "a shape of unknown rank"
        if shape is None
        else "[" + ", ".join("?" if d is None else str(d) for d in shape) + "]"
    )


def _fixes(fact: LostShape) -> list[Fix]:
    if fact.means == "generator":
        told = "specify the size in" if fact.last else "pass"
        return [Fix(summary=f"{told} `output_signature=`: a `tf.TensorSpec(shape, dtype)` for each yielded value")]
    if fact.means == "branches" and fact.last:
        return [Fix(summary="return the same size of the last axis from all branches")]
    if fact.means == "branches":
        axis = "`keepdims=True` in a reduction, or `tf.expand_dims`"
        return [Fix(summary=f"return the same number of axes from all branches: {axis}, if one has fewer")]
    said = [f"`{name}.set_shape([...])`" for name in fact.results] or ["`tf.ensure_shape(result, [...])`"]
    tell = Fix(
        summary=f"set the shape after it: {', '.join(said)}; give the size of the last axis, and None "
        "for one that may vary"
    )
    if fact.means == "decoded" and not fact.last:
        return [Fix(summary="pass `expand_animations=False`: the result then has three axes"), tell]
    if fact.means == "declared" and not fact.last:
        return [Fix(summary="declare the axes, `tf.TensorSpec([None, ...])`, with None for a size that may vary")]
    if fact.means == "declared":
        return [Fix(summary="declare the size of the last axis; or, if it varies, pool over it before")]
    pool = Fix(
        summary="or, if that axis really varies, pool over it (`tf.reduce_mean`) before the line that needs its size"
    )
    if fact.means == "layer" and fact.last:
        return [Fix(summary="declare the sizes of the model's input that do not vary (`keras.Input(shape)`)"), pool]
    if fact.means == "layer":
        return [Fix(summary="set the shape of what its `call` returns: `tf.ensure_shape(result, [...])`")]
    if fact.means == "operation" and fact.last:
        number = "or pass a number instead of a tensor such as `tf.shape(x)[-1]`"
        return [Fix(summary=f"if that size never varies, set it afterwards: {', '.join(said)}; {number}"), pool]
    return [tell]
