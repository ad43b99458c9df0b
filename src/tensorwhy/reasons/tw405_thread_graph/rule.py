"""Another thread has another default graph and session."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import ForeignGraph
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import _leaks

META = about(
    __name__,
    summary="In graph mode each thread has its own default graph and session, and a tensor was used on the wrong "
    "thread.",
)


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, ForeignGraph) or not fact.thread or fact.eager:
        return None
    name = fact.text or _leaks.tensor_name(fact.tensor, case, fact.used)
    what = "default session" if fact.session and fact.opened is None else "default graph"
    created = fact.tensor.created
    where = fact.opened or fact.used
    label = (
        "a session of this thread's own graph" if fact.opened is not None else f"runs in a thread with its own {what}"
    )
    return Evidence(
        message=f"`{name}` belongs to a graph of another thread: each thread has its own {what}, empty at first"
        + (", and the session was opened on that" if fact.opened is not None else ""),
        primary=Marked.at(where, label, "used"),
        related=_leaks.elsewhere(
            where,
            Marked.at(created, f"`{name}` was created here", "created") if created is not None else None,
            Marked.at(fact.used, "and used here", "asked") if fact.opened is not None else None,
        ),
        certainty="likely",
        doubt="nothing recorded shows which thread built the graph of the tensor",
        target=TensorRef(
            name=name, kind="symbolic", dtype=fact.tensor.dtype, shape=fact.tensor.shape, location=created
        ),
        fixes=(
            *(
                (Fix(summary="open the session on the graph that contains the tensor: `Session(graph=g)`"),)
                if fact.opened is not None
                else ()
            ),
            Fix(
                summary=f"enter the graph of `{name}` in the thread: put line {fact.used.line} in "
                f"`with {name}.graph.as_default():`"
                if name.isidentifier()
                else "enter the graph in the thread: `with session.graph.as_default():` around what it does"
            ),
            Fix(summary="build everything before the threads start, and only call `session.run(tensor)` in them"),
        ),
    )
