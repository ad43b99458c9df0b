"""TW804 data-misfit: what a model is given, beside what it declares as its inputs."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks
from tensorwhy.model.facts.data import FedData, Misnamed, Misshapen, Shape
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import argument, call_at

META = about(
    __name__,
    summary="A model is given data that do not fit: single samples, another batch size, other names, too few batches.",
)


def match(case: Case) -> Evidence | None:
    """Hold for data that do not fit."""
    fact = case.fact
    if not isinstance(fact, FedData):
        return None
    fact = written(fact, case.sources)
    return Evidence(
        message=_message(fact),
        primary=Marked.at(fact.used, f"{_data(fact)} is given here"),
        related=marks(
            fact.used,
            (fact.made, f"{_origin(fact)} here", "made"),
            (fact.model, "the model is created here", "model"),
        ),
        severity="warning" if isinstance(fact, Misnamed) and fact.taken else None,
        fixes=_fixes(fact),
    )


def written(fact: FedData, sources: Sources) -> FedData:
    """Return the fact with what stands for the data in the call."""
    call = call_at(fact.used, sources) if not fact.text else None
    found = argument(call, 0, "x") if call is not None else None
    return msgspec.structs.replace(fact, text=ast.unparse(found)) if found is not None else fact


def _data(fact: FedData) -> str:
    return f"`{fact.text}`" if fact.text else "what it is given"


def _origin(fact: FedData) -> str:
    named = isinstance(fact, Misnamed) and fact.targets
    return "the targets get this name" if named else f"{_data(fact)} is created"


def _message(fact: FedData) -> str:
    what = f"the validation data {_data(fact)}" if fact.validation else _data(fact)
    if isinstance(fact, Misnamed) and fact.targets:
        given = f"the targets in {_data(fact)} have" if fact.dataset else f"{_data(fact)} has targets for"
        name = "the names " if fact.dataset else ""
        return f"{given} {name}{_names(fact.keys)}, and the outputs of the model are {_names(fact.inputs)}"
    if isinstance(fact, Misnamed):
        taken = (
            f": the keys are taken in order, so `{fact.taken}` is fed to the input `{fact.input}`" if fact.taken else ""
        )
        return f"{what} has {_names(fact.keys)}, and the model has inputs for {_names(fact.inputs)}{taken}"
    assert isinstance(fact, Misshapen)
    wanted, found = shape(fact.wanted), shape(fact.given)
    if fact.kind == "unbatched":
        single = "gives single samples" if fact.dataset else "is a single sample"
        return f"{what} {single} of shape {found}, and the model takes batches: {wanted}"
    if fact.kind == "batch":
        size = "its default" if fact.chosen else f"from {what}"
        return (
            f"`{fact.call}` takes {fact.given[0]} samples at once ({size}), and the model is made for {fact.wanted[0]}"
        )
    return f"{what} has shape {found}, and the input `{fact.input}` of the model takes {wanted}"


def _names(names: tuple[str, ...]) -> str:
    written = [f"`{name}`" for name in names]
    return " and ".join((", ".join(written[:-1]), written[-1])) if len(written) > 1 else "".join(written)


def _fixes(fact: FedData) -> tuple[Fix, ...]:
    text = fact.text or "data"
    model = "unless the data are right; then give the model an input for what is left over"
    if isinstance(fact, Misnamed) and fact.targets:
        names = f"name the targets like the outputs: {_names(fact.inputs)}"
        return (Fix(summary=names), Fix(summary="or give the outputs, and their losses in `compile`, these names"))
    if isinstance(fact, Misnamed):
        if has_more(fact):
            summary = f"leave out what the model has no input for: `{picked(fact)}`"
            return (Fix(summary=summary, caveat=model),)
        return (Fix(summary=f"give `{text}` the names of the inputs: {_names(fact.inputs)}"),)
    assert isinstance(fact, Misshapen)
    if fact.kind == "unbatched":
        return (Fix(summary=f"make batches: `{batched(fact)}`", caveat=model),)
    if fact.kind == "batch":
        size = f"batch({fact.wanted[0]}, drop_remainder=True)" if fact.dataset else f"batch_size={fact.wanted[0]}"
        caveat = "unless the model needs no fixed batch size; then declare its input without"
        return (Fix(summary=f"make batches of the size that the model is made for: `{size}`", caveat=caveat),)
    return (Fix(summary=f"give `{text}` the shape of the input, or declare the input as the data are"),)


def batched(fact: FedData) -> str:
    """Write the data with an axis for the batch."""
    text = fact.text or "data"
    return f"{text}.batch(32)" if fact.dataset else f"{text}[None]"


def has_more(fact: Misnamed) -> bool:
    """Return whether the data have all inputs, and more."""
    return set(fact.keys) > set(fact.inputs) and not fact.targets


def picked(fact: Misnamed) -> str:
    """Write the data with the inputs alone."""
    text = fact.text or "data"
    if fact.dataset:
        inner = ", ".join(f'"{name}": x["{name}"]' for name in fact.inputs)
        return f"{text}.map(lambda x, *rest: ({{{inner}}}, *rest))"
    return "{" + ", ".join(f'"{name}": {text}["{name}"]' for name in fact.inputs) + "}"


def shape(sizes: Shape) -> str:
    """Write a shape as Python does, with `n` for the size of a batch."""
    written = ["n" if size is None else str(size) for size in sizes]
    return f"({written[0]},)" if len(written) == 1 else f"({', '.join(written)})"
