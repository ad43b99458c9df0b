"""TW509 lost-static-shape: what comes after needs a static shape, and one operation before it gave a result without."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.model.facts.loops import LostShape, Shape
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="The static shape of a tensor is needed, but an earlier operation (or a generator) returned a result "
    "without one.",
)


def match(case: Case) -> Evidence | None:
    """Holds when a shape was refused as not known, and the line is known from which on it was not."""
    fact = case.fact
    if not isinstance(fact, LostShape):
        return None
    row = _row(fact)
    related: tuple[Marked, ...] = ()
    if (fact.needed.file, fact.needed.line) != (fact.made.file, fact.made.line):
        related = (Marked.at(fact.needed, _names(fact)["needed"], "needed"),)
    return Evidence(
        message=row.message,
        primary=Marked.at(fact.made, row.label, "lost"),
        related=related,
        fixes=row.fixes,
    )


def _row(fact: LostShape) -> Row:
    """The row for what gave the result, and where it differs for which part of the shape is missing."""
    return _ROWS[fact.means, fact.last].filled(_names(fact))


def _names(fact: LostShape) -> dict[str, str]:
    what = "the size of the last axis" if fact.last else "to know the number and sizes of the axes"
    set_shape = [f"`{name}.set_shape([...])`" for name in fact.results] or ["`tf.ensure_shape(result, [...])`"]
    gets = f"gets {_shape(fact.given)}, returns {_shape(fact.got)}"
    return {
        "call": f"`{fact.call}`" if fact.call else "an operation",
        "line": str(fact.made.end_line or fact.made.line),
        "needs": f"`{fact.by}` needs {what}" if fact.by else f"what comes after needs {what}",
        "needed": f"`{fact.by}` needs {what}"
        if fact.by
        else f"{'the shape' if not fact.last else what} is needed here",
        "which": f"the branches of `{fact.call}`" if fact.call else "the branches of a condition",
        "shapes": " and ".join(map(_shape, fact.branches)),
        "either": " or ".join(map(_shape, fact.branches)),
        "shape": f": its shape is {_shape(fact.got)}" if fact.got is not None else "",
        "set": ", ".join(set_shape),
        "from_here": gets
        if fact.given is not None and fact.given != fact.got
        else "its shape is not known from here on",
        "declared": gets if fact.given is not None and fact.given != fact.got else "declared here",
    }


def _shape(shape: Shape | None) -> str:
    return (
        "a shape of unknown rank"
        if shape is None
        else "[" + ", ".join("?" if d is None else str(d) for d in shape) + "]"
    )


_TELL = Fix(
    summary="after line {line}, set the shape: {set}, with the size of each axis",
    caveat="write None only for an axis whose size varies: layers such as `Flatten` and `Dense` need all the others",
)
_POOL = Fix(
    summary="or, if that axis really varies, pool over it (`tf.reduce_mean`) before the line that needs its size"
)
_SIGNATURE = "`output_signature=`: a `tf.TensorSpec(shape, dtype)` for each yielded value"
_RETURNS = Row("{needs}, but {call} returns a tensor without{shape}", "{from_here}", (_TELL,))
_LAYER = _RETURNS._replace(message="{needs}, but layer {call} returns a tensor without{shape}")
_PYTHON = Row("{call} runs Python, so its result has no static shape, but {needs}", "{from_here}", (_TELL,))
_BRANCHES = Row("{needs}, but {which} return different ones: {shapes}", "gives {either}")
_DECLARED = Row("{needs}, but this input is declared without{shape}", "{declared}")
_ROWS = {
    ("python", False): _PYTHON,
    ("python", True): _PYTHON,
    ("generator", False): Row(
        "{call} does not know the shapes of the generator's values, but {needs}",
        "{from_here}",
        (Fix(summary=f"pass {_SIGNATURE}"),),
    ),
    ("generator", True): Row(
        "{needs}, but the generator yields a tensor without{shape}",
        "{from_here}",
        (Fix(summary=f"specify the size in {_SIGNATURE}"),),
    ),
    ("decoded", False): Row(
        "the result of {call} may have three axes or four (an animation), but {needs}",
        "{from_here}",
        (Fix(summary="pass `expand_animations=False`: the result then has three axes"), _TELL),
    ),
    ("decoded", True): _RETURNS,
    ("branches", False): _BRANCHES._replace(
        fixes=(
            Fix(
                summary="return the same number of axes from all branches: `keepdims=True` in a reduction, or "
                "`tf.expand_dims`, if one has fewer"
            ),
        )
    ),
    ("branches", True): _BRANCHES._replace(
        fixes=(Fix(summary="return the same size of the last axis from all branches"),)
    ),
    ("declared", False): _DECLARED._replace(
        fixes=(Fix(summary="declare the axes, `tf.TensorSpec([None, ...])`, with None for a size that may vary"),)
    ),
    ("declared", True): _DECLARED._replace(
        fixes=(Fix(summary="declare the size of the last axis; or, if it varies, pool over it before"),)
    ),
    ("layer", False): _LAYER._replace(
        fixes=(Fix(summary="set the shape of what its `call` returns: `tf.ensure_shape(result, [...])`"),)
    ),
    ("layer", True): _LAYER._replace(
        fixes=(
            Fix(summary="declare the sizes of the model's input that do not vary (`keras.Input(shape)`)"),
            _POOL,
        )
    ),
    ("operation", False): _RETURNS,
    ("operation", True): _RETURNS._replace(
        fixes=(
            Fix(
                summary="if that size never varies, set it afterwards: {set}; or pass a number instead of a tensor "
                "such as `tf.shape(x)[-1]`"
            ),
            _POOL,
        )
    ),
}
"""By what gave the result, and whether the size of the last axis is missing, or the number of axes."""
