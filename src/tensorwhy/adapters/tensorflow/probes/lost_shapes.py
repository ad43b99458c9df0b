"""TW509: a static shape was needed, and was lost further back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import shape_origins, unknown_shapes
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LostShape
from tensorwhy.model.location import Location
from tensorwhy.recording.sources import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    sources = Sources()
    refusal = unknown_shapes.find(live, sources)
    for tensor in refusal.tensors if refusal is not None else ():
        origin = shape_origins.find(tensor, refusal.last, refusal.calls, live.user)
        if origin is None:
            continue
        node = _call(origin.made, origin.functions, sources)
        if origin.means == "declared" and not (node is not None and _name(node) in origin.functions):
            continue  # Keras makes inputs, too, to build a model for its data.
        yield LostShape(
            means=origin.means,
            made=origin.made if node is None else sources.place(origin.made.file, node),
            needed=refusal.needed,
            call=origin.functions[0] if origin.means == "layer" else ast.unparse(node.func) if node is not None else "",
            by=refusal.by,
            last=refusal.last,
            given=origin.given,
            got=origin.got,
            results=_names(origin.made, node, sources),
            fed=origin.fed,
        )
        return


def _call(place: Location, functions: tuple[str, ...], sources: Sources) -> ast.Call | None:
    """The call on the line that led to one of these functions: by its own name, or the only one of the statement."""
    statement = sources.statement(place)
    calls = [each for each in ast.walk(statement) if isinstance(each, ast.Call)] if statement is not None else []
    own = [each for each in calls if each.lineno <= place.line <= (each.end_lineno or each.lineno)]
    for same in (str.__eq__, str.startswith):  # `resize` goes by `resize_images_v2`, `cond` by `cond_for_tf_v2`
        for function in functions:
            for each in own:
                if _name(each) and same(function, _name(each)):
                    return each
    return own[0] if len(own) == 1 else None


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _names(place: Location, node: ast.Call | None, sources: Sources) -> tuple[str, ...]:
    """The names that the call's result is bound to at once."""
    statement = sources.statement(place)
    if isinstance(statement, ast.Assign) and statement.value is node and len(statement.targets) == 1:
        target = statement.targets[0]
        elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        return tuple(ast.unparse(each) for each in elements if isinstance(each, ast.Name))
    return ()
