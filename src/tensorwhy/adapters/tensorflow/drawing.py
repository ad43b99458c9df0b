"""Draws what was recorded: the lineage of a question, with shapes and layers, and the history of each variable."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Protocol

from tensorwhy.adapters.tensorflow.gradients.rules import UNNAMED
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.questions.tapes import Tapes
from tensorwhy.adapters.tensorflow.variables.described import variables
from tensorwhy.adapters.tensorflow.variables.histories import gradient_state, updated
from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import LineageView, VariableView
from tensorwhy.recording.journal import Journal
from tensorwhy.source.files import Sources


class Recording(Protocol):
    """What is read of a session here."""

    journal: Journal
    tapes: Tapes

    @property
    def recorder(self) -> Recorder:
        """What writes the journal."""

    def lineage(self) -> Lineage:
        """The index over everything that was recorded so far."""


def drawer(session: Recording, question: GradientQuestion, sources: Sources) -> Callable[[], LineageView]:
    """A function that draws the lineage of a question, once, when first called."""
    return functools.cache(lambda: _draw(session, question, sources))


def _draw(session: Recording, question: GradientQuestion, sources: Sources) -> LineageView:
    from tensorwhy.lineage.view import Details, Viewer

    layers, graphs = session.tapes.layers, session.tapes.graphs
    shapes = dict(graphs.shapes)
    for capture in session.recorder.kept.captures.values():
        if not isinstance(capture, str):
            shapes.update(capture.shapes)
    owners = {handle: layer.path for handle, layer in layers.by_handle.items()}
    of_tensors, of_variables = graphs.layers(owners, layers.names()) if graphs.scopes else ({}, {})
    details = Details(shapes, of_tensors, {**owners, **{k: path for k, path in of_variables.items() if path}})
    return Viewer(session.lineage(), question, sources, details).view()


def variable_views(session: Recording) -> Iterator[VariableView]:
    """Every trainable variable that a gradient was asked of, or that a tape saw beside those."""
    updates, norms, known = session.tapes.updates, session.tapes.norms, session.tapes.variables
    layers, sources = session.tapes.layers.by_handle, Sources()
    asked = dict.fromkeys(handle for ask in updates.asks for handle in ask.handles if handle >= 0)
    beside = dict.fromkeys(handle for ask in updates.asks for handle in ask.unasked if handle >= 0)
    for handle in {**asked, **beside}:
        variable, watched = known.get(handle), updates.watched.get(handle)
        if variable is None or watched is None:
            continue
        layer = layers.get(handle)
        taken = max(norms.taken.get(handle, {}).values(), key=len, default=[])
        changed = updated(watched)
        parts = variable.name.removesuffix(":0").rpartition("/")
        yield VariableView(
            name=name_of(session, handle, sources) if parts[2] in UNNAMED else parts[2],
            layer=layer.path if layer is not None else parts[0],
            dtype=variable.dtype,
            shape=variable.shape,
            trainable=variable.trainable,
            tracked=True if layer is not None else None,
            updated=changed,
            gradient=gradient_state([norm for _, norm in taken], handle in norms.unseen, changed),
            steps=tuple(step for step, _ in taken),
            norms=tuple(norm for _, norm in taken),
        )


def name_of(session: Recording, handle: int, sources: Sources) -> str:
    """What diagnoses call a variable that was given no name."""
    [variable] = variables(session, [handle])
    return variable_name(sources, variable.name, variable.created)
