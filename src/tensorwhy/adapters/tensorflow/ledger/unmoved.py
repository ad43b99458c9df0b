"""Statistics that a training step leaves as they were made, because it never calls the layer in training mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from tensorwhy.adapters.keras_common.learning import statistics
from tensorwhy.adapters.tensorflow.ledger.rows import STEPS, Rows
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.model.facts.training import UnmovedStatistics
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def fill(rows: Rows) -> None:
    """Enter the statistics of layers whose trained variables changed; not where the program asks for this mode."""
    asks = [ask for ask in rows.sites.values() if ask.by_user and rows.steps(ask) >= STEPS]
    trained = {handle for ask in asks for handle in rows.given(ask) if rows.changed(handle)}
    sources = Sources()
    for ask in asks if trained else ():
        found = statistics.unmoved(trained, partial(rows.updates.is_still_beside, ask.owner or -ask.place - 2))
        layers = [each for each in found if set(each.trained) & set(rows.given(ask))]
        place = rows.place(ask.place)
        if not layers or place is None or any(_asks_for_inference(node) for node in _step(sources, place)):
            continue
        loaded = layers[0].loaded
        if loaded and any(_says_training(node) for node in _step(sources, place)):
            continue
        cause = rows.cause(
            UnmovedStatistics,
            "statistics",
            ask,
            layers=tuple(each.name for each in layers),
            of_class=layers[0].kind,
            loaded=loaded,
            made=layers[0].made,
            called=_called(rows, ask, layers[0].trained),
        )
        handles = [rows.session.tapes.know(getattr(each, "_value", each)) for one in layers for each in one.statistics]
        rows.broken("kept", handles, cause)
        return


def _step(sources: Sources, place: Location) -> Iterator[ast.Call]:
    """The calls of the training step at a place: of its function, and of all that this may call in the same file."""
    own = sources.function(place)
    functions = {node.name: node for node in sources.nodes(place.file) if isinstance(node, ast.FunctionDef)}
    bodies: list[ast.AST] = [own] if own is not None else _outside(sources, place.file)
    bodies += [node for name, node in functions.items() if name in ("call", "__call__")]
    seen: set[int] = set()
    while bodies:
        body = bodies.pop()
        if id(body) in seen:
            continue
        seen.add(id(body))
        given = body.args if isinstance(body, ast.FunctionDef) else None
        own_names = {each.arg for each in (*given.args, *given.kwonlyargs)} if given is not None else set()
        for node in ast.walk(body):
            if isinstance(node, ast.Call):
                if not _hands_on(node, own_names):  # then the caller says what it is
                    yield node
                name = reading.callee(node)
                if name in functions:
                    bodies.append(functions[name])


def _outside(sources: Sources, file: str) -> list[ast.AST]:
    tree = sources.tree(file)
    return [] if tree is None else [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]


def _asks_for_inference(call: ast.Call) -> bool:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "training"]
    return any(not (isinstance(value, ast.Constant) and value.value is True) for value in given)


def _hands_on(call: ast.Call, names: set[str]) -> bool:
    """Return whether a call passes the mode on that its own function was given."""
    given = next((each.value for each in call.keywords if each.arg == "training"), None)
    return isinstance(given, ast.Name) and given.id in names


def _says_training(call: ast.Call) -> bool:
    return any(keyword.arg in ("training", None) for keyword in call.keywords)


def _called(rows: Rows, ask: Ask, handles: tuple[int, ...]) -> Location | None:
    """The user's line at which a step last computed with one of these variables before it asked for gradients."""
    lineage, known = rows.session.lineage(), set(handles)
    makers = {made.index for handle in handles for made in lineage.makers(handle)}
    found = -1
    for event in rows.session.journal.events(0, ask.event):
        if event.place >= 0 and event.outputs and event.index not in makers and not known.isdisjoint(event.inputs):
            found = event.place
    return rows.place(found) if found >= 0 else None
