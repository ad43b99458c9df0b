"""TW305 disconnected-input: the outputs of a functional model need an input that the model was not given."""

from __future__ import annotations

import re

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.symbolic import Disconnected, Recalled
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import keras_words as words
from tensorwhy.source.files import Sources

META = about(
    __name__,
    summary="A functional model's outputs need an input that is not among its inputs, or is another Input object.",
)


def match(case: Case) -> Evidence | None:
    """Holds when walking from the outputs back through the layers ends at an input that the model was not given."""
    fact = case.fact
    if not isinstance(fact, Disconnected):
        return None
    if fact.recalled is not None:
        return _of_another_call(fact, fact.recalled, case.sources)
    double = _double(fact, case.sources)
    primary = double.location if double is not None and double.location is not None else fact.used
    label = (
        "a second Input: the layers were called on the first one" if double is not None else "this model lacks an input"
    )
    return Evidence(
        message=_message(fact, double, case.sources),
        primary=Marked.at(primary, label, "input" if double is not None else "model"),
        related=words.marks(
            *((ref.location, "the outputs need this input", "missing input") for ref in fact.missing),
            *((step.location, f"through {step.op} {words.code(step.layer)}", "path") for step in fact.path),
            *((ref.location, "given, but not needed by the outputs", "unused input") for ref in fact.unused),
            (
                fact.used,
                "the model is given the other one" if double is not None else "this model lacks that input",
                "model",
            ),
            primary=primary,
        ),
        source=fact.missing[0],
        path=fact.path,
        fixes=tuple(_fixes(fact, double, case.sources)),
    )


def _of_another_call(fact: Disconnected, recalled: Recalled, sources: Sources) -> Evidence:
    """The layers were called twice, and the output is of the call that the given input is no part of."""
    instead = words.tensor(recalled.instead, sources)
    return Evidence(
        message=f"an output of {words.code(fact.model)} comes from another call than its input: the {recalled.layer}"
        " was called more than once",
        primary=Marked.at(fact.used, "this output and this input belong to different calls", "model"),
        related=words.marks(
            (recalled.taken, "the output belongs to this call", "taken"),
            (recalled.wanted, "the input belongs to the calls that were created here", "wanted"),
            (recalled.instead.location, f"{instead} is what that output was computed from", "instead"),
            primary=fact.used,
        ),
        source=recalled.given,
        path=fact.path,
        fixes=(Fix(summary=f"give {instead} as the input: the output was computed from that"),),
    )


def _double(fact: Disconnected, sources: Sources) -> TensorRef | None:
    """The model's own Input that was meant to be the missing one: made under the same name, and used by nothing."""
    if len(fact.missing) != 1 or fact.owner is not None:
        return None
    missing = fact.missing[0]
    for ref in fact.unused:
        # Every function may call its own input `inputs`: a name says something within one function only.
        same_name = (
            words.name_of(ref, sources) == words.name_of(missing, sources) != ""
            and _function(ref.location) == _function(missing.location) is not None
        )
        same_layer = ref.layer == missing.layer != ""
        if same_name or same_layer or _same_words(ref.location, missing.location):
            return ref
    return None


def _function(place: Location | None) -> tuple[str, str] | None:
    return (place.file, place.function) if place is not None else None


def _same_words(one: Location | None, other: Location | None) -> bool:
    """Made by the same line of code, run twice."""
    return one is not None and other is not None and one.order == other.order


def _message(fact: Disconnected, double: TensorRef | None, sources: Sources) -> str:
    call = words.code(fact.model)
    if double is not None:
        return (
            f"there are two Input objects: the outputs of {call} are computed from one, and "
            f"its input {words.tensor(double, sources)} is the other"
        )
    whose = f", the input of model {words.code(fact.owner.name)}" if fact.owner is not None else ""
    need = words.tensors(fact.missing, sources)
    verb = "is" if len(fact.missing) == 1 else "are"
    if fact.twice:
        also = f"{words.tensors(fact.twice, sources)} {'is' if len(fact.twice) == 1 else 'are'} listed twice"
        return f"the outputs of {call} depend on {need}{whose}, which {verb} not among its inputs, and {also}"
    return f"the outputs of {call} depend on {need}{whose}, which {verb} not among its inputs"


_PART = re.compile(r"^(\w[\w.]*)\.(?:get_layer\(.*\)|layers\[.*\])$")
"""A layer, as it is taken from a model."""


def _fixes(fact: Disconnected, double: TensorRef | None, sources: Sources) -> list[Fix]:
    if double is not None:
        second = double.location
        line = f"remove the second Input on line {second.line}" if second is not None else "create the Input once"
        return [Fix(summary=f"{line}, and use the first one for both the layers and the model")]
    fixes = []
    if fact.replaced is not None:
        return [_stands_in(fact, fact.replaced, sources)]
    if words.whole_of(fact):
        return _whole(fact, words.whole_of(fact), sources)
    if fact.owner is not None and fact.fed is not None and not fact.unused:
        fed = words.tensor(fact.fed, sources)
        fixes.append(
            Fix(
                summary=f"replace {fed}, the output of another model, by a `keras.Input`, call the layers on it,"
                " and list it among the inputs; in each call, pass it the output of the other model",
            )
        )
    elif fact.owner is not None and not fact.unused:
        owner = fact.owner.name
        fixes.append(
            Fix(
                summary=f"create a separate model that returns this tensor, `keras.Model({owner}.inputs, ...)`, and "
                f"call it on the input of `{owner}`: the layers of `{owner}` hold the tensors of its own graph, "
                f"not of the calls to it",
            )
        )
    elif fact.owner is not None and (found := _PART.match(fact.owner.name)):
        owner, whole = fact.owner.name, found[1]
        fixes.append(
            Fix(
                summary="use its output in this model, which is the input of the layer after it: "
                f"`{whole}.layers[{whole}.layers.index({owner}) + 1].input`",
                caveat="if the next layer in the list has other inputs, take one that gets this output",
            )
        )
    elif fact.owner is not None:
        owner, mine = fact.owner.name, words.tensors(fact.unused, sources)
        which = f"on {mine}," if len(fact.unused) == 1 else f"on what is meant for it of {mine},"
        fixes.append(
            Fix(
                summary=f"call the model, `{owner}(...)` {which} instead of using `{owner}.output`",
                caveat="to extend the model as it is, use its own input for the new model instead",
            )
        )
    inner = fact.owner is not None and fact.fed is None and not fact.unused
    wanted = (*(ref for ref in fact.given if ref not in fact.unused), *fact.missing)
    names = ", ".join(words.name_of(ref, sources) or ref.layer or "..." for ref in wanted)
    if not inner:
        fixes.append(Fix(summary=f"pass every input to the model: `inputs=[{names}]`"))
    return fixes


def _stands_in(fact: Disconnected, replaced: TensorRef, sources: Sources) -> Fix:
    (spare,) = (ref for ref in fact.unused if (ref.shape, ref.dtype) == (replaced.shape, replaced.dtype))
    mine, theirs = words.tensor(spare, sources), words.tensor(replaced, sources)
    return Fix(
        summary=f"call the layers on {mine} instead of {theirs}, which has the same shape and depends on"
        f" {words.tensors(fact.missing, sources)}",
    )


def _whole(fact: Disconnected, owner: str, sources: Sources) -> list[Fix]:
    """Some of a model's own inputs were given, and its outputs need others of them."""
    entered = [step.layer for step in fact.path if step.connected][:1]
    at = f" by {words.code(entered[0])}" if entered and entered[0] else ""
    need = words.tensors(fact.missing, sources)
    return [
        Fix(summary=f"pass every input of `{owner}`: `inputs={owner}.inputs`"),
        Fix(
            summary=f"or, if the outputs should not depend on {need}, take them from a layer before {need}"
            f" enters{at}: `{owner}.get_layer(...).output`",
        ),
    ]
