"""Edits of programs in graph mode: which graph and session are entered, and where."""

from __future__ import annotations

from tensorwhy.fixes import calls, syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources

_SESSIONS = ("Session", "InteractiveSession")


def entered(used: Location, sources: Sources) -> tuple[Edit, ...]:
    """`with session.graph.as_default(), session.as_default():` around what the function at a place does.

    An empty result means that no session has a name there, or more than one.
    """
    tree = syntax.tree(used.file, sources)
    statements = tree.statements_at(used) if tree is not None else []
    function = tree.function(statements[-1]) if tree is not None and statements else None
    if tree is None or function is None or not isinstance(function.body, cst.IndentedBlock):
        return ()
    found = _sessions(tree, function)
    body = [each for each in function.body.body if not _docstring(each)]
    if len(found) != 1 or not body or function.asynchronous:
        return ()
    first, last = tree.line(body[0]), tree.span(body[-1])[1][0]
    if any(tree.span(each)[0][0] != tree.span(each)[1][0] for each in _texts(tree, function)):
        return ()  # a text of several lines would get the indentation too
    indent = tree.indentation(body[0])
    lines = [sources.line(used.file, number) for number in range(first, last + 1)]
    inner = [f"    {line}" if line.strip() else line for line in lines]
    head = f"{indent}with {found[0]}.graph.as_default(), {found[0]}.as_default():"
    return (tree.lines(first, last, [head, *inner]),)


def opened_on(graph: str, used: Location, sources: Sources) -> tuple[Edit, ...]:
    """`Session(graph=...)` with the graph of a tensor, where the session that is used at a place is made."""
    tree = syntax.tree(used.file, sources)
    for call in tree.at(used, cst.Call) if tree is not None else ():
        if tree is None or not isinstance(call.func, cst.Attribute) or call.func.attr.value != "run":
            continue
        name = tree.text(call.func.value)
        made = [each for each in _made(tree) if name == each[0]]
        if len(made) != 1:
            return ()
        given = syntax.argument(made[0][1], 1, "graph")
        if given is not None:
            return (tree.replaced(given.value, f"{graph}.graph"),)
        (line, column), (end_line, end_column) = tree.span(made[0][1])
        place = Location(file=used.file, line=line, column=column, end_line=end_line, end_column=end_column)
        edit = calls.with_keyword(place, "graph", f"{graph}.graph", sources)
        return (edit,) if edit is not None else ()
    return ()


def as_array(name: str, used: Location, sources: Sources) -> tuple[Edit, ...]:
    """`name.numpy()` for each use of an eager tensor in the statement that hands it to a graph."""
    tree = syntax.tree(used.file, sources)
    statements = tree.statements_at(used) if tree is not None else []
    if tree is None or not statements:
        return ()
    uses = [each for each in tree.inside(statements[-1], cst.Name) if each.value == name]
    parents = [tree.parent(each) for each in uses]
    if any(isinstance(each, (cst.Attribute, cst.AssignTarget, cst.Param)) for each in parents):
        return ()
    named = [isinstance(each, cst.Arg) and each.keyword is use for use, each in zip(uses, parents, strict=True)]
    return tuple(tree.appended(use, ".numpy()") for use, keyword in zip(uses, named, strict=True) if not keyword)


def _made(tree: Tree) -> list[tuple[str, cst.Call]]:
    """The sessions of a file: their names as written, and the calls that make them."""
    found: list[tuple[str, cst.Call]] = []
    for call in tree.inside(tree.module, cst.Call):
        if syntax.called(call) not in _SESSIONS:
            continue
        parent = tree.parent(call)
        if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
            found.append((tree.text(parent.targets[0].target), call))
        elif isinstance(parent, cst.WithItem) and parent.asname is not None:
            found.append((tree.text(parent.asname.name), call))
    return found


def _sessions(tree: Tree, function: cst.FunctionDef) -> list[str]:
    """The names of sessions that mean something in a function."""
    owner = tree.above(function, cst.ClassDef)
    found: dict[str, None] = {}
    for name, call in _made(tree):
        same = owner is not None and tree.above(call, cst.ClassDef) is owner
        if (same and name.startswith("self.")) or (name.isidentifier() and tree.scope(call) is tree.module):
            found[name] = None
    return list(found)


def _docstring(node: cst.Node) -> bool:
    small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
    return isinstance(small, cst.Expr) and isinstance(small.value, cst.SimpleString)


def _texts(tree: Tree, function: cst.FunctionDef) -> list[cst.Node]:
    kinds = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)
    return [
        each
        for statement in function.body.body
        if not _docstring(statement)
        for kind in kinds
        for each in tree.inside(statement, kind)
    ]
