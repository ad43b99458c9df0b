"""A file as concrete syntax, and edits of single nodes of it: all other text keeps its formatting and its comments."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.concrete import statements
from tensorwhy.source.files import UNPARSED, Sources

Node = TypeVar("Node", bound=cst.Node)
Function = cst.FunctionDef | cst.Lambda
Span = tuple[tuple[int, int], tuple[int, int]]
_VERSIONED = re.compile(r"^tensorflow\.compat\.v[12]((?:\..*)?)$")


class Tree:
    """One parsed file. Lines are 1-based; columns are 0-based and count code points, as in reports."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.module = statements.module(text)
        self._lines = text.removesuffix("\n").split("\n")  # Python ends no line at a form feed

    def span(self, node: cst.Node) -> Span:
        """Where a node stands, parentheses around it left out."""
        return node.source.place(node.start), node.source.place(node.end)

    def line(self, node: cst.Node) -> int:
        return self.span(node)[0][0]

    def text(self, node: cst.Node) -> str:
        """The node's source text."""
        return node.text.strip()

    def parent(self, node: cst.Node) -> cst.Node | None:
        return node.parent

    def above(self, node: cst.Node, *kinds: type[Node]) -> Node | None:
        """The nearest node of these kinds that holds this one."""
        found = self.parent(node)
        while found is not None and not isinstance(found, kinds):
            found = self.parent(found)
        return found

    def statement(self, node: cst.Node) -> cst.SimpleStatementLine | None:
        """The simple statement that a node is, or is part of."""
        return node if isinstance(node, cst.SimpleStatementLine) else self.above(node, cst.SimpleStatementLine)

    def function(self, node: cst.Node) -> cst.FunctionDef | None:
        """The `def` around a node."""
        return self.above(node, cst.FunctionDef)

    def scope(self, node: cst.Node) -> cst.FunctionDef | cst.Module:
        """The `def` around a node, or the module."""
        return self.function(node) or self.module

    def inside(self, node: cst.Node, *kinds: type[Node]) -> Iterator[Node]:
        """All nodes of these kinds in a node, itself included, in the order of the text."""
        return (each for each in node.walk() if isinstance(each, kinds))

    def at(self, location: Location | None, *kinds: type[Node]) -> list[Node]:
        """The nodes of these kinds that stand in a location's range, or on its line, the outermost first."""
        if location is None or location.file != self.file:
            return []
        start = (location.line, location.column or 0)
        end = (location.end_line or location.line, 1 << 30)
        if location.column is not None and location.end_column is not None:
            end = (end[0], location.end_column)
        elif location.column is not None:
            start = (location.line, 0)
        found = []
        for node in self.inside(self.module, *kinds):
            begins, ends = self.span(node)
            within = start <= begins and ends <= end
            if within or (begins[0] == location.line and isinstance(node, cst.CompoundStatement)):
                found.append(node)
        return found

    def statements_at(self, location: Location | None) -> list[cst.SimpleStatementLine]:
        """The simple statements that begin before or on a location's line and end on or behind it."""
        if location is None or location.file != self.file:
            return []
        found = []
        for node in self.inside(self.module, cst.SimpleStatementLine):
            (begins, _), (ends, _) = self.span(node)
            if begins <= location.line <= ends:
                found.append(node)
        return found

    def indentation(self, node: cst.Node) -> str:
        """The white space before a statement."""
        text = self._lines[self.line(node) - 1]
        return text[: len(text) - len(text.lstrip())]

    def replaced(self, node: cst.Node, text: str) -> Edit:
        """This text in place of a node."""
        start, end = self.span(node)
        return self._edit(start, end, text)

    def instead(self, node: cst.Node, text: str) -> Edit:
        """An expression's text in place of a node, in parentheses where an operator beside it could split it."""
        alone = isinstance(
            self.parent(node), (cst.Assign, cst.AnnAssign, cst.Return, cst.Arg, cst.Element, cst.ListComp)
        )
        return self.replaced(node, text if alone or text.isidentifier() else f"({text})")

    def appended(self, node: cst.Node, text: str) -> Edit:
        """This text directly behind a node."""
        end = self.span(node)[1]
        return self._edit(end, end, text)

    def prefixed(self, node: cst.Node, text: str) -> Edit:
        """This text directly before a node."""
        start = self.span(node)[0]
        return self._edit(start, start, text)

    def before(self, statement: cst.Node, *lines: str) -> Edit:
        """Whole lines before a statement, indented as it is; before its decorators, and the comment that it has."""
        line, indent = self.line(statement), self.indentation(statement)
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)) and statement.decorators:
            line = self.line(statement.decorators[0])
        while line > 1 and self._lines[line - 2].startswith(indent + "#"):
            line -= 1
        text = "".join(f"{indent}{each}\n" if each else "\n" for each in lines)
        return self._edit((line, 0), (line, 0), text)

    def after(self, statement: cst.Node, *lines: str) -> Edit:
        """Whole lines behind a statement, indented as it is."""
        line = self.span(statement)[1][0] + 1
        text = "".join(f"{self.indentation(statement)}{each}\n" if each else "\n" for each in lines)
        if line > len(self._lines):  # the last line, which may lack its end
            end = self.span(statement)[1]
            return self._edit(end, end, "\n" + text.rstrip("\n"))
        return self._edit((line, 0), (line, 0), text)

    def comment(self, statement: cst.SimpleStatementLine) -> str:
        """The comment behind a statement, with the white space before it; empty where there is none."""
        return statement.comment

    def removed(self, statement: cst.Node) -> Edit | None:
        """Take a whole statement out, lines and all. None where other text shares its lines or it is all of a block.

        Of blank lines before and behind it only those before it stay.
        """
        (first, column), (last, end) = self.span(statement)
        body = self.parent(statement)
        if isinstance(body, cst.IndentedBlock) and len(body.body) == 1:
            return None
        before, after = self._lines[first - 1][:column], self._lines[last - 1][end:]
        if before.strip() or (after.strip() and not after.lstrip().startswith("#")) or last >= len(self._lines):
            return None
        above = self._lines[first - 2].strip() if first > 1 else ""
        while (not above or above.endswith(":")) and last + 1 < len(self._lines) and not self._lines[last].strip():
            last += 1
        return self._edit((first, 0), (last + 1, 0), "")

    def lines(self, first: int, last: int, lines: Iterable[str]) -> Edit:
        """Other lines in the place of some whole ones."""
        return self._edit((first, 0), (last, len(self._lines[last - 1])), "\n".join(lines))

    def _edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> Edit:
        return Edit(
            file=self.file,
            start=Position(line=start[0], column=start[1]),
            end=Position(line=end[0], column=end[1]),
            replacement=text,
        )

    @functools.cached_property
    def imports(self) -> dict[str, str]:
        """What the imported names of this file stand for: `np` → `numpy`, `Dense` → `keras.layers.Dense`.

        `tensorflow.compat.v1` counts as TensorFlow: what edits use of it is there, too.
        """
        found: dict[str, str] = {}
        nodes: list[cst.Import | cst.ImportFrom] = [*self.inside(self.module, cst.Import)]
        nodes += self.inside(self.module, cst.ImportFrom)
        for node in nodes:
            base = ""
            if isinstance(node, cst.ImportFrom):
                if node.relative or node.module is None:
                    continue
                base = self.text(node.module) + "."
            for alias in () if isinstance(node.names, cst.ImportStar) else node.names:
                name = self.text(alias.name)
                if alias.asname is not None:
                    found[self.text(alias.asname.name)] = base + name
                elif base:
                    found[name] = base + name
                else:
                    found.setdefault(name.partition(".")[0], name.partition(".")[0])
        return {name: _VERSIONED.sub(r"tensorflow\1", meant) for name, meant in found.items()}

    def canonical(self, node: cst.Node) -> str:
        """The full name of what an expression like `np.linalg.norm` names; empty for anything else."""
        words = []
        while isinstance(node, cst.Attribute):
            words.append(node.attr.value)
            node = node.value
        if not isinstance(node, cst.Name) or node.value not in self.imports:
            return ""
        return ".".join([self.imports[node.value], *reversed(words)])

    def importing(self, line: str) -> Edit | None:
        """One more import, behind the last that stands at the top of the module. None where there is none."""
        last: cst.SimpleStatementLine | None = None
        for each in self.module.body:
            if isinstance(each, cst.SimpleStatementLine) and isinstance(each.body[0], (cst.Import, cst.ImportFrom)):
                last = each
        return self.after(last, line) if last is not None else None

    def spelled(self, module: str) -> str:
        """How this file calls a module; empty where it does not import it."""
        return next((name for name, meant in self.imports.items() if meant == module), "")


def tree(file: str, sources: Sources) -> Tree | None:
    """The parsed file; None when it cannot be parsed."""
    return _parsed(file, sources.text(file))


@functools.lru_cache(maxsize=8)
def _parsed(file: str, text: str) -> Tree | None:
    try:
        return Tree(file, text) if text else None
    except UNPARSED:
        return None


def names(node: cst.Node) -> set[str]:
    """All plain names that occur in a node, those of attributes and keywords left out."""
    found: set[str] = set()
    if isinstance(node, cst.Name):
        return {node.value}
    if isinstance(node, cst.Attribute):
        return names(node.value)
    if isinstance(node, cst.Arg):
        return names(node.value)
    for child in node.children:
        found |= names(child)
    return found


def argument(call: cst.Call, position: int, *keywords: str) -> cst.Arg | None:
    """An argument by its name or its position."""
    for each in call.args:
        if each.keyword is not None and each.keyword.value in keywords:
            return each
    plain = [each for each in call.args if each.keyword is None and not each.star]
    return plain[position] if position < len(plain) == len([e for e in call.args if e.keyword is None]) else None


def called(call: cst.Call) -> str:
    """The last part of what is called: `round` for `tf.round(x)`."""
    function = call.func
    if isinstance(function, cst.Attribute):
        return function.attr.value
    return function.value if isinstance(function, cst.Name) else ""


def simple(node: cst.Expression) -> bool:
    """Return whether an expression can stand beside any operator without parentheses."""
    kinds = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString, cst.Integer, cst.Float, cst.List)
    return isinstance(node, kinds) or node.parens > 0


def target(statement: cst.SimpleStatementLine) -> cst.Expression | None:
    """What an assignment of one target binds."""
    small = statement.body[0] if len(statement.body) == 1 else None
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        return small.targets[0].target
    return small.target if isinstance(small, cst.AnnAssign) else None


def value(statement: cst.SimpleStatementLine) -> cst.Expression | None:
    """The right side of an assignment, or the expression that is a statement."""
    small = statement.body[0] if len(statement.body) == 1 else None
    return small.value if isinstance(small, (cst.Assign, cst.AnnAssign, cst.Expr)) else None


def defined(node: cst.Expression, here: Tree, sources: Sources) -> tuple[Tree, cst.FunctionDef] | None:
    """The function that is called by this, and its file: this one, or a module beside it that this one imports."""
    name = node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""
    module, _, imported = here.canonical(node).rpartition(".")
    there: Tree | None = here
    if module:
        beside = Path(here.file).parent.joinpath(*module.split(".")).with_suffix(".py")
        there, name = tree(str(beside), sources), imported
    found = [each for each in there.inside(there.module, cst.FunctionDef) if each.name.value == name] if there else []
    return (there, found[0]) if there is not None and len(found) == 1 else None


def fresh(wanted: str, tree: Tree, node: cst.Node) -> str:
    """A name like this one that nothing in the scope of a node uses."""
    taken = names(tree.scope(node))
    name = wanted
    while name in taken:
        name += "_"
    return name


def documented(block: cst.Block) -> bool:
    """Return whether a block begins with a docstring."""
    first = block.body[0] if block.body else None
    small = first.body[0] if isinstance(first, cst.SimpleStatementLine) else first
    return isinstance(small, cst.Expr) and isinstance(small.value, (cst.SimpleString, cst.ConcatenatedString))
