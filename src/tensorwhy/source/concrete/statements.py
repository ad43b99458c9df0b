"""A program's text as concrete syntax: the statements of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.concrete.expressions import Reader
from tensorwhy.source.concrete.source import Source

_DEF = re.compile(r"(?:async\b[\s\\]*)?(?:def|class)\b[\s\\]*")
_FROM = re.compile(r"from\b[\s\\]*[.\s\\]*")
_WORD = re.compile(r"[^\W\d]\w*")
_PARENTHESIS = re.compile(r"\s*(?:\[[^()]*\]\s*)?\(")


def module(text: str) -> cst.Module:
    """The whole program. Raises SyntaxError, and ValueError for text that is no program at all."""
    reader = _Reader(Source(text), text)
    return cst.Module(reader._source, 0, len(text), body=reader.lines(ast.parse(text).body))


def expression(text: str) -> cst.Expression:
    """One expression."""
    return Reader(Source(text), text).expression(ast.parse(text, mode="eval").body)


class _Reader(Reader):
    def lines(self, nodes: Sequence[ast.stmt]) -> list[cst.Statement]:
        """Statements, the small ones with the others of their line."""
        found: list[cst.Statement] = []
        line: list[cst.SmallStatement] = []
        last = 0
        for number, each in enumerate(nodes):
            made = self.statement(each)
            if isinstance(made, cst.Statement):
                found.append(made)
                continue
            line.append(made)
            last = each.end_lineno or 0
            following = nodes[number + 1] if number + 1 < len(nodes) else None
            if following is None or following.lineno != last:
                found.append(cst.SimpleStatementLine(self._source, line[0].start, line[-1].end, body=line))
                line = []
        return found

    def statement(self, node: ast.stmt) -> cst.Statement | cst.SmallStatement:
        make = getattr(self, f"_{type(node).__name__}", None)
        found = (make or self._unknown)(node, self._start(node), self._end(node))
        assert isinstance(found, (cst.Statement, cst.SmallStatement))
        return found

    def _unknown(self, node: Any, start: int, end: int) -> cst.Node:
        """A kind of statement that no edit asks for."""
        clauses = [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]
        blocks: list[cst.Node] = [self._block(node.body)] if getattr(node, "body", None) else []
        blocks += map(self._clause, clauses)
        blocks += [each] if (each := self._else(getattr(node, "orelse", []))) is not None else []
        blocks += [self._block(node.finalbody)] if getattr(node, "finalbody", None) else []
        if not blocks:
            return cst.SmallStatement(self._source, start, end, held=self._held(node))
        subject = getattr(node, "subject", None)
        held = [self.expression(subject)] if subject is not None else []
        found = cst.CompoundStatement(self._source, start, end, held=held, blocks=blocks)
        found.body = next(
            (each for each in blocks if isinstance(each, cst.Block)), cst.Block(self._source, end, end, body=[])
        )
        return found

    def _clause(self, node: Any) -> cst.Node:
        """What an `except` or a `case` holds."""
        held: list[cst.Node] = []
        for each in (getattr(node, name, None) for name in ("type", "pattern", "guard")):
            if each is not None:
                held += [self.expression(each)] if isinstance(each, ast.expr) else self._held(each)
        block = self._block(node.body)
        start = self._start(node) if hasattr(node, "lineno") else held[0].start
        if isinstance(getattr(node, "name", None), str):
            at = self._source.text.find(node.name, held[-1].end if held else start)
            name = self._name(node.name, at)
            held.append(cst.AsName(self._source, name.start, name.end, name=name))
        return cst.Node(self._source, start, block.end, held=held, block=block)

    def _block(self, nodes: Sequence[ast.stmt]) -> cst.Block:
        start = self._start(nodes[0])
        decorators = getattr(nodes[0], "decorator_list", ())
        first = min([start, *map(self._start, decorators)])
        if self._source.text[self._source.beginning(first) : first].strip(" \t\f@"):
            small = [each for each in map(self.statement, nodes) if isinstance(each, cst.SmallStatement)]
            return cst.SimpleStatementSuite(self._source, start, small[-1].end, body=small)
        body = self.lines(nodes)
        return cst.IndentedBlock(self._source, body[0].start, body[-1].end, body=body)

    def _else(self, nodes: Sequence[ast.stmt]) -> cst.Else | None:
        block = self._block(nodes) if nodes else None
        return cst.Else(self._source, block.start, block.end, body=block) if block is not None else None

    def _Expr(self, node: ast.Expr, start: int, end: int) -> cst.Node:
        return cst.Expr(self._source, start, end, value=self.expression(node.value))

    def _Assign(self, node: ast.Assign, start: int, end: int) -> cst.Node:
        made = self._all(node.targets)
        targets = [cst.AssignTarget(self._source, *each.outer, target=each) for each in made]
        return cst.Assign(self._source, start, end, targets=targets, value=self.expression(node.value))

    def _AnnAssign(self, node: ast.AnnAssign, start: int, end: int) -> cst.Node:
        target, said = self.expression(node.target), self._wrapped(node.annotation)
        value = self.expression(node.value) if node.value is not None else None
        return cst.AnnAssign(self._source, start, end, target=target, annotation=said, value=value)

    def _AugAssign(self, node: ast.AugAssign, start: int, end: int) -> cst.Node:
        target, value = self.expression(node.target), self.expression(node.value)
        return cst.AugAssign(self._source, start, end, target=target, operator=node.op, value=value)

    def _Return(self, node: ast.Return, start: int, end: int) -> cst.Node:
        value = self.expression(node.value) if node.value is not None else None
        return cst.Return(self._source, start, end, value=value)

    def _Raise(self, node: ast.Raise, start: int, end: int) -> cst.Node:
        raised = self.expression(node.exc) if node.exc is not None else None
        cause = self._wrapped(node.cause) if node.cause is not None else None
        return cst.Raise(self._source, start, end, exc=raised, cause=cause)

    def _Global(self, node: ast.Global | ast.Nonlocal, start: int, end: int) -> cst.Node:
        words = list(_WORD.finditer(self._source.text, start, end))[1:]
        items = [cst.NameItem(self._source, *each.span(), name=self._name(each[0], each.start())) for each in words]
        return cst.SmallStatement(self._source, start, end, names=items)

    _Nonlocal = _Global

    def _Import(self, node: ast.Import, start: int, end: int) -> cst.Node:
        return cst.Import(self._source, start, end, names=[self._alias(each) for each in node.names])

    def _ImportFrom(self, node: ast.ImportFrom, start: int, end: int) -> cst.Node:
        module = self._dotted(node.module, self._behind(_FROM, start)) if node.module else None
        names: Any = [self._alias(each) for each in node.names if each.name != "*"]
        names = names or cst.ImportStar(self._source, end - 1, end)
        return cst.ImportFrom(self._source, start, end, relative=node.level, module=module, names=names)

    def _alias(self, node: ast.alias) -> cst.ImportAlias:
        start, end = self._start(node), self._end(node)
        name, asname = self._dotted(node.name, start), None
        if node.asname is not None:
            called = self._name(node.asname, end - len(node.asname))
            asname = cst.AsName(self._source, name.end, end, name=called)
        return cst.ImportAlias(self._source, start, end, name=name, asname=asname)

    def _dotted(self, name: str, start: int) -> cst.Expression:
        """The name of a module."""
        first, *rest = name.split(".")
        found: cst.Expression = self._name(first, start)
        for each in rest:
            attr = self._name(each, found.end + 1)
            found = cst.Attribute(self._source, start, attr.end, value=found, attr=attr)
        return found

    def _If(self, node: ast.If, start: int, end: int) -> cst.Node:
        test, body = self.expression(node.test), self._block(node.body)
        continued = self._continued(node)
        orelse: cst.Node | None = self.statement(node.orelse[0]) if continued else self._else(node.orelse)
        return cst.If(self._source, start, end, test=test, body=body, orelse=orelse)

    def _continued(self, node: ast.If) -> bool:
        """Return whether an `elif` follows."""
        first = node.orelse[0] if node.orelse else None
        return isinstance(first, ast.If) and self._source.text.startswith("elif", self._start(first))

    def _While(self, node: ast.While, start: int, end: int) -> cst.Node:
        test, body = self.expression(node.test), self._block(node.body)
        return cst.While(self._source, start, end, test=test, body=body, orelse=self._else(node.orelse))

    def _For(self, node: ast.For | ast.AsyncFor, start: int, end: int) -> cst.Node:
        target, over = self.expression(node.target), self.expression(node.iter)
        later, body = isinstance(node, ast.AsyncFor), self._block(node.body)
        fields: dict[str, Any] = {"target": target, "iter": over, "body": body, "orelse": self._else(node.orelse)}
        return cst.For(self._source, start, end, asynchronous=later, **fields)

    _AsyncFor = _For

    def _With(self, node: ast.With | ast.AsyncWith, start: int, end: int) -> cst.Node:
        items = []
        for each in node.items:
            item = self.expression(each.context_expr)
            target = self.expression(each.optional_vars) if each.optional_vars is not None else None
            asname = cst.AsName(self._source, *target.outer, name=target) if target is not None else None
            last = (target or item).outer[1]
            items.append(cst.WithItem(self._source, item.outer[0], last, item=item, asname=asname))
        return cst.With(self._source, start, end, items=items, body=self._block(node.body))

    _AsyncWith = _With

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, start: int, end: int) -> cst.Node:
        decorators = self._decorators(node)
        name = self._name(node.name, self._behind(_DEF, start))
        params = self._parameters(node.args, name.end)
        returns = self._wrapped(node.returns) if node.returns is not None else None
        later, body = isinstance(node, ast.AsyncFunctionDef), self._block(node.body)
        fields: dict[str, Any] = {"decorators": decorators, "name": name, "params": params, "returns": returns}
        return cst.FunctionDef(self._source, start, end, asynchronous=later, **fields, body=body)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef, start: int, end: int) -> cst.Node:
        decorators = self._decorators(node)
        name = self._name(node.name, self._behind(_DEF, start))
        low = self._behind(_PARENTHESIS, name.end)
        bases, body = self._args(node.bases, node.keywords, low, 1 << 62), self._block(node.body)
        fields: dict[str, Any] = {"decorators": decorators, "name": name, "bases": bases, "body": body}
        return cst.ClassDef(self._source, start, end, called=low > name.end, **fields)

    def _decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[cst.Decorator]:
        found = []
        for each in node.decorator_list:
            made = self.expression(each)
            start = self._source.text.rfind("@", 0, made.outer[0])
            found.append(cst.Decorator(self._source, start, made.outer[1], decorator=made))
        return found
