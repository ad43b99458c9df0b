"""TW406: a dimension that is not known while tracing was taken for a number."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.graphs import sizes, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import Symbolic, UnknownSize
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    use = sizes.find(live, Sources())
    if use is not None:
        size, frame = use.size, use.place.own.frame
        near = [size.tensor, *frame.f_locals.values()] if size.tensor is None else [size.tensor]
        traced = next((each for each in near if symbolic.is_symbolic(each)), None)
        yield UnknownSize(
            tensor=symbolic.describe(traced, live.user) if traced is not None else Symbolic(),
            tensor_text=size.tensor_text,
            size=size.text,
            axis=size.axis,
            read=size.read,
            used=use.place.own.location,
            given=use.text,
            by=use.by,
            python=use.python,
            whole=use.whole,
            method=size.method,
            layered=packages.kind_of(size.tensor) == "keras-tensor",
        )
