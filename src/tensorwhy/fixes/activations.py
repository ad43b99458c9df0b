"""Edits of activations that can give one value only."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def sigmoid(place: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """A softmax over one element as a sigmoid: by its name (`"softmax"`), or where the function is called or given.

    An empty result means that the statement names no softmax, or several.
    """
    tree = syntax.tree(place.file, sources) if place is not None else None
    statements = tree.statements_at(place) if tree is not None else []
    if tree is None or not statements:
        return ()
    named = [each for each in tree.inside(statements[-1], cst.SimpleString) if each.evaluated_value == "softmax"]
    functions = [each for each in tree.inside(statements[-1], cst.Attribute) if each.attr.value == "softmax"]
    if len(named) == 1 and not functions:
        return (tree.replaced(named[0], named[0].value.replace("softmax", "sigmoid")),)
    if len(functions) == 1 and not named:
        return _function(tree, functions[0])
    return ()


def _function(tree: Tree, function: cst.Attribute) -> tuple[Edit, ...]:
    """`tf.nn.softmax(x, axis=-1)` as `tf.nn.sigmoid(x)`."""
    call = tree.parent(function)
    other = f"{tree.text(function.value)}.sigmoid"
    if not isinstance(call, cst.Call) or call.func is not function:
        return (tree.replaced(function, other),)
    given = syntax.argument(call, 0, "logits", "x", "inputs")
    return (tree.replaced(call, f"{other}({tree.text(given.value)})"),) if given is not None else ()
