"""Edits of a training loop: which variables its gradients are asked for, and what is done with them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources

_ALL = ("variables", "weights")


def unfrozen(frozen: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`model.trainable = False` left out."""
    tree = syntax.tree(frozen.file, sources) if frozen is not None else None
    for statement in tree.statements_at(frozen)[-1:] if tree is not None else ():
        assert tree is not None
        target, value = syntax.target(statement), syntax.value(statement)
        said = isinstance(target, cst.Attribute) and target.attr.value == "trainable"
        if said and isinstance(value, cst.Name) and value.value == "False":
            removed = tree.removed(statement)
            return (removed,) if removed is not None else ()
    return ()


def only_trainable(place: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`model.weights` as `model.trainable_weights`, where a list of sources is made or given, and is paired with what
    that gave: each gradient belongs to the variable in its place.
    """
    tree = syntax.tree(place.file, sources) if place is not None else None
    for statement in tree.statements_at(place)[-1:] if tree is not None else ():
        assert tree is not None
        found = [each for each in tree.inside(statement, cst.Attribute) if each.attr.value in _ALL]
        texts = {tree.text(each) for each in found}
        paired = (
            argument.value
            for call in tree.inside(tree.scope(statement), cst.Call)
            if syntax.called(call) in ("zip", "apply", "apply_gradients")
            for argument in call.args
            if isinstance(argument.value, cst.Attribute) and tree.text(argument.value) in texts
        )
        every = {tree.span(each.attr): each for each in (*found, *paired) if isinstance(each, cst.Attribute)}
        return tuple(tree.replaced(each.attr, f"trainable_{each.attr.value}") for each in every.values())
    return ()


def asked_too(asked: Location | None, made: Iterable[Location | None], sources: Sources) -> tuple[Edit, ...]:
    """The variables of what was made at these places, added to the list that is differentiated and applied.

    An empty result means that what was made has no name that can be used there.
    """
    tree = syntax.tree(asked.file, sources) if asked is not None else None
    question = _gradient(tree, asked) if tree is not None else None
    if tree is None or question is None:
        return ()
    given = syntax.argument(question, 1, "sources", "var_list")
    if given is None:
        return ()
    named = _bound(tree, question, given.value)
    returned = _returned(tree, named or given.value)
    extra = _lists(tree, returned or question, list(made))
    if not extra:
        return ()
    named = returned or named
    if named is not None:
        return (tree.appended(named, extra),) if _joins(named) else ()
    if not _joins(given.value):
        return ()
    same = [each for each in _same(tree, question, given.value) if isinstance(tree.parent(each), cst.Arg)]
    return tuple(tree.appended(each, extra) for each in same)


def _joins(node: cst.Expression) -> bool:
    """Return whether another list can be added behind this one."""
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, ast.Add)
    listed = isinstance(node, cst.Attribute) and node.attr.value.removeprefix("trainable_") in _ALL
    return listed or isinstance(node, cst.List)


def _lists(tree: Tree, there: cst.Node, made: Iterable[Location | None]) -> str:
    """` + encoder.trainable_variables` for what was made at these places; empty where one of them has no name there."""
    found: dict[str, None] = {}
    for place in made:
        statements = tree.statements_at(place)
        target = syntax.target(statements[-1]) if statements else None
        if target is None or not _known(tree, statements[-1], target, there):
            return ""
        value, name = syntax.value(statements[-1]), tree.text(target)
        variable = isinstance(value, cst.Call) and tree.canonical(value.func) == "tensorflow.Variable"
        found[f"[{name}]" if variable else f"{name}.trainable_variables"] = None
    return "".join(f" + {each}" for each in found)


def _known(tree: Tree, statement: cst.SimpleStatementLine, target: cst.Expression, there: cst.Node) -> bool:
    """True if what a statement binds has the same name there: in the same function, or class, or from the module."""
    if isinstance(target, cst.Attribute) and tree.text(target.value) == "self":
        owner = tree.above(statement, cst.ClassDef)
        return owner is not None and owner is tree.above(there, cst.ClassDef)
    return isinstance(target, cst.Name) and tree.scope(statement) in (tree.module, tree.scope(there))


def applied(asked: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`optimizer.apply_gradients(zip(gradients, variables))` behind what is done with the gradients.

    An empty result means that they have no name, or that it is not plain which optimizer was meant.
    """
    tree = syntax.tree(asked.file, sources) if asked is not None else None
    question = _gradient(tree, asked) if tree is not None else None
    statement = tree.statement(question) if tree is not None and question is not None else None
    if tree is None or question is None or statement is None:
        return ()
    name, given = syntax.target(statement), syntax.argument(question, 1, "sources")
    block = tree.parent(statement)
    idle = [each for each in _optimizers(tree, statement) if not _used(tree, each)]
    if not isinstance(name, cst.Name) or given is None or not isinstance(block, cst.IndentedBlock) or len(idle) != 1:
        return ()
    last = [
        each
        for each in block.body[block.body.index(statement) :]
        if isinstance(each, cst.SimpleStatementLine) and name.value in _binds(each)
    ][-1]
    return (tree.after(last, f"{idle[0]}.apply_gradients(zip({name.value}, {tree.text(given.value)}))"),)


def paired(asked: Location | None, used: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """The list that the gradients were asked for, in the place of the one that they are zipped with."""
    tree = syntax.tree(asked.file, sources) if asked is not None else None
    question = _gradient(tree, asked) if tree is not None else None
    if tree is None or question is None or used is None:
        return ()
    given = syntax.argument(question, 1, "sources")
    zips = [
        call
        for statement in tree.statements_at(used)[-1:]
        for call in tree.inside(statement, cst.Call)
        if tree.text(call.func) == "zip" and len(call.args) == 2
    ]
    if given is None or len(zips) != 1 or tree.scope(zips[0]) is not tree.scope(question):
        return ()
    return (tree.replaced(zips[0].args[1].value, tree.text(given.value)),)


def zipped(used: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`zip` around the gradients that an optimizer is given, with what they were asked for; of two lists, with both."""
    tree = syntax.tree(used.file, sources) if used is not None else None
    calls = _applications(tree, used) if tree is not None else []
    if tree is None or len(calls) != 1:
        return ()
    given = calls[0].args[0].value
    if isinstance(given, cst.Call) and tree.text(given.func) == "zip" and len(given.args) == 1:
        given = given.args[0].value
        if not isinstance(given, (cst.Name, cst.List, cst.Tuple)):
            return ()
    if isinstance(given, (cst.List, cst.Tuple)) and len(given.elements) == 2:
        both = ", ".join(tree.text(each.value) for each in given.elements)
        return (tree.replaced(calls[0].args[0], f"zip({both})"),)
    made = _bound(tree, calls[0], given)
    asked = syntax.argument(made, 1, "sources") if isinstance(made, cst.Call) and _asks(made) else None
    if asked is None:
        return ()
    listed = (_bound(tree, calls[0], asked.value) if isinstance(asked.value, cst.Name) else None) or asked.value
    if not isinstance(listed, (cst.List, cst.Tuple, cst.Attribute, cst.BinaryOperation)):
        return ()  # perhaps one variable
    return (tree.replaced(calls[0].args[0].value, f"zip({tree.text(given)}, {tree.text(asked.value)})"),)


def listed(used: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """A list around the one pair that an optimizer is given."""
    tree = syntax.tree(used.file, sources) if used is not None else None
    calls = _applications(tree, used) if tree is not None else []
    given = calls[0].args[0].value if len(calls) == 1 else None
    if tree is None or not isinstance(given, (cst.List, cst.Tuple)) or len(given.elements) != 2:
        return ()
    gradient, variable = (tree.text(each.value) for each in given.elements)
    return (tree.replaced(calls[0].args[0], f"[({gradient}, {variable})]"),)


def _applications(tree: Tree, used: Location | None) -> list[cst.Call]:
    calls = [call for statement in tree.statements_at(used)[-1:] for call in tree.inside(statement, cst.Call)]
    return [call for call in calls if syntax.called(call) == "apply_gradients" and len(call.args) == 1]


def _asks(call: cst.Call) -> bool:
    return syntax.called(call) == "gradient"


def _gradient(tree: Tree, asked: Location | None) -> cst.Call | None:
    found = [call for call in tree.at(asked, cst.Call) if _asks(call)]
    return found[0] if len(found) == 1 else None


def _bound(tree: Tree, question: cst.Node, given: cst.Expression) -> cst.Expression | None:
    """What the name of a list was bound to last before it was used; None for what is no name."""
    if not isinstance(given, cst.Name):
        return None
    before = [
        statement
        for statement in tree.inside(tree.scope(question), cst.SimpleStatementLine)
        if tree.span(statement) < tree.span(question) and given.value in _binds(statement)
    ]
    return syntax.value(before[-1]) if before else None


def _returned(tree: Tree, node: cst.Expression) -> cst.Expression | None:
    """What a function of this file gives, whose call without arguments this is; None where that is not one thing."""
    name = syntax.called(node) if isinstance(node, cst.Call) and not node.args else ""
    functions = [each for each in tree.inside(tree.module, cst.FunctionDef) if each.name.value == name]
    returns = [each for function in functions for each in tree.inside(function.body, cst.Return)]
    return returns[0].value if len(functions) == len(returns) == 1 else None


def _same(tree: Tree, question: cst.Node, node: cst.Expression) -> list[cst.Expression]:
    """The same expression anywhere in the scope of the question."""
    found: Iterable[cst.Expression] = tree.inside(tree.scope(question), type(node))
    return [each for each in found if tree.text(each) == tree.text(node)]


def _binds(statement: cst.SimpleStatementLine) -> set[str]:
    found: set[str] = set()
    for small in statement.body:
        for each in small.targets if isinstance(small, cst.Assign) else ():
            found |= syntax.names(each.target)
    return found


def _optimizers(tree: Tree, node: cst.Node) -> list[str]:
    """The names that stand for an optimizer where a node is, as the program wrote them."""
    found: dict[str, None] = {}
    for statement in tree.inside(tree.module, cst.SimpleStatementLine):
        here = tree.scope(statement) in (tree.module, tree.scope(node))
        for name, value in _pairs(statement):
            if not isinstance(value, cst.Call) or ".optimizers." not in f".{tree.canonical(value.func)}":
                continue
            own = tree.above(statement, cst.ClassDef) is tree.above(node, cst.ClassDef)
            if (isinstance(name, cst.Name) and here) or (isinstance(name, cst.Attribute) and own):
                found[tree.text(name)] = None
    return list(found)


def _pairs(statement: cst.SimpleStatementLine) -> list[tuple[cst.Expression, cst.Expression]]:
    """What an assignment binds, with the value of each: `a, b = f(), g()` binds two."""
    name, value = syntax.target(statement), syntax.value(statement)
    if isinstance(name, cst.Tuple) and isinstance(value, cst.Tuple) and len(name.elements) == len(value.elements):
        return [(one.value, other.value) for one, other in zip(name.elements, value.elements)]
    return [(name, value)] if name is not None and value is not None else []


def _used(tree: Tree, optimizer: str) -> bool:
    return any(
        isinstance(call.func, cst.Attribute)
        and call.func.attr.value in ("apply_gradients", "minimize", "apply")
        and tree.text(call.func.value) == optimizer
        for call in tree.inside(tree.module, cst.Call)
    )


def listed_again(taken: Location | None, asked: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`weights = model.trainable_variables` once more, before the gradient of these is asked for."""
    tree = syntax.tree(asked.file, sources) if asked is not None else None
    question = _gradient(tree, asked) if tree is not None else None
    statement = tree.statement(question) if tree is not None and question is not None else None
    if tree is None or statement is None or taken is None or taken.file != tree.file:
        return ()
    listing = next(iter(tree.statements_at(taken)[-1:]), None)
    target, listed = (syntax.target(listing), syntax.value(listing)) if listing is not None else (None, None)
    if listing is None or listed is None or not isinstance(target, (cst.Name, cst.Attribute)):
        return ()
    same = tree.scope(listing) is tree.scope(statement)
    value = (
        tree.text(listed) if same and isinstance(target, cst.Name) else _by_attributes(tree, listing, target, listed)
    )
    if not value or not (same or _known(tree, listing, target, statement)):
        return ()
    return (tree.before(statement, f"{tree.text(target)} = {value}"),)


def _by_attributes(
    tree: Tree, statement: cst.SimpleStatementLine, target: cst.Expression, value: cst.Expression
) -> str:
    """A value that a method stored in an attribute, as another method says it: `model` as `self.model`."""
    owner = tree.above(statement, cst.ClassDef)
    if not isinstance(target, cst.Attribute) or tree.text(target.value) != "self" or owner is None:
        return ""
    names = syntax.names(value) - {"self"}
    if not names:
        return tree.text(value)
    first = value
    while isinstance(first, cst.Attribute):
        first = first.value
    kept = [
        tree.text(attribute)
        for each in tree.inside(tree.scope(statement), cst.SimpleStatementLine)
        if isinstance(attribute := syntax.target(each), cst.Attribute)
        and isinstance(given := syntax.value(each), cst.Name)
        and {given.value} == names
        and tree.text(attribute.value) == "self"
    ]
    if not isinstance(first, cst.Name) or len(names) != 1 or len(kept) != 1:
        return ""
    return kept[0] + tree.text(value).removeprefix(first.value)


def compiled_again(trained: Location, sources: Sources) -> tuple[Edit, ...]:
    """`model.compile(...)`, as it stands further up, once more before the `model.fit(...)` at a place.

    An empty result means that the function compiles no model of this name, or that the place is in a loop.
    """
    tree = syntax.tree(trained.file, sources)
    statements = tree.statements_at(trained)[-1:] if tree is not None else []
    if tree is None or not statements:
        return ()
    fitted, scope = statements[0], tree.scope(statements[0])
    calls = [each for each in tree.inside(fitted, cst.Call) if isinstance(each.func, cst.Attribute)]
    owners = {tree.text(each.func.value) for each in calls if isinstance(each.func, cst.Attribute)}
    if isinstance(tree.above(fitted, cst.For, cst.While, cst.FunctionDef), (cst.For, cst.While)):
        return ()
    found = [
        each
        for each in tree.inside(scope, cst.SimpleStatementLine)
        if tree.line(each) < tree.line(fitted)
        and tree.scope(each) is scope
        and isinstance(call := syntax.value(each), cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "compile"
        and tree.text(call.func.value) in owners
    ]
    if not found or tree.comment(found[-1]):
        return ()
    (first, _), (last, _) = tree.span(found[-1])
    lines = [sources.line(tree.file, number) for number in range(first, last + 1)]
    indent = tree.indentation(found[-1])
    if not all(each.startswith(indent) or not each.strip() for each in lines):
        return ()
    return (tree.before(fitted, *(each[len(indent) :].rstrip() for each in lines)),)
