"""Edits that hand a tensor out of a traced function by its result, where it was kept from inside."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def returned(escape: Location, sources: Sources) -> tuple[Edit, ...]:
    """`kept.append(x)` taken out of the function, `x` returned beside its result, and kept where it is called.

    An empty result means that not all calls of the function are plain statements of this file.
    """
    tree = syntax.tree(escape.file, sources)
    statements = tree.statements_at(escape) if tree is not None else []
    function = tree.function(statements[-1]) if tree is not None and statements else None
    if tree is None or function is None:
        return ()
    kept, removed = _kept(tree, statements[-1]), tree.removed(statements[-1])
    return _outside(tree, function, statements[-1], kept, removed)


def handed_back(escape: Location, traced: str, made: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`h = monitor.see(x)` in a traced function, where `see` only keeps `x`: called with its result instead."""
    there = syntax.tree(escape.file, sources)
    kept = there.statements_at(escape)[-1:] if there is not None else []
    method = there.function(kept[0]) if there is not None and kept else None
    here = syntax.tree(made.file, sources) if made is not None else None
    if there is None or here is None or method is None or not _only_keeps(there, method, kept[0]):
        return ()
    functions = [each for each in here.inside(here.module, cst.FunctionDef) if each.name.value == traced]
    calls = [
        call
        for function in functions
        for call in here.inside(function.body, cst.Call)
        if isinstance(call.func, cst.Attribute) and syntax.called(call) == method.name.value
    ]
    if len(functions) != 1 or len(calls) != 1 or len(calls[0].args) != 1 or calls[0].args[0].star:
        return ()
    (function,), (call,) = functions, calls
    statement, given = here.statement(call), here.text(call.args[0].value)
    bound = syntax.target(statement) if statement is not None else None
    own = {each.name.value for each in function.params.params}
    for each in here.inside(function.body, cst.AssignTarget):
        own |= syntax.names(each.target)
    if statement is None or here.function(call) is not function or syntax.names(call.func) & (own - {"self"}):
        return ()
    if isinstance(bound, cst.Name) and syntax.value(statement) is call:
        name, removed = bound.value, here.replaced(call, given)
    elif isinstance(here.parent(call), cst.Expr) and given.isidentifier() and (gone := here.removed(statement)):
        name, removed = given, gone
    else:
        return ()
    return _outside(here, function, statement, (f"{here.text(call.func)}(", name, ")"), removed)


def _only_keeps(tree: Tree, method: cst.FunctionDef, kept: cst.SimpleStatementLine) -> bool:
    """Return whether a method stores what it is given in its object, and returns that or nothing."""
    given = [each.name.value for each in method.params.params]
    body = [each for each in method.body.body if isinstance(each, cst.Statement)]
    target, value = syntax.target(kept), syntax.value(kept)
    if len(given) != 2 or not isinstance(target, cst.Attribute) or not isinstance(value, cst.Name):
        return False
    if tree.text(target.value) != given[0] or value.value != given[1]:
        return False
    others = [tree.text(each) for each in body if each is not kept]
    return all(each in (f"return {given[1]}", "return") or each[:1] in "\"'" for each in others)


def _outside(
    tree: Tree,
    function: cst.FunctionDef,
    statement: cst.SimpleStatementLine,
    kept: tuple[str, str, str] | None,
    removed: Edit | None,
) -> tuple[Edit, ...]:
    """A statement done where the function is called, with a result of that."""
    statements = [statement]
    results = [each for each in tree.inside(function.body, cst.Return) if tree.function(each) is function]
    calls = [
        call
        for call in tree.inside(tree.module, cst.Call)
        if syntax.called(call) == function.name.value and tree.function(call) is not function
    ]
    if kept is None or len(results) > 1 or not calls:
        return ()
    before, value, after = kept
    if results:
        result = results[0].value
        edits = [tree.replaced(results[0], f"return {tree.text(result)}, {value}" if result else f"return {value}")]
        edits += [removed] if removed is not None else []
    elif removed is not None and function.body.body[-1] is not statements[-1]:
        edits = [removed, tree.after(function.body.body[-1], f"return {value}")]
    else:
        edits = [tree.replaced(statements[-1].body[0], f"return {value}")]
    if removed is None and results:
        return ()
    for call in calls:
        found = _at_call(tree, call, before, after, bool(results and results[0].value), function)
        if not found:
            return ()
        edits += found
    return tuple(edits)


def uncached(location: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """The cache taken off a function, which a place is in."""
    tree = syntax.tree(location.file, sources) if location is not None else None
    for statement in tree.statements_at(location)[-1:] if tree is not None else ():
        assert tree is not None
        function = tree.function(statement)
        for decorator in function.decorators if function is not None else ():
            name = tree.text(decorator.decorator).partition("(")[0].rpartition(".")[2]
            if name in ("cache", "lru_cache", "memoize", "cached"):
                edit = tree.removed(decorator)
                return (edit,) if edit is not None else ()
    return ()


def _kept(tree: Tree, statement: cst.SimpleStatementLine) -> tuple[str, str, str] | None:
    """What stands before the tensor in the statement that keeps it, the tensor's expression, and what stands behind."""
    small = statement.body[0] if len(statement.body) == 1 else None
    call = small.value if isinstance(small, cst.Expr) else None
    if isinstance(call, cst.Call) and len(call.args) == 1 and syntax.called(call) in ("append", "add", "put"):
        return f"{tree.text(call.func)}(", tree.text(call.args[0].value), ")"
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        target = small.targets[0].target
        if isinstance(target, (cst.Attribute, cst.Subscript)):
            return f"{tree.text(target)} = ", tree.text(small.value), ""
    return None


def _at_call(
    tree: Tree, call: cst.Call, before: str, after: str, both: bool, function: cst.FunctionDef
) -> tuple[Edit, ...]:
    """The edits of one call; none where it is part of something else."""
    statement, parent = tree.statement(call), tree.parent(call)
    if statement is None or len(statement.body) != 1:
        return ()
    owner = tree.text(call.func.value) if isinstance(call.func, cst.Attribute) else ""
    self = function.params.params[0].name.value if function.params.params else ""
    if owner and owner != self and before.startswith(f"{self}."):
        before = owner + before[len(self) :]
    if isinstance(parent, cst.Expr):
        if both:
            name = syntax.fresh("kept", tree, call)
            return (tree.prefixed(call, f"_, {name} = "), tree.after(statement, f"{before}{name}{after}"))
        return (tree.prefixed(call, before), *((tree.appended(call, after),) if after else ()))
    if isinstance(parent, cst.Assign) and both and len(parent.targets) == 1:
        name = syntax.fresh("kept", tree, call)
        target = parent.targets[0].target
        text = tree.text(target)
        text = f"({text})" if isinstance(target, cst.Tuple) and not target.parens else text
        return (tree.replaced(target, f"{text}, {name}"), tree.after(statement, f"{before}{name}{after}"))
    if both and isinstance(parent, cst.Arg):
        name, result = syntax.fresh("kept", tree, call), syntax.fresh("result", tree, call)
        if tree.above(call, cst.Lambda) is None and tree.above(call, cst.CompFor) is None:
            return (
                tree.before(statement, f"{result}, {name} = {tree.text(call)}", f"{before}{name}{after}"),
                tree.replaced(call, result),
            )
    return ()
