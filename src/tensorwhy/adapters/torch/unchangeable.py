"""Operations that PyTorch refused at once: tensors that must not be changed in place, or that have no graph at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tensorwhy.adapters.torch.saying import say
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix, Symptom
from tensorwhy.source.files import Sources

_WHY = {
    "hooked": "{} cannot be changed in place: a full backward hook made it a view",
    "custom": "{} cannot be changed in place: it is a view that a custom `torch.autograd.Function` returned",
    "several": "{} cannot be changed in place: it is one of several views that one call made",
    "off": "{} cannot be changed in place: it is a view that was made while no graph was kept",
    "captured": "{} cannot be changed in place: it is not made by the transform (`grad`, `vmap`) that runs here",
}
_MADE = {
    "captured": "it is created here, outside of the transform",
}
_FIXES = {
    "hooked": (
        Fix(summary="use the operation that makes a new tensor: `inplace=False` for layers, `relu` for `relu_`"),
        Fix(summary="or hook the output: `output.register_hook(...)` in a forward hook"),
    ),
    "off": (Fix(summary="take the view where a graph is kept, or change the tensor under `torch.no_grad()`, too"),),
    "captured": (Fix(summary="compute a new tensor and return it, instead of changing this one"),),
}
_NEW = (
    Fix(summary="use the operation that makes a new tensor: `inplace=False` for layers, `x = x + 1` for `x += 1`"),
    Fix(summary="or change a copy: `x = x.clone()` before this line"),
)
_STATISTICS = Fix(
    summary="create this layer with `track_running_stats=False`",
    caveat="unless evaluation needs the running statistics; then use `GroupNorm`, which has none",
)


def groups(session: Recording, sources: Sources, names: Mapping[int, str]) -> Iterator[CaseGroup]:
    """One group for each operation that was refused."""
    recorder = session.recorder
    for kind, place, number in recorder.refusals:
        location = session.journal.location(place)
        rows = session.lineage().makers(number)
        made = session.journal.location(rows[-1].place if rows else recorder.made.get(number, -1))
        owner, held = _buffer(session, number) if kind == "captured" else (None, "")
        if owner is not None:
            made = session.journal.location(session.modules.made.get(id(owner), -1))
        if made is not None and location is not None and (made.file, made.line) == (location.file, location.line):
            made = None  # a layer within the call that failed made it
        hooked = _hooked(session) if kind == "hooked" else None
        bound = sources.names(made) if made is not None and owner is None else ()
        name = names.get(number) or held or (bound[0] if len(bound) == 1 else "")
        what = f"`{name}`" if name else "a tensor"
        if number in recorder.parameters and number not in names and name:
            what = f"a parameter of {what}"
        if hooked is not None and (path := session.modules.name_of(id(hooked), sources)):
            what = f"the output of `{path}`"
        if kind in ("leaf", "inference"):
            lines = {"source": made, "made": made, "off": session.journal.location(recorder.inferring.place)}
            fact = say("leaf-in-place" if kind == "leaf" else "inference-tensor", location, lines, what=what)
        else:
            fixes = (_STATISTICS,) if owner is not None and hasattr(owner, "track_running_stats") else ()
            on = session.journal.location(session.modules.made.get(id(hooked), -1))
            fact = Observed(
                slug="modified-in-place",
                message=_WHY[kind].format(what),
                label="PyTorch refuses to change it here",
                location=location,
                related=(
                    *marked(made, _MADE.get(kind, "it is made here"), "source"),
                    *marked(on, "the hook is on this layer", "hook"),
                ),
                severity="error",
                fixes=fixes or _FIXES.get(kind, _NEW),
            )
        symptom = Symptom(kind="exception", message="RuntimeError", location=location)
        yield CaseGroup(symptom=symptom, facts=(fact,), asked=True)


def _buffer(session: Recording, number: int) -> tuple[Any, str]:
    """The module that keeps a tensor beside its parameters, and what it calls it."""
    known = session.recorder.serials.known
    for module in session.modules.alive():
        for name, each in module.named_buffers(recurse=False):
            if known(each) == number:
                path = session.modules.name_of(id(module), Sources())
                return module, f"{path}.{name}" if path else name
    return None, ""


def _hooked(session: Recording) -> Any:
    """The one layer that has a full backward hook; None where several have."""
    found = [each for each in session.modules.alive() if each._backward_hooks or each._backward_pre_hooks]
    return found[0] if len(found) == 1 else None
