"""What the user's source says at a place: the call on a line, assignments to a name, the loop around a line."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from types import CodeType

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources, walked

Loop = ast.For | ast.While | ast.AsyncFor

SIGNS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.MatMult: "@",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Invert: "~",
    ast.USub: "-",
    ast.Not: "not",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
"""The operators of Python as they are written."""


def where(
    node: ast.expr | ast.stmt, file: str, function: str, sources: Sources, until: ast.expr | ast.stmt | None = None
) -> Location:
    """The range of a syntax node, or up to the end of another one. Trees count UTF-8 bytes; locations, code points."""
    last = node if until is None else until
    end = last.end_lineno or last.lineno
    return Location(
        file=file,
        line=node.lineno,
        column=sources.column(file, node.lineno, node.col_offset),
        end_line=end,
        end_column=sources.column(file, end, last.end_col_offset or 0),
        function=function,
    )


def stands_at(node: ast.expr | ast.stmt, location: Location, sources: Sources) -> bool:
    """Return whether a node has exactly this range."""
    return (node.lineno, node.end_lineno) == (location.line, location.end_line) and (
        sources.column(location.file, node.lineno, node.col_offset),
        sources.column(location.file, node.end_lineno or node.lineno, node.end_col_offset or 0),
    ) == (location.column, location.end_column)


def node_at(location: Location, sources: Sources) -> ast.expr | None:
    """The expression at exactly this range; the outermost call of the statement where columns are unknown."""
    statement = sources.statement(location)
    if statement is None:
        return None
    if location.column is None:
        calls = [
            node for node in _expressions(statement) if isinstance(node, ast.Call) and node.lineno <= location.line
        ]
        return calls[0] if calls else None
    for node in _expressions(statement):
        if stands_at(node, location, sources):
            return node
    return None


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of one statement, outermost first, without those of statements nested in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr):
            yield node
        waiting.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))


def call_at(location: Location, sources: Sources) -> ast.Call | None:
    """The call at this location; None when the failing expression is not a call."""
    node = node_at(location, sources)
    return node if isinstance(node, ast.Call) else None


def element(node: ast.expr | None, path: Sequence[object]) -> ast.expr | None:
    """The part of a list, tuple or dict display that holds the element at `path`; None when it is written elsewhere."""
    for step in path:
        if isinstance(node, (ast.List, ast.Tuple)) and isinstance(step, int) and step < len(node.elts):
            node = node.elts[step]
            if isinstance(node, ast.Starred):
                return None
        elif isinstance(node, ast.Dict):
            keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            node = node.values[keys.index(step)] if step in keys else None
        else:
            return None
    return node


def place(node: ast.AST, like: Location, sources: Sources) -> Location:
    """The range of a node, in the file and function of another location."""
    return where(node, like.file, like.function, sources)  # type: ignore[arg-type]


def on_line(node: ast.expr | ast.stmt | ast.ExceptHandler, line: int) -> bool:
    """Return whether a node stands on a line, or is one of several lines around it."""
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def nodes_at(location: Location, sources: Sources) -> Iterator[ast.AST]:
    """Expressions and statements that stand on the location's first line, outermost first."""
    for node in sources.nodes(location.file):
        first = getattr(node, "lineno", None)
        last = getattr(node, "end_lineno", None)
        if first is not None and last is not None and first <= location.line <= last:
            yield node


def named_call(location: Location, sources: Sources, *names: str) -> tuple[ast.Call, Location] | None:
    """The call of a function with one of these names that covers the line; the smallest when there are several."""
    best: ast.Call | None = None
    for node in nodes_at(location, sources):
        if (
            isinstance(node, ast.Call)
            and callee(node) in names
            and (best is None or (node.lineno, -(node.end_lineno or 0)) >= (best.lineno, -(best.end_lineno or 0)))
        ):
            best = node
    return None if best is None else (best, place(best, location, sources))


def sign(node: ast.AST) -> str:
    """The operator of an expression, or the first one of several; empty where there is none."""
    operator = node.ops[0] if isinstance(node, ast.Compare) else getattr(node, "op", None)
    return SIGNS.get(type(operator), "")


def last_name(node: ast.AST | None) -> str:
    """The last part of a name: `stop_gradient` for `tf.stop_gradient`; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def callee(call: ast.Call) -> str:
    """The last part of the called name."""
    return last_name(call.func)


def argument(call: ast.Call, position: int, *names: str) -> ast.expr | None:
    """What a call is given for a parameter, by one of its names or by position; None where it is not written out."""
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    if position < len(call.args) and not any(isinstance(each, ast.Starred) for each in call.args[: position + 1]):
        return call.args[position]
    return None


def flag(call: ast.Call, position: int, name: str, default: bool) -> bool | None:
    """The truth value that a call gives for a parameter; None where the text does not tell."""
    given = argument(call, position, name)
    if given is None:
        spread = any(isinstance(each, ast.Starred) for each in call.args) or any(k.arg is None for k in call.keywords)
        return None if spread else default
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, bool) else None


def exact(location: Location | None, sources: Sources) -> Location | None:
    """The same place with columns: the statement on that line when nothing more precise is known."""
    if location is None or location.column is not None:
        return location
    best: ast.AST | None = None
    for node in nodes_at(location, sources):
        if isinstance(node, ast.stmt) and node.lineno == location.line:
            best = node if best is None else best
    if best is None or isinstance(best, (ast.For, ast.While, ast.If, ast.FunctionDef, ast.With, ast.ClassDef)):
        return location
    return place(best, location, sources)


def loop_at(location: Location, sources: Sources) -> Loop | None:
    """The loop statement that begins on this line."""
    for node in nodes_at(location, sources):
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor)) and node.lineno == location.line:
            return node
    return None


def loop_around(location: Location, sources: Sources) -> Loop | None:
    """The innermost loop whose body holds this line, in the same function."""
    best: Loop | None = None
    function = sources.function(location)
    for node in nodes_at(location, sources):
        if (
            isinstance(node, (ast.For, ast.While, ast.AsyncFor))
            and any(on_line(each, location.line) for each in node.body)
            and (function is None or node.lineno >= function.lineno)
            and (best is None or node.lineno > best.lineno)
        ):
            best = node
    return best


def assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(target, value) pairs of an assignment; tuples on both sides are taken apart, other unpackings keep the value."""
    if isinstance(node, ast.Assign):
        targets, value = node.targets, node.value
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
        targets, value = [node.target], node.value
    else:
        return
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value] * len(target.elts)
            yield from zip(target.elts, parts, strict=False)
        else:
            yield target, value


def own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of one scope in source order, without nested functions and classes."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from own(child)


def enclosing(tree: ast.Module, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function that a line stands in."""
    found = [
        node
        for node in walked(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if on_line(node, line)
    ]
    return max(found, key=lambda node: node.lineno, default=None)


def definition(tree: ast.Module, code: CodeType) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function that a code object was compiled from. Decorators come before `def`, and count for the first line."""
    for node in walked(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if code.co_firstlineno in (first, node.lineno):
                return node
    return None


def assignments(tree: ast.AST, name: str) -> Iterator[ast.stmt]:
    """Statements that bind this name (`x`, `self.x`), in source order; functions defined inside are left out."""
    nodes = (each for each in (tree, *own(tree)) if isinstance(each, ast.stmt))
    yield from sorted((each for each in nodes if name in targets(each)), key=lambda each: each.lineno)


def targets(node: ast.stmt) -> tuple[str, ...]:
    """What a statement binds, as written: names, attributes and subscripts."""
    waiting: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        waiting = list(node.targets)
    elif isinstance(node, (ast.AugAssign, ast.For)) or (isinstance(node, ast.AnnAssign) and node.value is not None):
        waiting = [node.target]
    names: list[str] = []
    while waiting:
        target = waiting.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            waiting.extend(target.elts)
        elif isinstance(target, ast.Starred):
            waiting.append(target.value)
        else:
            names.append(ast.unparse(target))
    return tuple(names)


def last_assignment(name: str, before: Location, sources: Sources) -> ast.stmt | None:
    """The last statement in the same function that binds the name above a line."""
    scope: ast.AST | None = sources.function(before, lambdas=False) or sources.tree(before.file)
    if scope is None:
        return None
    earlier = [each for each in assignments(scope, name) if each.lineno < before.line]
    return earlier[-1] if earlier else None


def assigned_value(statement: ast.stmt | None, name: str) -> ast.expr | None:
    """The expression that a statement binds to the name, where one expression can be told."""
    if isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        return statement.value
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if ast.unparse(target) == name:
                return statement.value
            if (
                isinstance(target, ast.Tuple)
                and isinstance(statement.value, ast.Tuple)
                and len(target.elts) == len(statement.value.elts)
            ):
                for each, value in zip(target.elts, statement.value.elts, strict=True):
                    if ast.unparse(each) == name:
                        return value
    return None


def returns(function: ast.AST) -> tuple[ast.expr, ...]:
    """The expressions that a function or lambda returns."""
    if isinstance(function, ast.Lambda):
        return (function.body,)
    return tuple(each.value for each in _returns(function) if each.value is not None)


def leaving_returns(loop: ast.AST) -> tuple[ast.Return, ...]:
    """The `return` statements in a loop's body, not those of functions defined in it."""
    return tuple(_returns(loop))


def _returns(block: ast.AST) -> list[ast.Return]:
    nodes = own(ast.Module(body=getattr(block, "body", []), type_ignores=[]))
    return sorted((each for each in nodes if isinstance(each, ast.Return)), key=lambda each: each.lineno)


def covers(whole: Location, part: Location) -> bool:
    """Return whether the lines of a place hold those of another one."""
    return whole.file == part.file and whole.line <= part.line <= (whole.end_line or whole.line)
