"""A file as a concrete syntax tree: Python's own tree, with what edits need and that leaves out.

Arguments, elements, targets and blocks are nodes of their own here, as names are; an expression knows the parentheses
around it, and every node its text. The kinds are called as in LibCST, which takes ten times as long to load and to read
a file: a program that dies waits for this. Operators are those of `ast`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.source.concrete.source import Source, closed, opened

_ENDLESS = 1 << 62


class Node:
    """A part of a program, from `start` to `end`, its children in the order of the text."""

    source: Source
    parent: Node | None = None

    def __init__(self, source: Source, start: int, end: int, **fields: Any) -> None:
        self.source, self.start, self.end = source, start, end
        self.children: list[Node] = []
        for name, held in fields.items():
            setattr(self, name, held)
            for each in held if type(held) is list else (held,):
                if isinstance(each, Node):
                    each.parent = self
                    self.children.append(each)

    @property
    def outer(self) -> tuple[int, int]:
        """From where to where it stands with all that belongs to it alone."""
        return self.start, self.end

    @property
    def text(self) -> str:
        """Its text, parentheses around it included; the further lines of it without the indentation of its block."""
        start, end = self.outer
        return self.dedented(start, end)

    def dedented(self, start: int, end: int) -> str:
        """A part of the text of a node, its further lines without the indentation of its block."""
        text = self.source.text[start:end]
        indent = self._indentation() if "\n" in text else ""
        if not indent:
            return text
        strings = [each for each in self.walk() if isinstance(each, (SimpleString, FormattedString))]
        lines: list[str] = []
        at = start
        for line in text.split("\n"):
            kept = at == start or lines[-1].endswith("\\") or any(each.start < at < each.end for each in strings)
            lines.append(line if kept else line.removeprefix(indent))
            at += len(line) + 1
        return "\n".join(lines)

    def rewritten(self, parts: Iterable[tuple[Node, str]]) -> str:
        """Its text with some parts of it replaced; of no two does one hold the other."""
        at, end = self.outer
        pieces = []
        for part, text in sorted(parts, key=lambda each: each[0].start):
            first, last = part.outer
            if at <= first and last <= end:
                pieces += [self.dedented(at, first), text]
                at = last
        return "".join([*pieces, self.dedented(at, end)])

    def walk(self) -> Iterator[Node]:
        """The node and all in it, in the order of the text."""
        stack: list[Node] = [self]
        while stack:
            each = stack.pop()
            yield each
            stack += reversed(each.children)

    def _indentation(self) -> str:
        """The white space before the statements of the block that holds this."""
        block = self.parent
        while block is not None and not isinstance(block, IndentedBlock):
            block = block.parent
        return "" if block is None else self.source.text[self.source.beginning(block.start) : block.start]


class Expression(Node):
    """What has a value. `start` and `end` leave out the parentheses around it, those of a tuple included."""

    parens = 0
    _outer: tuple[int, int] | None = None

    @property
    def outer(self) -> tuple[int, int]:
        return self._outer or (self.start, self.end)

    def enclosed(self, low: int = 0, high: int = _ENDLESS) -> Expression:
        """Take the parentheses around it, none of them before `low` or behind `high`."""
        text, start, end = self.source.text, self.start, self.end
        while True:
            before, behind = opened(text, start), closed(text, end)
            if before < low or behind < 0 or behind >= high:
                break
            start, end, self.parens = before, behind + 1, self.parens + 1
        if self.parens:
            self._outer = (start, end)
        return self

    @property
    def bare(self) -> str:
        """Its text without parentheses around it."""
        return self.dedented(self.start, self.end)


class Name(Expression):
    value: str


class Integer(Expression):
    value: str


class Float(Expression):
    value: str


class SimpleString(Expression):
    value: str
    evaluated_value: str | bytes


class FormattedStringText(Node):
    value: str


class FormattedStringExpression(Node):
    expression: Expression


class FormattedString(Expression):
    parts: list[Node]


class ConcatenatedString(Expression):
    strings: list[Expression]


class Attribute(Expression):
    value: Expression
    attr: Name


class Index(Node):
    value: Expression


class SubscriptElement(Node):
    slice: Node


class Subscript(Expression):
    value: Expression
    slice: list[SubscriptElement]


class Arg(Node):
    keyword: Name | None
    value: Expression
    star: str


class Call(Expression):
    func: Expression
    args: list[Arg]


class Element(Node):
    value: Expression


class StarredElement(Expression):
    value: Expression


class _Display(Expression):
    elements: list[Element]


class Tuple(_Display):
    pass


class List(_Display):
    pass


class Set(_Display):
    pass


class Dict(Expression):
    elements: list[Node]


class CompFor(Node):
    target: Expression
    iter: Expression


class ListComp(Expression):
    pass


class GeneratorExp(Expression):
    pass


class UnaryOperation(Expression):
    operator: ast.unaryop
    expression: Expression


class BinaryOperation(Expression):
    left: Expression
    operator: ast.operator
    right: Expression


class BooleanOperation(Expression):
    left: Expression
    operator: ast.boolop
    right: Expression


class ComparisonTarget(Node):
    operator: ast.cmpop
    comparator: Expression


class Comparison(Expression):
    left: Expression
    comparisons: list[ComparisonTarget]


class NamedExpr(Expression):
    target: Expression
    value: Expression


class Param(Node):
    name: Name
    default: Expression | None


class Parameters(Node):
    params: list[Param]
    kwonly_params: list[Param]


class Lambda(Expression):
    params: Parameters
    body: Expression


class SmallStatement(Node):
    """A statement that holds no others."""


class Expr(SmallStatement):
    value: Expression


class AssignTarget(Node):
    target: Expression


class Assign(SmallStatement):
    targets: list[AssignTarget]
    value: Expression


class AnnAssign(SmallStatement):
    target: Expression
    value: Expression | None


class AugAssign(SmallStatement):
    target: Expression
    operator: ast.operator
    value: Expression


class Return(SmallStatement):
    value: Expression | None


class Raise(SmallStatement):
    exc: Expression | None


class NameItem(Node):
    name: Name


class AsName(Node):
    name: Expression


class ImportAlias(Node):
    name: Expression
    asname: AsName | None


class Import(SmallStatement):
    names: list[ImportAlias]


class ImportStar(Node):
    pass


class ImportFrom(SmallStatement):
    relative: int
    module: Expression | None
    names: list[ImportAlias] | ImportStar


class Statement(Node):
    """What stands in a block."""


class SimpleStatementLine(Statement):
    """The small statements of one line."""

    body: list[SmallStatement]

    @property
    def text(self) -> str:
        """With the comments above it and behind it."""
        above, at = [], self.source.beginning(self.start)
        indent = self.source.text[at : self.start]
        while at > 0:
            before = self.source.beginning(at - 1)
            line = self.source.text[before : at - 1]
            if line.strip() and not line.startswith(f"{indent}#"):
                break
            above.append(line[len(indent) :])
            at = before
        return "\n".join([*reversed(above), self.dedented(self.start, self.end) + self.comment])

    @property
    def comment(self) -> str:
        """The comment behind it, with the white space before it; empty where there is none."""
        line = self.source.text[self.end :].partition("\n")[0]
        return line.rstrip("\r") if line.lstrip(" \t;").startswith("#") else ""


class CompoundStatement(Statement):
    body: Block


class Block(Node):
    """The statements below a line that ends with a colon, or behind it."""

    body: list[Any]


class IndentedBlock(Block):
    body: list[Statement]


class SimpleStatementSuite(Block):
    body: list[SmallStatement]


class Else(Node):
    body: Block


class If(CompoundStatement):
    test: Expression
    orelse: If | Else | None


class While(CompoundStatement):
    test: Expression


class For(CompoundStatement):
    target: Expression
    iter: Expression
    asynchronous: bool


class WithItem(Node):
    item: Expression
    asname: AsName | None


class With(CompoundStatement):
    items: list[WithItem]


class Decorator(Node):
    decorator: Expression


class FunctionDef(CompoundStatement):
    name: Name
    params: Parameters
    decorators: list[Decorator]
    asynchronous: bool


class ClassDef(CompoundStatement):
    name: Name
    bases: list[Arg]
    decorators: list[Decorator]
    called: bool
    """Whether parentheses stand behind its name."""


class Module(Node):
    body: list[Statement]
