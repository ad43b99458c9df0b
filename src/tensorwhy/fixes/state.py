"""Edits that go on with a tensor, where its value was stored in a variable and read back."""

from __future__ import annotations

import ast

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources

_ASSIGNS = {"assign": "", "assign_add": "+", "assign_sub": "-"}
_READS = ("read_value", "value")


def beside(location: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`v.assign(f(x))`, then `g(v)`, as `new = f(x)`, `v.assign(new)`, then `g(new)`; `tf.Variable(f(x))` as `f(x)`.

    An empty result means that another function reads the variable, or that it is stored more than once.
    """
    tree = syntax.tree(location.file, sources) if location is not None else None
    for statement in tree.statements_at(location)[-1:] if tree is not None else ():
        assert tree is not None
        value = syntax.value(statement)
        if isinstance(value, cst.Call) and isinstance(statement.body[0], cst.Expr) and syntax.called(value) in _ASSIGNS:
            return _stored(tree, statement, value)
        if isinstance(value, cst.Call) and tree.canonical(value.func) == "tensorflow.Variable":
            return _wrapped(tree, statement, value)
        return _element(tree, location)
    return ()


def _element(tree: Tree, location: Location | None) -> tuple[Edit, ...]:
    """`[tf.Variable(f(x)) for ...]` and `new.append(tf.Variable(f(x)))`, where nothing is assigned to by hand."""
    made = [each for each in tree.at(location, cst.Call) if tree.canonical(each.func) == "tensorflow.Variable"]
    given = syntax.argument(made[0], 0, "initial_value") if len(made) == 1 else None
    if given is None or any(syntax.called(each) in _ASSIGNS for each in tree.inside(tree.scope(made[0]), cst.Call)):
        return ()
    known = ("initial_value", "trainable", "name")
    if any(each.keyword is not None and each.keyword.value not in known for each in made[0].args):
        return ()
    return (tree.instead(made[0], tree.text(given.value)),)


def _wrapped(tree: Tree, statement: cst.SimpleStatementLine, made: cst.Call) -> tuple[Edit, ...]:
    """A variable that is made of a value and only read."""
    name, given = syntax.target(statement), syntax.argument(made, 0, "initial_value")
    if not isinstance(name, cst.Name) or given is None:
        return ()
    uses = [each for each in tree.inside(tree.scope(statement), cst.Attribute) if tree.text(each.value) == name.value]
    if any(each.attr.value not in ("shape", "dtype", "numpy") for each in uses):
        return ()
    return (tree.replaced(made, tree.text(given.value)),)


def _stored(tree: Tree, statement: cst.SimpleStatementLine, call: cst.Call) -> tuple[Edit, ...]:
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _ASSIGNS or len(call.args) != 1:
        return ()
    variable, sign, given = call.func.value, _ASSIGNS[call.func.attr.value], call.args[0].value
    if not isinstance(variable, (cst.Name, cst.Attribute)):
        return ()
    loop = _loop(tree, statement)
    if isinstance(loop, cst.For) and syntax.names(variable) & syntax.names(loop.target):
        return ()  # another variable in each turn
    uses = [each for each in _uses(tree, statement, variable) if each is not variable]
    stores = [each for each in uses if _owns(tree, each, *_ASSIGNS)]
    read = [each for each in uses if each not in stores and not _inside(tree, each, statement)]
    carried = [each for each in read if tree.span(each) < tree.span(statement) and loop and _inside(tree, each, loop)]
    behind = [each for each in read if tree.span(each) > tree.span(statement)]
    if not (carried or behind) or any(tree.span(each) > tree.span(statement) for each in stores):
        return ()
    plain = isinstance(given, cst.Name) and not sign and not carried
    words = variable.attr.value if isinstance(variable, cst.Attribute) else variable.value
    name = tree.text(given) if plain else _free("carried" if carried else "updated", words, tree, statement)
    if plain and _bound_again(tree, statement, name):
        return ()
    edits = [_reading(tree, each, name) for each in (*carried, *behind)]
    if plain:
        return tuple(edits)
    value = tree.text(given)
    if sign:
        now = name if carried else tree.text(variable)
        value = f"{now} {sign} {value if _beside(given, sign) else f'({value})'}"
    edits.append(tree.before(statement, f"{name} = {value}"))
    edits.append(tree.replaced(call, f"{tree.text(variable)}.assign({name})"))
    if carried and loop is not None:
        tf = tree.spelled("tensorflow")
        if not tf:
            return ()
        edits.append(tree.before(loop, f"{name} = {tf}.identity({tree.text(variable)})"))
    return tuple(edits)


def _beside(node: cst.Expression, sign: str) -> bool:
    """Return whether an expression needs no parentheses behind this sign."""
    if isinstance(node, cst.BinaryOperation):
        return sign == "+" or isinstance(node.operator, (ast.Mult, ast.Div, ast.MatMult, ast.Pow))
    return syntax.simple(node)


def _uses(tree: Tree, statement: cst.Node, variable: cst.Expression) -> list[cst.Expression]:
    """The same expression anywhere in the scope, functions within it left out."""
    scope, wanted = tree.scope(statement), tree.text(variable)
    kind = type(variable)
    return [
        each
        for each in tree.inside(scope, kind)
        if tree.text(each) == wanted and tree.scope(each) is scope and not isinstance(tree.parent(each), cst.Param)
    ]


def _owns(tree: Tree, node: cst.Node, *methods: str) -> bool:
    parent = tree.parent(node)
    return isinstance(parent, cst.Attribute) and parent.value is node and parent.attr.value in methods


def _reading(tree: Tree, node: cst.Node, name: str) -> Edit:
    """`v` and `v.read_value()` as the name of the tensor."""
    parent = tree.parent(node)
    call = tree.parent(parent) if parent is not None and _owns(tree, node, *_READS) else None
    return tree.replaced(call if isinstance(call, cst.Call) else node, name)


def _inside(tree: Tree, node: cst.Node, outer: cst.Node) -> bool:
    (begins, ends), (first, last) = tree.span(node), tree.span(outer)
    return first <= begins and ends <= last


def _loop(tree: Tree, statement: cst.Node) -> cst.For | cst.While | None:
    """The innermost loop around a statement in its own scope."""
    found = tree.above(statement, cst.For, cst.While, cst.FunctionDef)
    return found if isinstance(found, (cst.For, cst.While)) else None


def _bound_again(tree: Tree, statement: cst.Node, name: str) -> bool:
    return any(
        tree.span(each) > tree.span(statement) and name in syntax.names(each.target)
        for each in tree.inside(tree.scope(statement), cst.AssignTarget)
    )


def _free(prefix: str, words: str, tree: Tree, statement: cst.Node) -> str:
    return syntax.fresh(f"{prefix}_{words.lstrip('_')}", tree, statement)
