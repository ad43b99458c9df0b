"""A word that a library does not know, found where the program wrote it: a metric or a layer by a misspelled name.

Equal words are everywhere, so identity says nothing; a literal that stands in one place of the program does, and so
does a class or function of the program's that has this name: a library looks it up, and was not told of it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from tensorwhy.adapters.refusal.anatomy import Anatomy
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.described import FrameRule
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.model.location import Location

_LETTERS = 3
_SIZES = (*"0123456789", "(", "[")


def written(read: Anatomy, context: Context) -> RefusedObject | None:
    """The one word that a refusal read; None where it is not written in exactly one place of the user's file."""
    words = _words(read)
    own = context.stack.own
    compared = [each.value for each in read.relation.sides] if read.relation is not None else []
    if own is None or len(words) != 1 or any(each.startswith(_SIZES) for each in compared):
        return None  # where sizes decided, a word in the message only names something
    word, file = words.pop(), own.location.file
    nodes = [node for node in context.sources.nodes(file) if isinstance(node, ast.Constant) and node.value == word]
    if len(nodes) != 1:
        return None
    return _told(Thing(text=repr(word), what="str", made=context.sources.place(file, nodes[0])), read, context)


def defined(read: Anatomy, rule: FrameRule, context: Context) -> RefusedObject | None:
    """The class or function of the program's that a library looked up by its name, and did not know."""
    found = {word: place for word in _words(read) for place in _definitions(word, context)}
    if len(found) != 1:
        return None
    [(word, (what, made))] = found.items()
    advice = tuple(each.replace("{}", word) for each in rule.advice)
    return _told(Thing(text=word, what=what, made=made), read, context, rule.requires, advice)


def _words(read: Anatomy) -> set[str]:
    return {each.thing for each in read.reads if isinstance(each.thing, str) and len(each.thing) >= _LETTERS}


def _definitions(word: str, context: Context) -> Iterator[tuple[str, Location]]:
    """What a module of the program's defines by this name, with its place."""
    defined = word.rpartition(">")[2]
    files = {str(getattr(each, "__file__", None) or "") for each in list(sys.modules.values())}
    for file in sorted(each for each in files if each and context.user.owns(each)):
        for node in context.sources.nodes(file):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == defined:
                yield "class" if isinstance(node, ast.ClassDef) else "function", context.sources.place(file, node)


def _told(
    thing: Thing, read: Anatomy, context: Context, requires: str = "", advice: tuple[str, ...] = ()
) -> RefusedObject | None:
    own = context.stack.own
    if own is None:
        return None
    return RefusedObject(
        thing=thing,
        used=own.location,
        call=context.called(own),
        how="parked",
        check=read.check(context.stack, requires=requires),
        advice=advice,
    )
