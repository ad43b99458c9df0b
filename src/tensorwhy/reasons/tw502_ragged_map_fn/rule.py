"""TW502 ragged-map-fn: results of different lengths cannot be stacked into one dense tensor."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.loops import Shape, VaryingOutput
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__, summary="A mapped function returns tensors of different shapes, which must be stacked into one tensor."
)


def match(case: Case) -> Evidence | None:
    """Holds when results of one mapped function were seen, or reported by the kernel, with different shapes."""
    fact = case.fact
    if not isinstance(fact, VaryingOutput):
        return None
    if fact.construct == "batch":
        return _batch(fact)
    named = f"`{fact.function}`" if fact.function else "the mapped function"
    message = f"`{fact.construct}` stacks the results of {named} into one tensor, but their shapes differ"
    if fact.shapes is not None:
        first, other = (_text(shape) for shape in fact.shapes)
        at = f" (element {fact.element})" if fact.element is not None else ""
        message += f": {first}, then {other}{at}"
    related: tuple[Marked, ...] = ()
    if fact.produced is not None and fact.produced != fact.call:
        related = (Marked.at(fact.produced, "the length of this depends on the element", "result"),)
    return Evidence(
        message=message,
        primary=Marked.at(fact.call, "stacks results of different lengths", "map"),
        related=related,
        fixes=tuple(_alternatives(fact)),
    )


def _batch(fact: VaryingOutput) -> Evidence:
    """Elements of a dataset, of which the function or the generator is known that left their size open."""
    first, other = (_text(shape) for shape in fact.shapes or ((), ()))
    generated = fact.operation == "generator"
    label = "yields elements of different shapes" if generated else "the shape of this depends on the element"
    if fact.rankless:
        return _rankless(fact)
    return Evidence(
        message=f"`batch` stacks elements of a dataset into one tensor, but their shapes differ: {first}, then {other}",
        primary=Marked.at(fact.call, label, "result"),
        fixes=(
            Fix(summary="bring every element to one shape in a `map` first: crop, resize or pad it"),
            Fix(summary="or use `padded_batch` instead of `batch`, which pads with zeros"),
        ),
    )


def _rankless(fact: VaryingOutput) -> Evidence:
    """Elements that a batch can only make ragged when it knows how many axes they have."""
    first, other = fact.shapes or ((), ())
    same = [one if one == another else None for one, another in zip(first, other, strict=False)]
    return Evidence(
        message="the ragged batch does not know how many axes its elements have, so it stacks them like `batch`, but"
        f" their shapes differ: {_text(first)}, then {_text(other)}",
        primary=Marked.at(fact.call, "the number of axes is unknown from here on", "result"),
        fixes=(Fix(summary=f"set the shape of the result, with None for what varies: `x.set_shape({same})`"),),
    )


def _text(shape: Shape) -> str:
    return "[" + ", ".join("?" if each is None else str(each) for each in shape) + "]"


def _alternatives(fact: VaryingOutput) -> list[Fix]:
    """What needs no edit here is words only; the declaration itself is edited by `fix.py`."""
    found = []
    if fact.construct == "vectorized_map":
        named = f"what `{fact.function}` returns" if fact.function.isidentifier() else "what the function returns"
        return [
            Fix(
                summary="use `tf.map_fn` instead of `tf.vectorized_map`, which stacks the result of each operation, "
                f"and declare {named}: `fn_output_signature=tf.RaggedTensorSpec([None], dtype)`",
                caveat="this is slower, and the result becomes a RaggedTensor",
            ),
            Fix(summary="or compute a mask of the full length and multiply by it, instead of using positions"),
        ]
    if fact.alternative:
        found.append(Fix(summary=f"or, faster and without `map_fn`: {fact.alternative}"))
    elif not fact.declaration:
        found.append(
            Fix(
                summary="pad the result inside the function to one common length, and keep the lengths or a mask",
                caveat="this works if later code can use the lengths themselves",
            )
        )
    if fact.conversion:
        when = "if another size also differs from element to element: " if fact.declaration else "or "
        found.append(Fix(summary=f"{when}return `{fact.conversion}` and declare `{fact.converted}`"))
    return found
