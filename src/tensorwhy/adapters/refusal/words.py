"""A word that a library does not know, found where the program wrote it: a metric or a layer by a misspelled name.

Equal words are everywhere, so identity says nothing; a literal that stands in one place of the program does.
"""

from __future__ import annotations

import ast

from tensorwhy.adapters.refusal.anatomy import Anatomy
from tensorwhy.adapters.refusal.telling import Telling, name
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.source.files import Sources

_LETTERS = 3
_SIZES = (*"0123456789", "(", "[")


def written(read: Anatomy, stack: Stack, telling: Telling, sources: Sources) -> RefusedObject | None:
    """The one word that a refusal read; None where it is not written in exactly one place of the user's file."""
    words = {each.thing for each in read.reads if isinstance(each.thing, str) and len(each.thing) >= _LETTERS}
    own = stack.own
    compared = [each.value for each in read.relation.sides] if read.relation is not None else []
    if own is None or len(words) != 1 or any(each.startswith(_SIZES) for each in compared):
        return None  # where sizes decided, a word in the message only names something
    word, file = words.pop(), own.location.file
    nodes = [node for node in sources.nodes(file) if isinstance(node, ast.Constant) and node.value == word]
    if len(nodes) != 1:
        return None
    return RefusedObject(
        thing=Thing(text=repr(word), what="str", made=sources.place(file, nodes[0])),
        used=own.location,
        call=telling.called(own),
        how="parked",
        by=name(stack.frames[read.frame]),
        condition=read.condition,
        known=read.known,
    )
