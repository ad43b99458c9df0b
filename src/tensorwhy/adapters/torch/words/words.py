"""What PyTorch's own words are for what breaks a graph: the vocabulary that its facts bring along."""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from tensorwhy.adapters.torch.operations.kinds import CASTS
from tensorwhy.adapters.torch.recording.calls import KEPT, ONCE, RECOMPUTED, SLOPE, STRAIGHT
from tensorwhy.adapters.torch.words import edits
from tensorwhy.model.facts.gradient import GradientBreak, NotPassed, NotRecorded, NotWatched, Unused
from tensorwhy.model.facts.told import Told
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Edit, Fix, Severity
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

SETTING, INFERENCE = "torch.set_grad_enabled", "torch.inference_mode"
ALLOWED = "`allow_unused=True` returns this None where the call would raise, and repairs nothing"
FINDS_UNUSED = "`find_unused_parameters=True` lets training go on, and the parameter stays as it is"
TIED = "`{1}` is `{0}`: one parameter with two names, which `named_parameters()` lists by the first alone"
OFF_INSIDE = "`autograd.grad` finds no graph in the `backward` of `{}`, where none is kept"
SHOWN = "unless the term is only added so that its value shows in the loss"
ON_INSIDE = (
    Fix(summary="compute again what is differentiated there under `with torch.enable_grad():`, from detached inputs"),
)
OF_INTEGERS = "the `backward` of `{}` is never called: it returns {}, and only floating-point numbers carry a gradient"
KEEP_FLOATS = (Fix(summary="return the rounded values as floating-point numbers: leave out the cast in `forward`"),)
_MEANT_TO_STAY = "unless these parameters are meant to stay as they are; then do not give them to the optimizer"
_CALLED = {"__getitem__": "indexing", "__setitem__": "item assignment"}
COMPARISONS = {"gt": ">", "lt": "<", "ge": ">=", "le": "<=", "eq": "==", "ne": "!="}


def marked(location: Location | None, label: str, role: str) -> tuple[Marked, ...]:
    """One marked line, or none where it is not known."""
    return () if location is None else (Marked.at(location, label, role),)


def operation(name: str) -> str:
    """An operation as the user writes it."""
    if name in COMPARISONS:
        return f"`{COMPARISONS[name]}` (torch.{name})"
    if name.startswith("__"):
        return _CALLED.get(name, f"`{name.strip('_')}`")
    return "`.data`" if name == "data" else f"`{name}`"


def told(
    fact: GradientBreak,
    sources: Sources,
    off: str,
    severity: Severity | None,
    optimizer: Location | None = None,
) -> Told:
    """The words for one break. `off` is what switched the graph off, if that is the break.

    `optimizer` is where the optimizer was made that holds another instance of what the loss uses.
    """
    make = _KINDS.get(fact.kind)
    if fact.kind == "not-recorded":
        found = _switched_off(fact, sources, off)
    elif optimizer is not None:
        found = _instead(fact, optimizer)
    elif make is not None:
        found = make(fact, sources)
    else:
        found = Told(why="the reason is not known", label="here")
    name = fact.sources[0].name
    made = f"creates `{name}`" if "." in name else f"`{name}` is created here" if name else "created here"
    related = (*found.related, *marked(fact.made.source, made, "source"))
    harm = severity if found.severity is None or severity == "error" else found.severity
    return msgspec.structs.replace(found, related=related, severity=harm)


def _told(why: str, label: str, fix: str, caveat: str = "", edits: tuple[Edit, ...] = (), **more: Any) -> Told:
    """A break with the one thing that can be done about it."""
    return Told(why=why, label=label, fixes=(Fix(summary=fix, edits=edits, caveat=caveat),), **more)


def _retold(told: Told, why: str, label: str, fix: str, caveat: str, **more: Any) -> Told:
    """A break that is told in other words, with the one thing that can be done about it."""
    fixes = (Fix(summary=fix, caveat=caveat),)
    return msgspec.structs.replace(told, why=why, label=label, fixes=fixes, **({"severity": "warning"} | more))


def _switched_off(fact: GradientBreak, sources: Sources, off: str) -> Told:
    closed = fact.recorder_closed if isinstance(fact, NotRecorded) else None
    if fact.location is not None and closed is not None and closed.order == fact.location.order:
        return _in_library(fact, sources)
    name = off or "torch.no_grad"
    call, where = switch(name)
    return Told(
        why=f"part of the computation ran {where} {call}, where no graph is kept",
        label=f"computed here, {where} {call}",
        related=marked(
            closed,
            "gradients are switched off from here on" if name == SETTING else "gradients are switched off here",
            "off",
        ),
        fixes=without_switch(name, f"move this computation out of {call}", edits.moved_out(fact, closed, sources))
        if name != "torch.no_grad" or _is_around(closed, fact.location, sources)
        else (
            Fix(
                summary=f"compute this under `with torch.enable_grad():`, inside the function that {call} covers",
                edits=edits.under(fact.location, sources, "torch.enable_grad()"),
                caveat=_MEANT_TO_STAY,
            ),
        ),
    )


def _is_around(switch: Location | None, place: Location | None, sources: Sources) -> bool:
    """Return whether the block of a `with` is around a place, and not the call of a function that is covered."""
    block = sources.statement(switch) if switch is not None else None
    if place is None or switch is None or not isinstance(block, ast.With):
        return False
    return place.file == switch.file and block.lineno <= place.line <= (block.end_lineno or block.lineno)


def switch(name: str) -> tuple[str, str]:
    """What switched graphs off, as it is written, and whether what it concerns is inside or after it."""
    return ("`torch.set_grad_enabled(False)`", "after") if name == SETTING else (f"`{name}()`", "inside")


def without_switch(name: str, summary: str, changed: tuple[Edit, ...] = ()) -> tuple[Fix, ...]:
    """What to do about a switch; `summary` is what serves for a context."""
    if name == SETTING:
        changed = ()
        summary = (
            "switch graphs on again with `torch.set_grad_enabled(True)`, or use `with torch.no_grad():` or"
            " `with torch.enable_grad():`, which end by themselves"
        )
    fix = Fix(summary=summary, edits=changed, caveat=_MEANT_TO_STAY)
    other = "or use `torch.no_grad()` instead of `inference_mode()`, which `enable_grad()` cannot lift"
    return (fix, Fix(summary=other)) if name == INFERENCE else (fix,)


def _in_library(fact: GradientBreak, sources: Sources) -> Told:
    """A function of a library that computes without a graph."""
    call = call_at(sources, fact.location)
    name = call.func.attr if call is not None and isinstance(call.func, ast.Attribute) else ""
    fix = _INSTEAD.get(name, "use a function that keeps a graph, or call the computation itself")
    return _told(
        f"`{name}()` computes its result without a graph" if name else "this call computes without a graph",
        "no graph is kept in this call",
        fix,
    )


def _stopped(fact: GradientBreak, sources: Sources) -> Told:
    name = "`.data`" if fact.op == "data" else f"`{fact.op}()`"
    if isinstance(fact, NotPassed) and fact.replaced:
        return _told(
            f"{name} takes it out of the graph, and the gradient goes on to the value that it replaces",
            "the graph ends here",
            "keep this, and train the value that it puts in with a term of the loss: its distance to"
            " the value that it replaces, such as `F.mse_loss(y, x.detach())` for `x + (y - x).detach()`",
            caveat="unless nothing is to be learned here; then do not give these parameters to the optimizer",
        )
    within = _within_call(fact, sources)
    if within:
        return _told(
            f"`{within}(...)` computes with values alone, so its result has no history",
            "the graph ends in this call",
            "compute with the parameters themselves; to compute with other values of them, call the "
            "module with `torch.func.functional_call(module, values, inputs)`",
        )
    return _told(
        f"{name} cuts it off from the loss",
        "the graph ends here",
        f"remove the {name}",
        caveat="unless the value is meant to be a constant (a target, a baseline); then do not give "
        "these parameters to the optimizer",
        edits=_without(fact.location, sources, fact.op),
    )


def _within_call(fact: GradientBreak, sources: Sources) -> str:
    """The function that is called at a place, where the operation itself is not written there."""
    call = call_at(sources, fact.location)
    text = ast.unparse(call.func) if call is not None else ""
    here = sources.expression(fact.location) if fact.location is not None else ""
    written = f".{fact.op}" in (here + ast.unparse(call) if call is not None else f".{fact.op}")
    return "" if written or text.endswith(fact.op) or len(text) > 40 else text


def _without(location: Location | None, sources: Sources, name: str) -> tuple[Edit, ...]:
    """Return the edit that removes `.detach()` or `.data`."""
    if location is None or location.column is None:
        return ()
    node: ast.expr | None = None
    inner: ast.expr | None = None
    if name == "data":
        for each in sources.nodes(location.file):
            here = isinstance(each, ast.Attribute) and sources.place(location.file, each).order == location.order
            if here and isinstance(each, ast.Attribute) and each.attr == "data":
                node, inner = each, each.value
    else:
        call = call_at(sources, location)
        if call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == name:
            node, inner = call, call.func.value
    if node is None or inner is None:
        return ()
    text = sources.expression(sources.place(location.file, inner))
    alone = isinstance(inner, (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
    return edits.instead(node, location.file, text if alone else f"({text})", sources)


_NOT_LINEAR = "unless it should not be linear; then look at what is differentiated"
_CONSTANTS = {
    "Parameter": (
        "`nn.Parameter(...)` makes a new leaf of its value, without what it was computed from",
        "a new parameter, which has no history",
        "use the result itself, and keep the parameters that it is computed from",
        "unless this only sets the first value; then leave it",
    ),
    "autograd.grad": (
        "`torch.autograd.grad` was called without `create_graph=True`, so its result has no history",
        "this gradient is a constant",
        "pass `create_graph=True`",
        "unless this is meant as a constant; then leave it",
    ),
    SLOPE: (
        "`torch.autograd.grad` returns a constant here, even with `create_graph=True`: it depends on no tensor that"
        " requires one, as for a linear function",
        "this gradient is a constant",
        "if the function is linear, use zeros for the second gradient",
        _NOT_LINEAR,
    ),
    STRAIGHT: (
        "the gradient that `torch.autograd.grad` returns here does not depend on {name}, as for a linear function",
        "this gradient does not depend on {name}",
        "if the function is linear, pass `allow_unused=True`, and use zeros where the second gradient is None",
        _NOT_LINEAR,
    ),
    RECOMPUTED: (
        "`backward()` runs what is in this `checkpoint(...)` again, and the second run does not use the parameter:"
        " something that selects it has changed in between",
        "`backward()` runs this again, and then does not use the parameter",
        "pass what selects the parameter to `checkpoint` as an argument, and set it inside the function that runs"
        " there: both runs get the same arguments",
        "unless the first choice should not be trained",
    ),
}
ONCE_ONLY = (
    "`{name}.backward` is marked `once_differentiable`: its result is a constant, which cannot be differentiated again",
    "no graph is kept of what this `backward` computes",
    "remove `@once_differentiable`, and use only differentiable operations in `backward`",
    "unless the second gradient is not needed; then ask for the first one without `create_graph=True`",
)
"""Results without a history: why, the label, what to do, and when not to."""


def _lost(fact: GradientBreak, sources: Sources) -> Told:
    if fact.op in _CONSTANTS:
        name = f"`{fact.sources[0].name}`" if fact.sources[0].name else "the input"
        why, label, fix, caveat = (text.format(name=name) for text in _CONSTANTS[fact.op])
        return _told(why, label, fix, caveat)
    if fact.op.startswith(f"{KEPT}|"):
        function, _, name = fact.op.partition("|")[2].rpartition(".")
        return _told(
            f"the gradient that `{function}.backward` returns does not depend on the input: `forward` keeps no graph of"
            f" what it computes, and `ctx.{name}` is such a value",
            "this gradient is computed here, with that value",
            f"compute `{name}` in `backward`, from the inputs that `ctx.save_for_backward(...)` saves",
            caveat="unless the second gradient is meant to be zero; then pass `allow_unused=True`",
        )
    if fact.op.startswith(f"{ONCE}|"):
        why, label, fix, caveat = (text.format(name=fact.op.partition("|")[2]) for text in ONCE_ONLY)
        return _told(why, label, fix, caveat)
    if fact.op == "CheckpointFunction":
        return _checkpoint(fact, sources)
    smooth, changed = edits.smooth(fact.location, sources) if fact.op in COMPARISONS else ("", ())
    return _told(
        f"{operation(fact.op)} has no gradient",
        "the graph ends here",
        f"use a smooth threshold: `{smooth}`" if 0 < len(smooth) <= _LONG else instead(fact.op),
        caveat="a larger factor makes it steeper" if changed else "",
        edits=changed,
    )


def _checkpoint(fact: GradientBreak, sources: Sources) -> Told:
    summary, changed = edits.not_reentrant(fact.location, sources)
    return _told(
        "no input of this `checkpoint(...)` call requires a gradient, so reentrant checkpointing keeps no graph",
        "none of these inputs requires a gradient",
        summary,
        caveat="unless the layers in it are meant to stay as they are",
        edits=changed,
    )


def instead(name: str) -> str:
    """What to use in place of an operation without a gradient."""
    return _INSTEAD.get(name, _OTHERWISE)


_LONG = 100
_OTHERWISE = "use a differentiable function instead, or a straight-through estimator: `x + (hard - x).detach()`"
_INSTEAD = {
    "argmax": "compute the loss from the scores before `argmax`, for instance `F.cross_entropy(scores, labels)`, and "
    "use `argmax` only for metrics; for a choice within the model, use `F.gumbel_softmax(scores, hard=True)`",
    "multinomial": "use a policy gradient (`log_prob`), or `F.gumbel_softmax` for a differentiable sample",
    "sample": "use `rsample()`, or a policy gradient (`log_prob`)",
    "normal": "use `mean + std * torch.randn_like(std)`",
    "gt": "use a smooth threshold: `torch.sigmoid((x - t) * k)`",
    "lt": "use a smooth threshold: `torch.sigmoid((t - x) * k)`",
}


def _dtype(fact: GradientBreak, sources: Sources) -> Told:
    before, after = fact.dtypes if isinstance(fact, NotPassed) else ("", "")
    cast = fact.op in CASTS
    return _told(
        f"{operation(fact.op)} gives {after or 'whole numbers'}, and only floating-point tensors have gradients",
        f"{before or 'float'} becomes {after or 'an integer'} here",
        f"keep it floating-point: remove `.{fact.op}()`" if cast else instead(fact.op),
        caveat="unless whole numbers are meant; then train what comes before this line with another loss",
    )


def _left(fact: GradientBreak, sources: Sources) -> Told:
    text = sources.expression(fact.location) if fact.location is not None else ""
    way = "a NumPy array" if "numpy" in text or "np." in text else "a Python number"
    if fact.entry is None and fact.op in ("tensor", "as_tensor", "asarray"):
        return _told(
            f"`torch.{fact.op}` copies values, and the copy has no history",
            "copied here, without history",
            "use the tensor itself, or `torch.stack` for a list of tensors",
        )
    return _told(
        f"the value became {way}, and the new tensor that is made from it has no connection to the model",
        f"the value becomes {way} here",
        f"keep it a tensor: {_conversions(fact, sources)}, and use torch functions in between",
        related=marked(fact.entry, "a new tensor is created here, as a constant", "comes back"),
        notes=("`requires_grad=True` only silences the error of `backward()`, it connects nothing",)
        if fact.entry is not None and "requires_grad" in sources.expression(fact.entry)
        else (),
    )


def _conversions(fact: GradientBreak, sources: Sources) -> str:
    """What to remove: the call that leaves, and the one that comes back."""
    found = []
    for place in (fact.location, fact.entry):
        call = call_at(sources, place)
        if call is not None and place is not None:
            name = f"{ast.unparse(call.func)}(...)"
            modules = ("torch", "np", "numpy")
            if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) not in modules:
                name = f".{call.func.attr}()"
            found.append(f"`{name}` on line {place.line}")
    return f"remove {' and '.join(found)}" if found else "remove the conversion"


def _custom(fact: GradientBreak, sources: Sources) -> Told:
    return _told(
        f"the `backward` of `{fact.op}` returns None for it",
        "its backward gives no gradient for this input",
        f"return the gradient of each input from `{fact.op}.backward`, in the order of `forward`",
    )


def _state(fact: GradientBreak, sources: Sources) -> Told:
    how = fact.op.removeprefix("stored by ")
    return _told(
        f"its value was stored in another leaf tensor by {operation(how)}, and a stored value has no history",
        "stored here, as a value",
        "compute with the result itself instead of storing it in a parameter or leaf",
    )


def _unused(fact: GradientBreak, sources: Sources) -> Told:
    use = fact.use if isinstance(fact, Unused) else None
    if use is not None and use.how == "shape":
        return Told(why=f"only its shape was used (by {operation(use.op)})", label="only its shape is used here")
    if fact.location is not None and fact.location != fact.made.source:
        return Told(
            why="what was computed from it does not reach the loss",
            label="nothing in the loss is computed from this",
        )
    return Told(why="the loss was computed without it", label="created here, and not used in the loss")


def passed(told: Told, location: Location, argument: str, parameter: str, instead: str) -> Told:
    """The words for an argument that does not depend on the source, where a result that does was not passed."""
    return msgspec.structs.replace(
        told,
        why=f"the loss is computed from `{argument}`, which is passed for `{parameter}`; `{instead}`, which depends on"
        " the parameter, is not passed",
        label=f"`{instead}` is not passed here",
        location=location,
    )


_ITS_OWN_SAKE = "unless it is computed for its own sake; then do not compute it in training"


def in_vain(told: Told, name: str, loop: bool) -> Told:
    """The words for a result that nothing reads."""
    why = f"this only gives the loop variable `{name}` another value, which nothing reads"
    why = why if loop else f"nothing reads `{name}` after this line"
    fix = "collect the results in a list, and go on with that" if loop else "go on with this result"
    return _retold(told, why, "the result is lost here", fix, _ITS_OWN_SAKE)


def discarded(told: Told, called: str) -> Told:
    """The words for a result of a call that no statement takes."""
    why = f"the result of `{called}()` is not used, and the call changes nothing else"
    fix = f"assign the result of `{called}()`, and go on with that"
    return _retold(told, why, f"the result of `{called}()` is lost here", fix, _ITS_OWN_SAKE)


def overwritten(told: Told, name: str, place: Location) -> Told:
    """The words for a result that the next turn of a loop replaces."""
    why = f"each turn of this loop gives `{name}` another value, and only that of the last turn reaches the loss"
    fix = f"add the results up: set `{name} = 0` before the loop, and add each result to `{name}` in it"
    caveat = "unless only the last one should count; then compute no others in training"
    return _retold(told, why, f"`{name}` has the last result alone", fix, caveat, location=place)


def beside_arguments(told: Told, name: str, place: Location | None) -> Told:
    """The words for what a custom function computes with, and is not given."""
    note = "only arguments that are tensors get a gradient, not what an attribute, a list, or a closure holds"
    return _retold(
        told,
        f"`{name}` computes with it, or with a result of it, which is no argument of `apply()`",
        f"this is not given to `{name}`",
        f"pass each tensor that it computes with to `{name}.apply(...)` as an argument of its own, and return a"
        " gradient for each from `backward`",
        "unless these parameters should stay as they are; then do not give them to the optimizer",
        location=place,
        severity=told.severity if told.severity == "error" else "warning",
        notes=(*told.notes, note),
    )


def ends_unused(told: Told, name: str, location: Location) -> Told:
    """With a result beside the break that still has the gradient."""
    mark = marked(location, f"`{name}` has the gradient, and nothing uses it", "unused")
    fix = Fix(summary=f"compute the loss with `{name}`, too: it still has the gradient")
    return msgspec.structs.replace(told, related=(*told.related, *mark), fixes=(fix, *told.fixes))


def never_called(told: Told, kind: str, why: str, fix: str, place: Location | None) -> Told:
    """The words for a layer of a class that was to replace another one, which is still called."""
    why, label = f"nothing calls its `{kind}`: {why}", f"this `{kind}` replaces nothing"
    caveat = "unless it is not meant to be used; then do not give it to the optimizer"
    return _retold(told, why, label, fix, caveat, location=place)


def _instead(fact: GradientBreak, optimizer: Location) -> Told:
    return _told(
        "the optimizer holds the parameters of another instance than the loss was computed with",
        "the optimizer gets its parameters here",
        "create the optimizer after the model that is trained, from its `parameters()`",
        location=optimizer,
        related=marked(fact.entry, "the other instance is used here", "used"),
    )


def rebound(told: Told, name: str, places: list[Location]) -> Told:
    """The words for an optimizer that holds what a name was given before."""
    if len(places) != 1:
        return told
    optimizer = marked(told.location, "the optimizer got the tensor before that here", "optimizer")
    return msgspec.structs.replace(
        told,
        why=f"the optimizer holds the tensor that `{name}` was before, and the loss is computed with another one",
        label=f"`{name}` becomes another tensor here",
        location=places[0],
        related=(*optimizer, *told.related),
        fixes=(
            Fix(summary=f"copy the values into the tensor: `with torch.no_grad(): {name}.copy_(...)`"),
            Fix(summary="or create the optimizer after this line"),
        ),
    )


def forced_too(told: Told, place: Location, sources: Sources) -> Told:
    """The words for a break whose error is silenced further on: the first fix is of no use without that."""
    if not told.fixes:
        return told
    first, more = told.fixes[0], edits.unforced(place, sources)
    fix = Fix(
        summary=f"{first.summary}, and remove what makes the result a leaf on line {place.line}",
        edits=(*first.edits, *more) if first.edits and more else (),
        caveat=first.caveat,
    )
    return msgspec.structs.replace(told, fixes=(fix, *told.fixes[1:]))


def _untaken(fact: GradientBreak, sources: Sources) -> Told:
    place = fact.untaken if isinstance(fact, Unused) else None
    return Told(why="the branch that uses it was not taken", label="not taken", location=place)


def _copied(fact: GradientBreak, sources: Sources) -> Told:
    return Told(
        why="the loss was computed with a copy of it, another leaf tensor",
        label="the copy is used here",
        related=marked(fact.entry, "its values are copied here", "copied"),
    )


def _not_leaf(fact: GradientBreak, sources: Sources) -> Told:
    late = fact.watched_at if isinstance(fact, NotWatched) else None
    used = next((step.location for step in fact.path if step.location is not None), None)
    return _told(
        "it did not require a gradient yet when it was used",
        "too late: it was used before" if late is not None else "without `requires_grad`",
        "call `requires_grad_()` before the first use, or compute again what was computed before",
        "unless the earlier results are meant to be constants",
        location=late,
        related=marked(used, "used here, without a graph", "used"),
    )


_KINDS = {
    "stop-gradient": _stopped,
    "no-gradient": _lost,
    "unregistered": _lost,
    "dtype": _dtype,
    "index-input": _dtype,
    "left-framework": _left,
    "custom-gradient": _custom,
    "state": _state,
    "unused": _unused,
    "untaken-branch": _untaken,
    "copied": _copied,
    "not-watched": _not_leaf,
}
