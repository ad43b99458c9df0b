"""Edits that make a layer of a plain class that keeps variables or layers, so that Keras finds them."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.fixes import lambdas, syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def of_plain_class(tree: Tree, owner: cst.ClassDef) -> tuple[Edit, ...]:
    """The class as a `keras.layers.Layer`: its variables as weights, and its `__call__` as `call`."""
    keras = _keras(tree)
    if not keras:
        return ()
    if owner.called:
        return ()
    edits = [tree.replaced(owner.name, f"{owner.name.value}({keras}.layers.Layer)")]
    for function in tree.inside(owner.body, cst.FunctionDef):
        if function.name.value == "__init__" and isinstance(function.body, cst.IndentedBlock):
            edits.append(tree.before(function.body.body[0], "super().__init__()"))
            edits += _weights(tree, function, keras)
        if function.name.value == "__call__":
            edits.append(tree.replaced(function.name, "call"))
    return tuple(edits)


def of_parts(tree: Tree, statement: cst.SimpleStatementLine, foreign: bool) -> tuple[Edit, ...]:
    """What an object of another class is given, where a layer keeps that (`self.parts = Parts(tf.Variable(1.0))`).

    `foreign`: variables that only count as weights; else the layer also keeps a list of what the object holds.
    """
    target, made = syntax.target(statement), syntax.value(statement)
    keras = _keras(tree)
    if not isinstance(target, cst.Attribute) or tree.text(target.value) != "self" or not isinstance(made, cst.Call):
        return ()
    if not foreign:
        return (tree.after(statement, f"self.{target.attr.value}_kept = list(vars({tree.text(target)}).values())"),)
    edits = []
    for number, each in enumerate(made.args):
        weight = lambdas.as_weight(tree, each.value, keras) if keras and not each.star else ""
        name = each.keyword.value if each.keyword is not None else f"{target.attr.value}_{number}"
        if weight:
            edits.append(tree.replaced(each.value, f'self.add_weight(name="{name}", {weight})'))
        elif any(tree.canonical(call.func) == "tensorflow.Variable" for call in tree.inside(each, cst.Call)):
            return ()
    return tuple(edits)


_SHARED = ("initial_value", "trainable", "dtype", "name", "shape")
"""What a `tf.Variable` and a `keras.Variable` are told by the same words, the first but for its name."""


def of_bare_variable(made: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`tf.Variable(...)` as `keras.Variable(...)`: Keras 3 tracks no others."""
    tree = syntax.tree(made.file, sources) if made is not None else None
    keras = _keras(tree) if tree is not None else ""
    for call in tree.at(made, cst.Call) if tree is not None and keras else ():
        if tree is None or tree.canonical(call.func) != "tensorflow.Variable":
            continue
        named = [each.keyword.value for each in call.args if each.keyword is not None]
        if len(call.args) - len(named) > 1 or any(each.star for each in call.args) or set(named) - set(_SHARED):
            return ()
        first = syntax.argument(call, 1 << 20, "initial_value")
        edits = [tree.replaced(call.func, f"{keras}.Variable")]
        if first is not None and first.keyword is not None:
            edits.append(tree.replaced(first.keyword, "initializer"))
        return tuple(edits)
    return ()


def _keras(tree: Tree) -> str:
    """How the file calls Keras; empty where it does not import it."""
    keras = tree.spelled("keras") or tree.spelled("tensorflow.keras")
    return keras or (f"{tree.spelled('tensorflow')}.keras" if tree.spelled("tensorflow") else "")


def _weights(tree: Tree, function: cst.FunctionDef, keras: str) -> Iterator[Edit]:
    """Variables as weights: Keras 3 finds no others in a layer."""
    for statement in tree.inside(function.body, cst.SimpleStatementLine):
        target, value = syntax.target(statement), syntax.value(statement)
        weight = lambdas.as_weight(tree, value, keras)
        if value is not None and weight and isinstance(target, cst.Attribute) and tree.text(target.value) == "self":
            yield tree.replaced(value, f'self.add_weight(name="{target.attr.value}", {weight})')
