"""TW306 wrapped-container: a layer, model, function or list stands where one tensor is needed, or the reverse."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.keras import NotATensor, SeparateTensors, TensorsToConstructor
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = ReasonMeta(
    code="TW306",
    slug="wrapped-container",
    family="keras-history",
    summary="A list, tuple, layer or model stands where a tensor is needed.",
)


def match(case: Case) -> Evidence | None:
    """Holds when a call that takes a tensor received a thing that holds or makes one."""
    fact = case.fact
    if isinstance(fact, TensorsToConstructor):
        return _to_constructor(fact)
    if isinstance(fact, SeparateTensors):
        return _separate(fact, case)
    if not isinstance(fact, NotATensor):
        return None
    given = fact.given
    name = words.given(given, case.sources)
    # A list or a model is wrong only where it is used; what a layer gives, and a layer that nobody called, is wrong
    # where it was made.
    listed = fact.length is not None
    at_use = (listed and not fact.returned) or given.sort == "model"
    primary = fact.used if at_use else given.made or given.written or fact.used
    what = f"{words.article(given.sort)} of {fact.length}" if listed else words.article(given.sort)
    return Evidence(
        message=f"{name} is {what}, not a tensor, and {fact.receiver} needs " + ("one tensor" if listed else "tensors"),
        primary=Marked.at(primary, _label(fact), "used" if at_use else "made"),
        related=words.marks(
            (given.made, f"{given.sort} made here", "made"),
            (given.written, "given here", "given"),
            (fact.used, "needs a tensor", "used"),
            primary=primary,
        ),
        certainty="proved" if fact.certain else "likely",
        fixes=(Fix(summary=_fix(fact, name)),),
    )


def _to_constructor(fact: TensorsToConstructor) -> Evidence:
    layer = words.code(f"{fact.layer}({fact.arguments})")
    return Evidence(
        message=f"{layer} gives tensors to the constructor, which makes a layer and takes none",
        primary=Marked.at(fact.used, "makes a layer; nothing has called it yet", "made"),
        related=words.marks(
            *((each.location, "symbolic Keras tensor made here", "source") for each in fact.tensors),
            primary=fact.used,
        ),
        fixes=(Fix(summary=f"make the layer, then call it on the tensors: `{fact.layer}()({fact.arguments})`"),),
    )


def _separate(fact: SeparateTensors, case: Case) -> Evidence:
    names = [words.tensor(each, case.sources) for each in fact.tensors]
    listed = f"[{', '.join(name.strip('`') for name in names)}]"
    return Evidence(
        message=f"{fact.layer} takes its tensors in one list, and was called with {len(names)} separate ones",
        primary=Marked.at(fact.used, f"{len(names)} tensors, not a list of {len(names)}", "used"),
        related=words.marks(
            *((each.location, "symbolic Keras tensor made here", "source") for each in fact.tensors),
            primary=fact.used,
        ),
        fixes=(Fix(summary="put them in a list" + (f": {words.code(f'{fact.call}({listed})')}" if fact.call else "")),),
    )


def _label(fact: NotATensor) -> str:
    if fact.length is not None:
        words = f"{fact.length} tensor{'' if fact.length == 1 else 's'} in a {fact.given.sort}"
        return f"returns {words}" if fact.returned else words
    return f"a {fact.given.sort}, which nobody called" if fact.call else f"a {fact.given.sort}, not its output"


def _fix(fact: NotATensor, name: str) -> str:
    if fact.length == 1:
        return "give the tensor itself, without the brackets"
    if fact.returned:
        return "take apart what the layer returns (`output, *states = layer(x)`), and give one tensor of it"
    if fact.length is not None:
        return "give one of them, or join them first (`keras.layers.Concatenate()`, `keras.layers.Add()`)"
    if fact.call:
        return "call it on the tensor before: `x = Layer(...)(x)`"
    return f"call it on a tensor, or use the tensor {name.rstrip('`')}.output`" if name.endswith("`") else "call it"
