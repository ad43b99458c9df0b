"""TW509: a static shape was needed, and was lost further back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import shape_origins, unknown_shapes
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LostShape
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    sources = Sources()
    refusal = unknown_shapes.find(live, sources)
    if refusal is None:
        return
    for tensor in refusal.tensors:
        origin = shape_origins.find(tensor, refusal.part, refusal.calls, live.user)
        if origin is None:
            continue
        node = shape_origins.call_of(origin.made, origin.functions, sources)
        if origin.means == "declared" and not (node is not None and reading.callee(node) in origin.functions):
            continue  # Keras makes inputs, too, to build a model for its data.
        yield LostShape(
            means=origin.means,
            made=origin.made if node is None else sources.place(origin.made.file, node),
            needed=refusal.needed,
            call=origin.functions[0] if origin.means == "layer" else ast.unparse(node.func) if node is not None else "",
            by=refusal.by,
            last=refusal.part == "last",
            given=origin.given,
            got=origin.got,
            results=_names(origin.made, node, sources),
            branches=origin.branches,
        )
        return


def _names(place: Location, node: ast.Call | None, sources: Sources) -> tuple[str, ...]:
    """The names that the call's result is bound to at once."""
    statement = sources.statement(place)
    if isinstance(statement, ast.Assign) and statement.value is node and len(statement.targets) == 1:
        target = statement.targets[0]
        elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        return tuple(ast.unparse(each) for each in elements if isinstance(each, ast.Name))
    return ()
