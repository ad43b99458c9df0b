"""Edits that make a layer or variable once, outside of the function that runs again and again."""

from __future__ import annotations

import re

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def made_once(location: Location | None, sources: Sources, traced: str = "") -> tuple[Edit, ...]:
    """The object that is made at a place, made before the function, or in `__init__` where it is a method.

    `traced` is the function that runs again and again, where a helper that it calls makes the object. An empty result
    means that what it is made from exists only inside of the function.
    """
    tree = syntax.tree(location.file, sources) if location is not None else None
    calls = tree.at(location, cst.Call) if tree is not None else []
    statements = tree.statements_at(location) if tree is not None else []
    if tree is None or not statements:
        return ()
    statement = statements[-1]
    call = next((each for each in calls if _makes(each)), None)
    call = call or next((each for each in tree.inside(statement, cst.Call) if _makes(each)), None)
    function = tree.function(statement)
    helper = _helper_call(tree, function, traced) if function is not None and traced else None
    if helper is not None:
        statement, call = helper
        function = tree.function(statement)
    if call is None or function is None:
        return ()
    owner = tree.above(function, cst.ClassDef)
    if syntax.names(call) & (_own(tree, function) - _kept_by(tree, owner, call)):
        return ()
    name = _name(tree, statement, call)
    if owner is not None and tree.function(function) is None:
        return _in_init(tree, owner, function, call, name)
    removed = tree.removed(statement) if syntax.value(statement) is call else tree.replaced(call, name)
    blank = ("", "") if not tree.indentation(function) else ("",)
    said = tree.comment(statement) if syntax.value(statement) is call else ""
    return () if removed is None else (tree.before(function, f"{name} = {tree.text(call)}{said}", *blank), removed)


def _helper_call(tree: Tree, helper: cst.FunctionDef, traced: str) -> tuple[cst.SimpleStatementLine, cst.Call] | None:
    """`model = helper(...)` in the traced function."""
    if helper.name.value == traced or tree.above(helper, cst.ClassDef, cst.FunctionDef) is not None:
        return None
    functions = [each for each in tree.inside(tree.module, cst.FunctionDef) if each.name.value == traced]
    found = [
        each
        for function in functions
        for each in tree.inside(function.body, cst.SimpleStatementLine)
        if isinstance(made := syntax.value(each), cst.Call) and tree.text(made.func) == helper.name.value
    ]
    made = syntax.value(found[0]) if len(functions) == len(found) == 1 else None
    return (found[0], made) if isinstance(made, cst.Call) and isinstance(syntax.target(found[0]), cst.Name) else None


def guarded(location: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`self.w = Variable(...)` in a method, made in the first call only: behind `if not hasattr(self, "w"):`.

    `w = Variable(...)` as the same, and `w = self.w` behind it.
    """
    tree = syntax.tree(location.file, sources) if location is not None else None
    statements = tree.statements_at(location) if tree is not None else []
    if tree is None or not statements:
        return ()
    statement = statements[-1]
    target, function, (first, _), (last, _) = syntax.target(statement), tree.function(statement), *tree.span(statement)
    inside = isinstance(tree.parent(statement), cst.IndentedBlock) and function is not None
    if not inside or first != last or isinstance(tree.above(statement, cst.If, cst.FunctionDef), cst.If):
        return ()
    line = sources.line(tree.file, first)
    if isinstance(target, cst.Name) and function is not None:
        return _guarded_local(tree, statement, function, target.value, line.strip())
    if not isinstance(target, cst.Attribute) or not isinstance(target.value, cst.Name):
        return ()
    test = f'if not hasattr({target.value.value}, "{target.attr.value}"):'
    return (tree.lines(first, last, [f"{tree.indentation(statement)}{test}", f"    {line}"]),)


def _guarded_local(
    tree: Tree, statement: cst.SimpleStatementLine, function: cst.FunctionDef, name: str, line: str
) -> tuple[Edit, ...]:
    owner, made = tree.above(function, cst.ClassDef), syntax.value(statement)
    self = function.params.params[0].name.value if function.params.params else ""
    if owner is None or self != "self" or not isinstance(made, cst.Call) or not _makes(made):
        return ()
    if name in {each.attr.value for each in tree.inside(owner, cst.Attribute)} or not line.startswith(f"{name} = "):
        return ()
    indent, number = tree.indentation(statement), tree.line(statement)
    lines = [f'if not hasattr(self, "{name}"):', f"    self.{line}", f"{name} = self.{name}"]
    return (tree.lines(number, number, [indent + each for each in lines]),)


def _makes(call: cst.Call) -> bool:
    """A class is called: the convention is all there is to tell by."""
    return syntax.called(call)[:1].isupper()


def _own(tree: Tree, function: cst.FunctionDef) -> set[str]:
    """The names that a function binds, its parameters among them."""
    bound = {each.name.value for each in tree.inside(function.params, cst.Param)}
    for node in tree.inside(function.body, cst.AssignTarget):
        bound |= syntax.names(node.target)
    for loop in tree.inside(function.body, cst.For):
        bound |= syntax.names(loop.target)
    return bound


def _kept_by(tree: Tree, owner: cst.ClassDef | None, call: cst.Call) -> set[str]:
    """`self`, where all that a call takes from it is set in `__init__`."""
    init = _init(tree, owner) if owner is not None else None
    taken = [each for each in tree.inside(call, cst.Attribute) if tree.text(each.value) == "self"]
    bound = [each.target for each in tree.inside(init, cst.AssignTarget)] if init is not None else []
    known = {tree.text(each) for each in bound}
    bare = sum(each.value == "self" for each in tree.inside(call, cst.Name)) > len(taken)
    return {"self"} if not bare and all(tree.text(each) in known for each in taken) else set()


def _init(tree: Tree, owner: cst.ClassDef) -> cst.FunctionDef | None:
    return next((each for each in tree.inside(owner.body, cst.FunctionDef) if each.name.value == "__init__"), None)


def _name(tree: Tree, statement: cst.SimpleStatementLine, call: cst.Call) -> str:
    target = syntax.target(statement)
    if isinstance(target, cst.Name) and syntax.value(statement) is call:
        return target.value
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", syntax.called(call)).lower()
    return syntax.fresh(words, tree, call)


def _in_init(
    tree: Tree,
    owner: cst.ClassDef,
    function: cst.FunctionDef,
    call: cst.Call,
    name: str,
) -> tuple[Edit, ...]:
    """`self.name = Layer(...)` in `__init__`, and `self.name` here."""
    if not function.params.params:
        return ()
    self = function.params.params[0].name.value
    if name in {each.attr.value for each in tree.inside(owner, cst.Attribute)}:
        return ()
    init = _init(tree, owner)
    made = f"self.{name} = {tree.text(call)}"
    if init is not None:
        last = init.body.body[-1]
        edits = [tree.after(last, made)] if isinstance(last, cst.SimpleStatementLine) else []
    else:
        lines = ("def __init__(self, **kwargs):", "    super().__init__(**kwargs)", f"    {made}", "")
        edits = [tree.before(function, *lines)]
    return (*edits, tree.replaced(call, f"{self}.{name}")) if edits else ()
