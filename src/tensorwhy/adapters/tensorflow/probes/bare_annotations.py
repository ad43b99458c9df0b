"""A variable that is only annotated, `best: tf.Tensor`, before a traced `if` or loop: to AutoGraph that is a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters import autograph
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts.loops import LoopStructureChange
from tensorwhy.source.files import Sources

_CONSTRUCTS: dict[type, str] = {ast.If: "if", ast.For: "for", ast.While: "while"}


def probe(live: LiveFailure) -> Iterator[LoopStructureChange]:
    """Where AutoGraph's own code reads the value that there is not yet."""
    sources = Sources()
    for place in live.roots():
        frame = place.inner[-1].frame if place.inner else place.own.frame
        code, construct = frame.f_code, _CONSTRUCTS.get(type(sources.statement(place.own.location)), "")
        if not isinstance(place.exception, NameError) or not autograph.is_generated(code.co_filename) or not construct:
            continue
        lacking = [name for name in code.co_freevars if name not in frame.f_locals]
        function = sources.function(place.own.location)
        for node in ast.walk(function) if function is not None else ():
            if (
                isinstance(node, ast.AnnAssign)
                and node.value is None
                and isinstance(node.target, ast.Name)
                and node.target.id in lacking
            ):
                yield LoopStructureChange(
                    construct=construct,
                    statement=place.own.location,
                    problem="annotated",
                    variable=node.target.id,
                    before=sources.place(place.own.location.file, node),
                )
                return
