"""Makes the fact of a leaked tensor: where it was made, by which statement it escaped, and who holds it now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import collected
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserFrame
from tensorwhy.adapters.tensorflow.failures import drawing
from tensorwhy.adapters.tensorflow.graphs import escapes, holders, symbolic
from tensorwhy.model.facts.graph import Holder, LeakedTensor, Symbolic
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

# What TensorFlow and Keras call the graph that they are tracing.
_TRACED = ("func_graph", "scratch_graph", "graph")


def describe(tensor: Any, graph: Any | None, used: Location | None, live: LiveFailure) -> LeakedTensor:
    """The whole story of `tensor`, which was used in `graph`, or eagerly when that is None."""
    sources = Sources()
    made = symbolic.describe(tensor, live.user)
    frames = live.user_frames()
    found = _ranked(holders.find(tensor, frames, live.user))
    files = _files(made, (frame.location.file for frame in frames))
    # The trace that used it may have overwritten it already.
    kept = found or (_ranked(holders.find(tensor, frames, live.user, later=True)) if graph is not None else [])
    held = [(each.holder, (*_files_of(each, live.user), *files)) for each in kept]
    escape, *beside = escapes.escapes(made, held, sources) or (None,)
    replaced = escape is not None and escapes.replaces(escape, sources)
    known = (_variable(holder, near, sources) for holder, near in held if replaced or not holder.contained)
    variable = next(filter(None, known), None)
    handed = ""
    lifted = graph is None and _still_traced(tensor, live)
    # An argument of the traced function stands at the call of that: this call did not keep it.
    argument = symbolic.graph_of(tensor) is not None and tensor.op.type == "Placeholder"
    inside = symbolic.made_inside(tensor, live.user)
    if escape is None and inside and not (lifted or argument) and all(each.holder.private for each in found):
        escape, handed = escapes.handed_over(made.created, sources)
    closure = _closed_over(tensor, frames) if escape is None else None
    if closure is not None:
        escape, holder = closure
        found = found or [holders.Found(holder=holder)]
    if not found and inside and made.created is not None:
        # Overwritten since, or taken by a graph as a constant: the statement that made it may tell where it was kept.
        former = escapes.former_holder(made, sources)
        if former is not None:
            escape = next(iter(escapes.escapes(made, [(former, files)], sources)), None)
            variable = _variable(former, files, sources)
    used_in = symbolic.describe_graph(graph, None, live.user) if graph is not None else None
    added_at = _collected(tensor) if escape is None and not found else None
    name = next((each.holder.expression for each in found if not each.holder.private), "")
    what = "used eagerly" if used_in is None else f"used in {used_in.name}" if used_in.name else "used elsewhere"
    return LeakedTensor(
        tensor=made,
        used=used,
        used_in=used_in,
        holders=tuple(each.holder for each in found),
        escape=escape or added_at,
        beside=tuple(beside),
        handed=handed,
        reset=next(filter(None, map(_reset, found)), ""),
        variable=variable,
        collected=symbolic.graph_of(tensor) is None,
        lifted=lifted,
        constant=symbolic.graph_of(tensor) is not None and symbolic.is_constant(tensor),
        added=added_at is not None or _added(tensor, found),
        lineage=drawing.refused(tensor, name, what, used, "outside its graph", live.user),
    )


def _added(tensor: Any, found: list[holders.Found]) -> bool:
    """Return whether Keras keeps the tensor among a layer's losses, or made it for them."""
    if found:
        return all(each.holder.private and each.holder.attribute.endswith("_losses") for each in found)
    stack = symbolic.traceback_of(tensor) if symbolic.graph_of(tensor) is not None else []
    return any(function == "_handle_activity_regularization" for _, _, function in stack)


def _collected(tensor: Any) -> Location | None:
    """Where the tensor was given to `add_loss`: a layer of Keras 2 keeps it where only its own thread can see it."""
    key = getattr(tensor, "_id", None)
    return collected.place(key) if type(key) is int else None


def _reset(found: holders.Found) -> str:
    """The method by which an object lets go of what it keeps in a private attribute: `_mask` and `reset_mask`."""
    name = f"reset{found.holder.attribute}"
    known = found.holder.private and callable(getattr(type(found.instance), name, None))
    return f"{type(found.instance).__name__}.{name}" if known else ""


def _still_traced(tensor: Any, live: LiveFailure) -> bool:
    """True if a frame of the failure was tracing the tensor's own graph: the eager operation came from within."""
    own = symbolic.graph_of(tensor)
    if own is None or not symbolic.is_function_graph(own) or symbolic.is_finished(own):
        return False
    library = [frame.frame.f_locals for frame in live.innermost_first() if frame.location is None]
    return any(held.get(name) is own for held in library for name in _TRACED)


def _closed_over(tensor: Any, frames: Iterable[UserFrame]) -> tuple[Location, Holder] | None:
    """The function in whose closure the tensor travelled: it was made while tracing, and ran later."""
    for frame in frames:
        code = frame.frame.f_code
        for name in code.co_freevars:
            if frame.frame.f_locals.get(name) is tensor:
                words = f"variable `{name}`, which `{code.co_name}` closes over"
                return _defined(frame), Holder(kind="closure", expression=name, steps=(words,), attribute=name)
    return None


def _defined(frame: UserFrame) -> Location:
    """The line of the function that a frame runs; a lambda, or what AutoGraph rewrote, stands where it failed."""
    place, code = frame.location, frame.frame.f_code
    plain = frame.frame.f_code.co_filename == place.file
    return Location(file=place.file, line=code.co_firstlineno if plain else place.line, function=place.function)


def _ranked(found: list[holders.Found]) -> list[holders.Found]:
    """Names that the user wrote before what a framework keeps for itself and what a failed frame happens to hold."""

    def rank(each: holders.Found) -> tuple[bool, bool, bool, int]:
        expression = each.holder.expression
        return each.holder.private, each.holder.kind == "local", "._" in expression, len(expression)

    return sorted(found, key=rank)


def _files(made: Symbolic, others: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(call.file for call in reversed(made.calls)), *others)))


def _files_of(found: holders.Found, user: UserCode) -> tuple[str, ...]:
    """Where the holder's name is bound: its module, or the user's own classes of the object, which is asked nothing."""
    import sys

    if found.file:
        return (found.file,) if user.owns(found.file) else ()
    classes = type(found.instance).__mro__ if found.instance is not None else ()
    modules = (sys.modules.get(base.__module__) for base in classes)
    return tuple(file for module in modules if (file := getattr(module, "__file__", None)) and user.owns(file))


def _variable(holder: Holder, files: tuple[str, ...], sources: Sources) -> Location | None:
    if holder.kind not in ("attribute", "global", "closure"):
        return None
    return escapes.variable_store(holder, files, sources)
