"""TW306 wrapped-container: a layer, model, function or list stands where one tensor is needed, or the reverse."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.symbolic import NotATensor, SeparateTensors, TensorsToConstructor
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = about(__name__, summary="A list, tuple, layer or model was passed where a tensor is needed.")


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
    if given.sort == "None":
        return _nothing(fact, name)
    # A list, a dict or a model is wrong only where it is used; a list that a layer gives, and a layer that nobody
    # called, is wrong where it was made.
    listed = fact.length is not None
    at_use = (listed and not fact.returned) or given.sort in ("model", "function", "dict") or fact.called
    variant, own = next(each for each in _VARIANTS if each.holds(fact)), _words(fact, name)
    primary = fact.used if at_use else given.made or given.written or fact.used
    what = f"{words.article(given.sort)} of {fact.length}" if listed else words.article(given.sort)
    also = tuple(words.given(other, case.sources) for other in fact.others)
    more = f" (and so {'is' if len(also) == 1 else 'are'} {', '.join(also)})" if also else ""
    return Evidence(
        message=f"{name} is {what}{more}, not a tensor, and {fact.receiver} needs "
        + ("one tensor" if listed else "tensors"),
        primary=Marked.at(primary, variant.label.format_map(own), "used" if at_use else "made"),
        related=words.marks(
            (given.made, f"{given.sort} created here", "made"),
            (given.written, "given here", "given"),
            (fact.used, "needs a tensor", "used"),
            primary=primary,
        ),
        certainty="proved" if fact.certain else "likely",
        fixes=(Fix(summary=variant.fix.format_map(own)),),
    )


def _nothing(fact: NotATensor, name: str) -> Evidence:
    primary = fact.given.made or fact.used
    function = words.code(fact.forgot)
    return Evidence(
        message=f"{name} is None, but {fact.receiver} needs a tensor"
        + (f": {function} has no `return`" if fact.forgot else ""),
        primary=Marked.at(primary, "gives None" if fact.forgot else "gets None instead of a tensor", "made"),
        related=words.marks((fact.used, "called on None here", "used"), primary=primary),
        certainty="proved" if fact.certain else "likely",
        fixes=(
            Fix(
                summary=f"let {function} return the tensor it computes"
                if fact.forgot
                else "pass the tensor that was computed last: a function without `return` returns None"
            ),
        ),
    )


def _to_constructor(fact: TensorsToConstructor) -> Evidence:
    layer = words.code(f"{fact.layer}({fact.arguments})")
    return Evidence(
        message=f"{layer} passes tensors to the constructor, which creates a layer and accepts no tensors",
        primary=Marked.at(fact.used, "creates a layer that was not called yet", "made"),
        related=words.marks(
            *((each.location, "symbolic Keras tensor created here", "source") for each in fact.tensors),
            primary=fact.used,
        ),
        fixes=(Fix(summary=f"create the layer, then call it on the tensors: `{fact.layer}()({fact.arguments})`"),),
    )


def _separate(fact: SeparateTensors, case: Case) -> Evidence:
    names = [words.tensor(each, case.sources) for each in fact.tensors]
    listed = f"[{', '.join(name.strip('`') for name in names)}]"
    return Evidence(
        message=f"{fact.layer} takes one list of tensors, but was called with {len(names)} separate tensors",
        primary=Marked.at(fact.used, f"{len(names)} tensors, not a list of {len(names)}", "used"),
        related=words.marks(
            *((each.location, "symbolic Keras tensor created here", "source") for each in fact.tensors),
            primary=fact.used,
        ),
        fixes=(Fix(summary="put them in a list" + (f": {words.code(f'{fact.call}({listed})')}" if fact.call else "")),),
    )


class _Variant(NamedTuple):
    """What stands where one tensor is needed: the label at the line, and what to do. The first that holds counts."""

    holds: Callable[[NotATensor], bool]
    label: str
    fix: str


_WITHOUT_BRACKETS = "pass the tensor itself, without the brackets"
_VARIANTS = (
    _Variant(
        lambda fact: fact.length is not None and fact.given.sort == "dict",
        "{several}",
        "pass one of them by its key, or join them first: `keras.layers.Concatenate()([*{values}.values()])`",
    ),
    _Variant(lambda fact: fact.length == 1 and bool(fact.returned), "returns {several}", _WITHOUT_BRACKETS),
    _Variant(lambda fact: fact.length == 1, "{several}", _WITHOUT_BRACKETS),
    _Variant(
        lambda fact: bool(fact.returned),
        "returns {several}",
        "unpack what the layer returns (`{one}, *rest = ...`), and pass `{one}`",
    ),
    _Variant(
        lambda fact: fact.length is not None,
        "{several}",
        "pass one of them, or join them first (`keras.layers.Concatenate()`, `keras.layers.Add()`)",
    ),
    _Variant(
        lambda fact: fact.entry and not fact.called,
        "{what}, not its tensor",
        "use `keras.Input(...)`, which creates the input layer and returns its tensor",
    ),
    _Variant(
        lambda fact: fact.called,
        "{what}, not its tensor",
        "pass the output tensor of the layer: {tensor_of_layer}{every}",
    ),
    _Variant(lambda fact: fact.given.sort == "function", "{what}, not its result", "call it on a tensor: {called}"),
    _Variant(
        lambda fact: fact.call, "{what} that was never called", "call it on the previous tensor: `x = Layer(...)(x)`"
    ),
    _Variant(lambda fact: True, "{what}, not its output", "{call_or_output}"),
)


def _words(fact: NotATensor, name: str) -> dict[str, str]:
    bare = name.strip("`")
    side = "input" if fact.given.parameter == "inputs" and not fact.entry else "output"
    call_it = f"call it on a tensor, or use the tensor {name.rstrip('`')}.output`" if name.endswith("`") else "call it"
    return {
        "several": f"{fact.length} tensor{'' if fact.length == 1 else 's'} in a {fact.given.sort}",
        "what": words.article(fact.given.sort),
        "values": bare if bare.isidentifier() else "x",
        "one": bare if bare.isidentifier() else "output",
        "tensor_of_layer": words.code(f"{bare}.{side}"),
        "every": ", and so of the others" if fact.others else "",
        "called": words.code(f"{bare}(...)"),
        "call_or_output": call_it,
    }
