"""Words that the three reasons for a leaked tensor share: how the facts of a leak become evidence."""

from __future__ import annotations

import ast
from itertools import pairwise

from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.facts.graph import GraphRef, LeakedTensor, Symbolic
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import keras_words

_TRAINING = ("train_function", "one_step_on_data", "one_step_on_iterator", "multi_step_on_iterator")
_TESTING = ("test_function", "predict_function")
_HOLDERS = 3


def of_keras(graph: GraphRef) -> bool:
    """Return whether Keras has the function traced that the graph is of: the user neither wrote it nor calls it."""
    return graph.kind == "function" and graph.name in (*_TRAINING, *_TESTING)


def handed_back(fact: LeakedTensor) -> Fix:
    """Take the tensor out first, and call outside what kept it."""
    where = {
        "loop": "add the tensor to the loop variables, and call `{0}` after the loop",
        "branch": "return the tensor from both branches, and call `{0}` with the result of the condition",
        "scratch": "call `{0}` in every call: then no value of an earlier trial run is used",
    }.get(fact.tensor.graph.kind, "return the tensor from {1}, and call `{0}` outside with the returned value")
    return Fix(summary=where.format(fact.handed, graph_words(fact.tensor.graph)))


def cached_otherwise(fact: LeakedTensor) -> Fix | None:
    """What a cache may keep; None where none holds the tensor."""
    if not any(holder.kind == "cache" for holder in fact.holders):
        return None
    return Fix(
        summary="cache a NumPy array instead of a tensor, or create the tensor under `tf.init_scope()`, "
        "outside any graph"
    )


def used_again(fact: LeakedTensor) -> bool:
    """Return whether another trace of the same function used the tensor."""
    graph, other = fact.tensor.graph, fact.used_in
    return other is not None and graph.kind == other.kind == "function" and graph_words(graph) == graph_words(other)


def made_outside(fact: LeakedTensor) -> Fix | None:
    """What depends on nothing in its graph can be made before; None where something went into it."""
    if not fact.constant or fact.escape is None or fact.handed or fact.reset:
        return None
    return Fix(
        summary="create the tensor before tracing; or here, within `with tf.init_scope():`, outside any graph, "
        "because it does not depend on the function's inputs"
    )


def graph_words(graph: GraphRef) -> str:
    """What was being traced, in words."""
    name = f" `{graph.name}`" if graph.name else ""
    if graph.kind == "function":
        if graph.name in _TRAINING:
            return "the training step of `fit`"
        if graph.name in _TESTING:
            return "the step of `evaluate` or `predict`"
        return f"the traced function{name}"
    if graph.kind == "dataset":
        return f"the dataset function{name}" if graph.name and graph.name != "lambda" else "a dataset function"
    if graph.kind == "branch":
        return "a branch of a condition"
    if graph.kind == "loop":
        return "the body of a loop"
    if graph.kind == "scratch":
        return f"the temporary graph in which Keras builds {f'layer{name}' if name else 'a layer'}"
    return "another graph"


def code(location: Location, case: Case) -> str:
    """The user's text at a location, short enough for a sentence and without comments."""
    text = case.sources.expression(location)
    if location.column is None:
        statement = case.sources.statement(location)
        text = ast.unparse(statement).splitlines()[0] if statement is not None else text
    return text if len(text) <= 80 else text[:77] + "..."


def used_words(fact: LeakedTensor) -> str:
    if fact.used_in is None:
        return "used eagerly"
    if used_again(fact):
        return f"used in another trace of {graph_words(fact.used_in)}"
    return f"used in {graph_words(fact.used_in)}"


def subject(fact: LeakedTensor, case: Case) -> str:
    """The user's own expression for the tensor."""
    if (fact.handed or fact.added) and fact.escape is not None:
        call = case.sources.statement(fact.escape)
        if isinstance(call, ast.Expr) and isinstance(call.value, ast.Call) and len(call.value.args) == 1:
            return ast.unparse(call.value.args[0])
    stored = case.sources.names(fact.escape) if fact.escape is not None else ()
    for holder in fact.holders:
        if not holder.private:
            inside = "._" in holder.expression and len(stored) == 1
            return stored[0] if inside else holder.expression
    # An argument of a traced function has the line where tracing began, and no name there.
    if fact.tensor.created is not None and fact.tensor.op != "Placeholder" and not fact.added:
        names = case.sources.names(fact.tensor.created)
        # What only a framework keeps may be something that it made on that line besides: the loss of a layer, say.
        whole = TensorRef(name="", kind="symbolic", location=fact.tensor.created)
        if len(names) == 1 and (not fact.holders or keras_words.name_of(whole, case.sources)):
            return names[0]
    if fact.holders:
        return fact.holders[0].expression
    if len(stored) == 1:
        return stored[0]
    return fact.tensor.name.partition(":")[0] or "a tensor"


def target(fact: LeakedTensor, case: Case) -> TensorRef:
    return TensorRef(
        name=subject(fact, case),
        kind="symbolic",
        dtype=fact.tensor.dtype,
        shape=fact.tensor.shape,
        location=fact.tensor.created,
    )


def entered(fact: LeakedTensor) -> Marked | None:
    """The line in a branch, or in the body of a loop, that led to where the tensor was made."""
    found = None
    for outer, inner in pairwise(fact.tensor.calls if fact.tensor.graph.kind in ("branch", "loop") else ()):
        within = inner.function.startswith(f"{outer.function}.<locals>.") or inner.function.endswith("<lambda>")
        if inner.file == outer.file and (within or (inner.function == outer.function and inner.line > outer.line)):
            found = inner
    return Marked.at(found, f"this runs in {graph_words(fact.tensor.graph)}", "entered") if found is not None else None


def elsewhere(primary: Location | None, *marks: Marked | None) -> tuple[Marked, ...]:
    """The marks that say more than the primary line does."""
    kept: list[Marked] = []
    for mark in marks:
        if mark is None or any(_same_line(mark, other) for other in (primary, *kept) if other is not None):
            continue
        kept.append(mark)
    return tuple(kept)


def _same_line(one: Location, other: Location) -> bool:
    return one.file == other.file and one.line == other.line


def created(fact: LeakedTensor) -> Marked | None:
    if fact.tensor.created is None:
        return None
    label = f"created here, while {graph_words(fact.tensor.graph)} was traced"
    return Marked.at(fact.tensor.created, label, "created")


def kept_too(fact: LeakedTensor) -> tuple[Marked, ...]:
    """The other statements that stored the same tensor: each keeps it on its own."""
    return tuple(Marked.at(place, "also kept here", "escaped") for place in fact.beside)


def used(fact: LeakedTensor) -> Marked | None:
    return Marked.at(fact.used, f"{used_words(fact)} here", "used") if fact.used is not None else None


def holder_notes(fact: LeakedTensor) -> tuple[str, ...]:
    """Who holds the tensor now, outermost first."""
    shown = [holder for holder in fact.holders if not holder.private] or list(fact.holders)
    if fact.escape is not None and len(shown) == 1:
        return ()  # the line that keeps it is marked
    notes = tuple(f"held now by: {' -> '.join(holder.steps)}" for holder in shown[:_HOLDERS])
    return notes if len(shown) <= _HOLDERS else (*notes, f"and in {len(shown) - _HOLDERS} more places")


def tensor_name(tensor: Symbolic, case: Case, used: Location) -> str:
    """The name that the user gave the tensor when it was made, else the graph's own name for it.

    A tensor that was made by the very line that failed is a part of that line's expression, and has no name.
    """
    if tensor.created is not None and not _same_line(tensor.created, used):
        names = case.sources.names(tensor.created)
        if len(names) == 1:
            return names[0]
    return tensor.name.partition(":")[0] or "a tensor"
