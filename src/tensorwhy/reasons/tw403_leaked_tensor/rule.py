"""A symbolic tensor outlived the trace that it belongs to."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import LeakedTensor
from tensorwhy.model.facts.loops import ArrayOutside, PythonAccumulator
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _leaks

META = about(
    __name__, summary="A symbolic tensor escaped from a traced function, branch or loop, and was used outside."
)


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, LeakedTensor) or fact.variable is not None:
        return None
    if fact.lifted and fact.used is not None:
        return _lifted(fact, fact.used, case)
    if fact.tensor.graph.kind == "scratch":
        return None
    if any(isinstance(other, (PythonAccumulator, ArrayOutside)) for other in case.others):
        return None  # the same leak, with the construct that it went through
    subject = _leaks.subject(fact, case)
    graph = _leaks.graph_words(fact.tensor.graph)
    home = "a graph that is gone" if fact.collected else graph
    where = fact.escape or fact.tensor.created or fact.used
    label = f"keeps a tensor of {graph}" if fact.escape is not None else f"belongs to {graph} only"
    primary = Marked.at(where, label, "escaped" if fact.escape is not None else "created") if where else None
    return Evidence(
        message=f"`{subject}` was {_leaks.used_words(fact)}, but it is a symbolic tensor of {home}, without a value",
        primary=primary,
        related=_leaks.elsewhere(
            where, *_leaks.kept_too(fact), _leaks.created(fact), _leaks.entered(fact), _leaks.used(fact)
        ),
        certainty="proved" if fact.escape is not None or fact.tensor.created is not None else "likely",
        target=_leaks.target(fact, case),
        notes=_leaks.holder_notes(fact),
        fixes=_fixes(fact),
    )


def _lifted(fact: LeakedTensor, used: Location, case: Case) -> Evidence:
    """What makes variables steps out of the graph by itself, and takes no symbolic tensor along."""
    graph = _leaks.graph_words(fact.tensor.graph)
    return Evidence(
        message=f"`{_leaks.code(used, case)}` runs outside {graph} during tracing, and gets a tensor that has a "
        f"value only inside",
        primary=Marked.at(used, "leaves the graph, because it creates a variable", "used"),
        related=_leaks.elsewhere(used, _leaks.created(fact)),
        target=_leaks.target(fact, case),
        fixes=(
            Fix(
                summary="create a plain tensor instead of a variable: `tf.zeros(shape)` and `tf.ones(shape)` take "
                "symbolic shapes, `K.zeros`, `K.ones`, `K.variable` and `tf.Variable` do not"
            ),
            Fix(summary="a variable belongs in `build()`, with a shape of plain numbers"),
        ),
    )


def _fixes(fact: LeakedTensor) -> tuple[Fix, ...]:
    graph = fact.tensor.graph
    cached = _leaks.cached_otherwise(fact)
    if cached is not None:
        return (cached,)
    keeper = fact.escape.function.rpartition(".")[2] if fact.escape is not None else ""
    if _leaks.of_keras(graph) and keeper == "update_state":
        return (
            Fix(
                summary="keep the state of the metric in a weight: create it in `__init__` with "
                "`self.add_weight(...)`, change it here with `assign(...)`, and read it in `result`"
            ),
        )
    outside = _leaks.made_outside(fact)
    if outside is not None:
        return (outside,)
    if _leaks.of_keras(graph) and _leaks.used_again(fact):
        return (
            Fix(
                summary="keep state between steps in a variable: create it in `__init__` with `self.add_weight(..., "
                "trainable=False)`, and change it here with `assign`",
                caveat="an assigned value carries no gradient to the next call",
            ),
        )
    if _leaks.of_keras(graph):
        metric = Fix(
            summary="update a metric with it inside the step (`tf.keras.metrics.Mean`), and read "
            "`metric.result()`, or `logs` in a callback, outside"
        )
        state = Fix(summary="or store the value in a variable, `self.last.assign(x)`, and read that outside")
        return (metric, state)
    if fact.reset:
        return (
            Fix(
                summary=f"call `{fact.reset}()` at the start of every call, because the object keeps the tensor "
                "until then"
            ),
        )
    if fact.handed:
        return (_leaks.handed_back(fact),)
    if graph.kind == "function" and fact.added:
        return (
            Fix(
                summary=f"trace the whole step, including the code that reads `losses`, instead of `{graph.name}` "
                "alone: "
                "the losses that a layer adds belong to the trace that it runs in"
            ),
        )
    name = f"`{graph.name}`" if graph.name else "it"
    if graph.kind == "branch" and fact.added:
        return (
            Fix(
                summary="call the layer before the condition, and choose between its results there: its loss then "
                "belongs to the whole step"
            ),
        )
    if graph.kind == "branch":
        return (Fix(summary="return the tensor from both branches, and use the result of the condition"),)
    if graph.kind == "loop":
        return (
            Fix(
                summary="carry the tensor as a loop variable, or write it to a TensorArray that is one, "
                "and use what the loop returns"
            ),
        )
    if graph.kind == "dataset":
        return (Fix(summary=f"return the tensor from {name} as another element of the dataset, or compute it outside"),)
    later = "pass it to the next call as an argument" if _leaks.used_again(fact) else "store the returned value"
    returned = Fix(summary=f"return the tensor from {name}, and {later}")
    state = Fix(
        summary="keep state between calls in a `tf.Variable` that is created once, and `assign` to it",
        caveat="an assigned value carries no gradient to the next call",
    )
    return (returned, state) if fact.used_in is None else (state, returned)
