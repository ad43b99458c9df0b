"""Edits that make a layer of a plain class that keeps variables or layers, so that Keras finds them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tensorwhy.fixes import lambdas, syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.report import Edit


def of_plain_class(tree: Tree, owner: cst.ClassDef) -> tuple[Edit, ...]:
    """The class as a `keras.layers.Layer`: its variables as weights, and its `__call__` as `call`."""
    keras = tree.spelled("keras") or tree.spelled("tensorflow.keras")
    keras = keras or (f"{tree.spelled('tensorflow')}.keras" if tree.spelled("tensorflow") else "")
    if not keras:
        return ()
    if owner.lpar is not cst.MaybeSentinel.DEFAULT:
        return ()
    edits = [tree.replaced(owner.name, f"{owner.name.value}({keras}.layers.Layer)")]
    for function in tree.inside(owner.body, cst.FunctionDef):
        if function.name.value == "__init__" and isinstance(function.body, cst.IndentedBlock):
            edits.append(tree.before(function.body.body[0], "super().__init__()"))
            edits += _weights(tree, function, keras)
        if function.name.value == "__call__":
            edits.append(tree.replaced(function.name, "call"))
    return tuple(edits)


def _weights(tree: Tree, function: cst.FunctionDef, keras: str) -> Iterator[Edit]:
    """Variables as weights: Keras 3 finds no others in a layer."""
    for statement in tree.inside(function.body, cst.SimpleStatementLine):
        target, value = syntax.target(statement), syntax.value(statement)
        weight = lambdas.as_weight(tree, value, keras)
        if value is not None and weight and isinstance(target, cst.Attribute) and tree.text(target.value) == "self":
            yield tree.replaced(value, f'self.add_weight(name="{target.attr.value}", {weight})')
