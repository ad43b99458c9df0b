"""PyTorch refused an operation at once: it changes in place what must not change, or has no graph at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts import Fact
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    """Why what the last call that raised had refused must not be done, where the program ends in that line."""
    session, sources = current.recording(), Sources()
    if session is None or not session.recorder.refusals:
        return
    kind, place, number = session.recorder.refusals[-1]
    location = session.journal.location(place)
    if location is None or location != live.record.location:
        return
    recorder, names = session.recorder, session.modules.named(sources)
    rows = session.lineage().makers(number)
    made = session.journal.location(rows[-1].place if rows else recorder.made.get(number, -1))
    owner, held = _buffer(session, number) if kind == "captured" else (None, "")
    if owner is not None:
        made = session.journal.location(session.modules.made.get(id(owner), -1))
    if made is not None and (made.file, made.line) == (location.file, location.line):
        made = None  # a layer within the call that failed made it
    hooked = _hooked(session) if kind == "hooked" else None
    bound = sources.names(made) if made is not None and owner is None else ()
    name = names.get(number) or held or (bound[0] if len(bound) == 1 else "")
    what = f"`{name}`" if name else "a tensor"
    if number in recorder.parameters and number not in names and name:
        what = f"a parameter of {what}"
    if hooked is not None and (path := session.modules.name_of(id(hooked), sources)):
        what = f"the output of `{path}`"
    lines = {"source": made, "made": made, "off": session.journal.location(recorder.inferring.place)}
    lines["hook"] = session.journal.location(session.modules.made.get(id(hooked), -1))
    statistics = owner is not None and hasattr(owner, "track_running_stats")
    yield say("statistics-in-place" if statistics else f"{kind}-in-place", location, lines, what=what)


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
