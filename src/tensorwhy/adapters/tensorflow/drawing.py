"""Draws the lineage of a question, with the shapes and layers that graphs and the steps that were kept tell of."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from tensorwhy.model.question import GradientQuestion, ZeroQuestion
from tensorwhy.model.report import LineageView
from tensorwhy.recording.sources import Sources

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.session import TensorFlowSession


def drawer(
    session: TensorFlowSession, question: GradientQuestion | ZeroQuestion, sources: Sources
) -> Callable[[], LineageView]:
    """A function that draws the lineage of a question, once, when first called."""
    return functools.cache(lambda: _draw(session, question, sources))


def _draw(session: TensorFlowSession, question: GradientQuestion | ZeroQuestion, sources: Sources) -> LineageView:
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
