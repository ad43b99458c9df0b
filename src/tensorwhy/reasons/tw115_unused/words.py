"""What is said of a source that the target does not use: one row for each thing that was done with it instead."""

from __future__ import annotations

from typing import NamedTuple

from tensorwhy.model.facts.gradient import Use


class Words(NamedTuple):
    """`why` ends the message; `label` stands at the place of the use, `other` at the second place of it."""

    why: str
    label: str
    fix: str
    other: str = ""


def words(key: str, **names: str) -> Words:
    """Return one row with the program's own words filled in.

    They are target, source, op, what was made of the source, and its origin: what the source was made from.
    """
    return Words(*[each.format(**names) for each in _TABLE[key]])


def row(use: Use) -> str:
    """Return the row for one use."""
    if use.how == "shared-call":
        return "one operation" if use.op else "linked" if use.linked else "shared-call"
    if use.how == "added-loss":
        return "added early" if use.early else "added-loss"
    return use.how


_LABEL = "this call returns both {source} and the inputs of {target}"
_FIX = "use it to compute {target}, or do not ask for its gradient"
_INDEPENDENT = "{target} does not depend on it"
_INSIDE = "computed in here: for the caller, the whole call is one operation"
_TABLE = {
    "asked": Words(
        why="no operation ever used it", label="asked here for {source}, which no operation ever used", fix=_FIX
    ),
    "made anew": Words(
        why="this call of it creates a new tensor that no operation uses",
        label="{source} is created here, but no operation ever used it",
        fix=_FIX,
    ),
    "never": Words(
        why="no operation ever used it", label="{source} is {created}, but no operation ever used it", fix=_FIX
    ),
    "made": Words(why=_INDEPENDENT, label="{source} is {created}, but {target} does not use it", fix=_FIX),
    "lost": Words(why=_INDEPENDENT, label="{made} comes from {source}, but {target} does not use {made}", fix=_FIX),
    "none-asked": Words(
        why=_INDEPENDENT, label="{target} is created here, from none of the requested sources", fix=_FIX
    ),
    "first-value": Words(
        why="this function was traced before the variable had a value, and keeps the initial value as a constant",
        label="traced in Keras's trial run, which creates the variables: every call uses this trace, which reads "
        "none of them",
        other="read here, while it was traced",
        fix="",
    ),
    "linked": Words(
        why="both come out of one traced call, and no gradient leads from one result of a call to another",
        label=_LABEL,
        other=_INSIDE,
        fix="split the traced function in two: one returns {source}, the other computes the rest from it; or open "
        "the tape inside the traced function",
    ),
    "shared-call": Words(
        why="both come out of one call, and {target} is not computed from it",
        label=_LABEL,
        other=_INSIDE,
        fix="compute {target} from {source} outside that call, or differentiate with respect to an input of the call",
    ),
    "one operation": Words(
        why="both come out of one operation, and {target} uses only another result of it",
        label="{op} gives both",
        fix="ask for the input of {op}, or compute {target} from {source}",
    ),
    "shape": Words(
        why="{target} uses only the shape of the value computed from it, not the value",
        label="only the shape goes on from here ({op})",
        fix="compute {target} from the values, or leave {source} out of the sources",
    ),
    "component": Words(
        why="only other parts of it are used (its indices or row splits), not its values",
        label="this uses parts of {source}, and not its values",
        fix="compute {target} from {source} as it is, with its values",
    ),
    "earlier": Words(
        why="this step does not use it",
        label="last used here, before the tape was opened",
        fix=_FIX,
    ),
    "again": Words(
        why="{target} was computed from another result of the same computation",
        label="{source} is created here, but {target} does not use it",
        other="{target} uses what this computes: the same values, another tensor",
        fix="get both from one call: let it return {source} together with the inputs of {target}",
    ),
    "derived": Words(
        why="{target} was computed from {origin} itself, not from this new tensor",
        label="{source} is a new tensor that was made here, and {target} does not use it",
        other="{origin} is created here, and {target} is computed from it",
        fix="ask for the gradient with respect to {origin} and do the same with the result, "
        "or compute {target} from {source}",
    ),
    "inverse": Words(
        why="{target} was computed from {origin}, and not from {source} itself",
        label="{source} is computed here, and {target} does not use it",
        other="{origin} is created here, and {target} is computed from it",
        fix="compute {target} from {source}; if a cache returns {origin} for it, pass a copy that the cache does not "
        "know, and ask for the gradient of that copy",
    ),
    "packed": Words(
        why="{target} does not depend on it; it is only packed into one vector with other variables",
        label="{source} is packed here, and only other parts of the vector get to {target}",
        other="the variables are set from the vector here",
        fix="use it to compute {target}, or pack only the variables that {target} depends on",
    ),
    "added early": Words(
        why="it is used only in a loss that was added before this step, and a layer clears its losses with each call",
        label="added to the layer's losses here, and cleared when the layer is called",
        fix="call `add_loss` in the layer's `call`, which adds the term in each step",
    ),
    "added-loss": Words(
        why="it is used only in a loss that a layer added, and {target} does not include those",
        label="added to the layer's losses here, and not to {target}",
        fix="add `tf.add_n(model.losses)` to {target}, after the model was called",
    ),
}
