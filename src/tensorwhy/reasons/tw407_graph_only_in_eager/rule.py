"""TensorFlow 1's graph mode, used while TensorFlow executes eagerly."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import GraphOnlyInEager
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

META = about(
    __name__, summary="A placeholder, session, or other part of graph mode was used while TensorFlow executes eagerly."
)

_INSTEAD = {
    "placeholder": "write the computation as a function{of}, and call it with the value (in a Keras model: "
    "`tf.keras.Input`){rest}",
    "session": "there is no session: use the tensor itself, `.numpy()` returns its value",
    "layers": "call a model that ends there on the values: `keras.Model(model.inputs, layer.output)(values)`",
    "gradients": "record the computation in a `tf.GradientTape`, and ask the tape for the gradient",
    "initializer": "remove it: variables are initialized when they are created",
    "optimizer": "use `tf.keras.optimizers`, with the gradients of a `tf.GradientTape`",
    "attribute": "only tensors inside a `tf.function` have it; an eager tensor is its own value",
    "dataset": "iterate over the dataset: `for batch in dataset`, or `iter(dataset)` and `next`",
    "graph": "keep variables as Python objects (attributes of a `tf.Module` or a layer), because there is no "
    "graph to search",
    "collection": "get the variables from their owner: `model.trainable_variables`, or your own list",
    "other": "use the TensorFlow 2 counterpart from the migration guide",
}
_MESSAGES = {
    "removed": "`{api}` belongs to TensorFlow 1's graph mode and is not part of TensorFlow 2",
    "session": "`{api}` runs a session on an eager tensor, which is not in the session's graph",
    "layers": "`{api}` runs a session on symbolic Keras tensors, which are not in its graph",
    "collection": "`{api}` lists variables of a graph, and variables created eagerly are in no graph, so the list is "
    "empty",
    "attribute": "`{api}` exists only for tensors of a graph, but this tensor was computed eagerly",
    "other": "`{api}` works only while a graph is being built, but TensorFlow 2 executes eagerly",
}


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if not isinstance(fact, GraphOnlyInEager):
        return None
    message = _MESSAGES.get("removed" if fact.removed else fact.role, _MESSAGES["other"])
    return Evidence(
        message=message.format(api=fact.api),
        primary=Marked.at(fact.used, "needs graph mode", "used"),
        fixes=(Fix(summary=_INSTEAD[fact.role]),)
        if fact.role == "layers"
        else (
            Fix(summary=_INSTEAD[fact.role].format(of=_of(case, fact.used), rest=_rest(case, fact.used))),
            Fix(
                summary="to run an old program as it is: `import tensorflow.compat.v1 as tf`, then "
                "`tf.disable_eager_execution()` before anything else",
                caveat="this turns eager execution off for the whole process, Keras included",
            ),
        ),
    )


def _of(case: Case, used: Location) -> str:
    names = case.sources.names(used)
    return f" of `{names[0]}`" if len(names) == 1 else ""


def _rest(case: Case, used: Location) -> str:
    """The other lines of the file that only graph mode needs."""
    nodes = [*case.sources.nodes(used.file)]
    sessions = {
        ast.unparse(item.optional_vars)
        for node in nodes
        if isinstance(node, ast.With)
        for item in node.items
        if item.optional_vars is not None and _is_session(item.context_expr)
    }
    sessions |= {ast.unparse(t) for n in nodes if isinstance(n, ast.Assign) and _is_session(n.value) for t in n.targets}
    lines = sorted(
        {
            node.lineno
            for node in nodes
            if isinstance(node, ast.Call)
            and (
                _is_session(node) or (isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) in sessions)
            )
        }
        - {used.line}
    )
    if not lines:
        return ""
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    return f"; remove the session on {where}"


def _is_session(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Session")
