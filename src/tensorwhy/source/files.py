"""Reads the user's source: text, syntax trees, and the expression at a location.

Notebook cells and `-c` programs are found through `linecache`, where their text is registered.
"""

from __future__ import annotations

import ast
import functools
import io
import itertools
import tokenize
from collections.abc import Sequence
from typing import TypeVar

from tensorwhy.model import source_text
from tensorwhy.model.location import Location

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_TRIED = 20
"""Places that may be the end of a function."""
_REMEMBERED = 16
"""So many parsed files are remembered for whoever reads them next: one failure is looked at by many."""
UNPARSED = (SyntaxError, ValueError, MemoryError, RecursionError)
"""What Python raises for a text that it cannot parse; the last two for one that is nested too deeply."""
_Node = TypeVar("_Node", bound=ast.stmt | ast.expr)


@functools.lru_cache(maxsize=256)
def walked(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a file, function or class, those that are outside first: each finding asks about the same ones."""
    return tuple(ast.walk(tree))


def encoding_of(data: bytes) -> str:
    """How the text of a Python file is encoded, by its first lines. Raises SyntaxError where they name no encoding."""
    return tokenize.detect_encoding(io.BytesIO(data).readline)[0]


class Sources:
    """A cache of source files. Files that cannot be read or parsed answer with empty text and None."""

    def __init__(self) -> None:
        self._files: dict[str, _Parsed] = {}
        self._defined: dict[tuple[str, int], ast.Module | None] = {}

    def lines(self, file: str) -> list[str]:
        """The lines of a file, with their line ends; empty when the file cannot be read."""
        return source_text.lines(file)

    def text(self, file: str) -> str:
        """The whole text of a file."""
        return "".join(self.lines(file))

    def line(self, file: str, line: int) -> str:
        """One line (1-based) without its line end; empty when there is none."""
        lines = self.lines(file)
        return lines[line - 1].rstrip("\r\n") if 1 <= line <= len(lines) else ""

    def tree(self, file: str) -> ast.Module | None:
        """The parsed module; None when it cannot be parsed. All who read the file share it: nothing may be changed."""
        return self._parsed(file).tree

    def nodes(self, file: str) -> tuple[ast.AST, ...]:
        """All nodes of the parsed module, those that are outside first; none when it cannot be parsed."""
        return self._parsed(file).nodes

    def calls(self, file: str, line: int) -> Sequence[ast.Call]:
        """All calls that this line is a part of, those that are outside first."""
        return self._parsed(file).calls_by_line.get(line, ())

    def adopt(self, file: str, tree: ast.Module) -> None:
        """Take what a caller has parsed of this file's text, instead of parsing it once more."""
        self._files.setdefault(file, _Parsed(tree))

    def _parsed(self, file: str) -> _Parsed:
        found = self._files.get(file)
        if found is None:
            found = self._files[file] = _parsed(self.text(file))
        return found

    def defined(self, file: str, line: int) -> ast.Module | None:
        """A tree with the function that begins on a line, at its first decorator; of the whole file for anything else.

        Files of a library are long, and of most of them one function is asked for.
        """
        if (file, line) not in self._defined:
            self._defined[file, line] = _definition(self.lines(file), line) or self.tree(file)
        return self._defined[file, line]

    def expression(self, location: Location) -> str:
        """The source text of a location, white space folded to single blanks; the whole line without columns."""
        if location.column is None or location.end_line is None or location.end_column is None:
            return self.line(location.file, location.line).strip()
        lines = self.lines(location.file)[location.line - 1 : location.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: location.end_column]
        lines[0] = lines[0][location.column :]
        return " ".join("".join(lines).split())

    def statement(self, location: Location) -> ast.stmt | None:
        """The innermost statement that holds the location's first line; of several on a line, its first column."""
        parsed = self._parsed(location.file)
        found = parsed.statements_by_line.get(location.line)
        if found is None or location.column is None or found.lineno < location.line:
            return found
        text = self.line(location.file, location.line)
        here = location.line, len(text[: location.column].encode())
        beside = [node for node in parsed.beginning.get(location.line, ()) if _holds(node, here)]
        return _innermost(beside or [node for node in parsed.statements if _holds(node, here)], location.line) or found

    def first_lines(self, file: str) -> dict[int, int]:
        """By line, the first line of the innermost statement, or head of a block, that stands there."""
        return {line: found.lineno for line, found in self._parsed(file).statements_by_line.items()}

    def statements(self, location: Location) -> list[ast.stmt]:
        """The innermost statement at a location; without a column all that begin on the same line as that one."""
        found = self.statement(location)
        if found is None or location.column is not None:
            return [] if found is None else [found]
        return self._parsed(location.file).beginning[found.lineno]

    def function(self, location: Location, lambdas: bool = True) -> Function | None:
        """The innermost function that holds the location; None at module level."""
        parsed = self._parsed(location.file)
        return (parsed.functions_by_line if lambdas else parsed.defs_by_line).get(location.line)

    def place(self, file: str, node: ast.expr | ast.stmt) -> Location:
        """The range of a syntax tree's node; of a compound statement its first line. Trees count bytes, we do not."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        if hasattr(node, "body") and isinstance(node, ast.stmt):
            end_line, end = node.lineno, len(self.line(file, node.lineno).rstrip(" :").encode())
        start = Location(file=file, line=node.lineno)
        inside = self.function(start)
        return Location(
            file=file,
            line=node.lineno,
            column=self.column(file, node.lineno, node.col_offset),
            end_line=end_line,
            end_column=self.column(file, end_line, end),
            function=getattr(inside, "name", "<lambda>") if inside is not None else "<module>",
        )

    def opening(self, file: str, block: ast.With, name: str) -> Location:
        """Where a `with` opens what it gives this name: of several items that one alone."""
        if len(block.items) > 1:
            for item in block.items:
                if ast.unparse(item.optional_vars or item.context_expr) == name:
                    return self.place(file, item.context_expr)
        return self.place(file, block)

    def column(self, file: str, line: int, column: int) -> int:
        """A column of a syntax tree as one of ours."""
        return source_text.code_points(self.line(file, line), column)

    def names(self, location: Location) -> tuple[str, ...]:
        """The names that the statements at this location bind by assignment, in source order."""
        targets: list[ast.expr] = []
        for statement in self.statements(location):
            if isinstance(statement, ast.Assign):
                targets += statement.targets
            elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
                targets.append(statement.target)
        return tuple(
            ast.unparse(node)
            for target in targets
            for node in ([*target.elts] if isinstance(target, (ast.Tuple, ast.List)) else [target])
        )

    def name(self, location: Location) -> str:
        """What an assignment calls the value at exactly this location: `b`, `self.scale`, `heads[1]`; else empty.

        Without columns only the one call of an assignment with one target is certain to be meant.
        """
        named: list[tuple[str, ast.expr]] = []
        for statement in self.statements(location):
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if isinstance(statement, ast.AnnAssign):
                targets = [statement.target]
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                named += _named(targets[0], statement.value)
        if location.column is None:
            return named[0][0] if len(named) == 1 and isinstance(named[0][1], ast.Call) else ""
        wanted = location.line, location.column, location.end_line, location.end_column
        places = ((name, self.place(location.file, value)) for name, value in named)
        found = (name for name, at in places if (at.line, at.column, at.end_line, at.end_column) == wanted)
        return next(found, "")

    def assignment(self, location: Location, names: set[str]) -> Location | None:
        """The last assignment to one of `names` above a location, in the same function or module."""
        scope = self.function(location) or self.tree(location.file)
        found: ast.Assign | None = None
        for node in walked(scope) if scope is not None else ():
            if (
                isinstance(node, ast.Assign)
                and node.lineno <= location.line
                and any(isinstance(each, ast.Name) and each.id in names for t in node.targets for each in ast.walk(t))
                and (found is None or node.lineno > found.lineno)
            ):
                found = node
        return None if found is None else Location(file=location.file, line=found.lineno, column=found.col_offset)


class _Parsed:
    """A text as syntax; `tree` is None where it has none."""

    def __init__(self, tree: ast.Module | None) -> None:
        self.tree = tree

    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return () if self.tree is None else tuple(ast.walk(self.tree))

    @functools.cached_property
    def statements(self) -> list[ast.stmt]:
        return [node for node in self.nodes if isinstance(node, ast.stmt)]

    @functools.cached_property
    def beginning(self) -> dict[int, list[ast.stmt]]:
        """The statements that begin on a line."""
        found: dict[int, list[ast.stmt]] = {}
        for node in self.statements:
            found.setdefault(node.lineno, []).append(node)
        return found

    @functools.cached_property
    def calls_by_line(self) -> dict[int, list[ast.Call]]:
        found: dict[int, list[ast.Call]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Call):
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    found.setdefault(line, []).append(node)
        return found

    @functools.cached_property
    def statements_by_line(self) -> dict[int, ast.stmt]:
        return _by_line(self.statements)

    @functools.cached_property
    def functions_by_line(self) -> dict[int, Function]:
        return _by_line(
            [node for node in self.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))]
        )

    @functools.cached_property
    def defs_by_line(self) -> dict[int, Function]:
        return _by_line([node for node in self.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))])


@functools.lru_cache(maxsize=_REMEMBERED)
def _parsed(text: str) -> _Parsed:
    try:
        return _Parsed(ast.parse(text) if text else None)
    except UNPARSED:
        return _Parsed(None)


def _definition(lines: list[str], line: int) -> ast.Module | None:
    """The `def` that begins on a line, parsed without the rest of its file."""
    body = lines[line - 1 :]
    margin = _margin(body[0]) if body else 0
    if not body or (margin and line < 2):
        return None
    above = "\n" * (line - 2) + "if True:\n" if margin else "\n" * (line - 1)
    ends = (
        at for at, each in enumerate(body) if at and each.strip() and each.strip()[0] != "#" and _margin(each) <= margin
    )
    for end in itertools.islice(itertools.chain(ends, [len(body)]), _TRIED):
        try:
            tree = ast.parse(above + "".join(body[:end]))
        except UNPARSED:  # it goes on behind a decorator, a bracket, or a string
            continue
        if not tree.body:  # a comment alone
            return None
        found = tree.body[0].body if margin and isinstance(tree.body[0], ast.If) else tree.body
        return ast.Module(found, []) if isinstance(found[0], (ast.FunctionDef, ast.AsyncFunctionDef)) else None
    return None


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _named(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    """What an assignment to a target calls its value, or the parts of that, where both are written out."""
    if isinstance(target, (ast.Tuple, ast.List)):
        values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        if len(values) != len(target.elts) or any(isinstance(each, ast.Starred) for each in (*values, *target.elts)):
            return []
        return [found for pair in zip(target.elts, values, strict=True) for found in _named(*pair)]
    name = ast.unparse(target)
    if isinstance(value, (ast.Tuple, ast.List)) and not any(isinstance(each, ast.Starred) for each in value.elts):
        return [(f"{name}[{at}]", each) for at, each in enumerate(value.elts)]
    if isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) for key in value.keys):
        keys = [key.value for key in value.keys if isinstance(key, ast.Constant)]
        return [(f"{name}[{key!r}]", each) for key, each in zip(keys, value.values, strict=True)]
    return [(name, value)]


def _holds(node: ast.stmt, place: tuple[int, int]) -> bool:
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return (node.lineno, node.col_offset) <= place < end


def _by_line(nodes: list[_Node]) -> dict[int, _Node]:
    """By line, what `_innermost` finds there: many places are asked for in long files."""
    found: dict[int, _Node] = {}
    for node in sorted(nodes, key=lambda each: each.lineno):
        found.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node))
    return found


def _innermost(nodes: list[_Node], line: int) -> _Node | None:
    """Of nodes in the order of a walk from the outside in, the last that begins latest and holds a line."""
    best: _Node | None = None
    for node in nodes:
        if node.lineno <= line <= (node.end_lineno or node.lineno) and (best is None or node.lineno >= best.lineno):
            best = node
    return best
