"""Expressions as concrete syntax: `ast` parses them, and what that leaves out is read from the text."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from tensorwhy.model import source_text
from tensorwhy.source.concrete import literals
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.concrete.source import Source

_OPENING = re.compile(r"[\s\\]*\(")
_COMMA = re.compile(r"(?:\s|\\|#[^\n]*\n)*,")
_CONSTANTS = (True, False, None)


class Reader:
    """Makes nodes of a text that stands in a source from `shift` on."""

    def __init__(self, source: Source, text: str, shift: int = 0) -> None:
        self._source = source
        self._text = text
        self._own = source if not shift else Source(text)
        self._ascii = text.isascii()
        self._shift = shift

    # Where things stand

    def _offset(self, line: int, column: int) -> int:
        start = self._own.starts[line - 1]
        if not self._ascii:  # Python counts bytes
            row = self._text[start : self._own.starts[line] - 1]
            column = source_text.code_points(row, column)
        return start + column + self._shift

    def _start(self, node: Any) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: Any) -> int:
        return self._offset(node.end_lineno, node.end_col_offset)

    def _name(self, value: str, start: int) -> cst.Name:
        return cst.Name(self._source, start, start + len(value), value=value)

    def _behind(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self._source.text, at)
        return found.end() if found is not None else at

    # Expressions

    def expression(self, node: ast.expr, low: int = 0, high: int = 1 << 62) -> cst.Expression:
        made = getattr(self, f"_{type(node).__name__}", self._other)(node, self._start(node), self._end(node))
        assert isinstance(made, cst.Expression)
        return made.enclosed(low, high)

    def _all(self, nodes: Sequence[ast.expr]) -> list[cst.Expression]:
        return [self.expression(each) for each in nodes]

    def _wrapped(self, node: ast.expr) -> cst.Node:
        """An expression in a node of its own: an annotation, a condition."""
        held = self.expression(node)
        return cst.Node(self._source, *held.outer, held=held)

    def _other(self, node: ast.expr, start: int, end: int) -> cst.Expression:
        """A kind of expression that no edit asks for."""
        return cst.Expression(self._source, start, end, held=self._held(node))

    def _held(self, node: ast.AST) -> list[cst.Node]:
        found: list[cst.Node] = []
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.expr):
                found.append(self.expression(each))
            elif not isinstance(each, (ast.expr_context, ast.operator)):
                found += self._held(each)
        name = getattr(node, "name", None)
        if isinstance(name, str) and isinstance(node, (ast.MatchAs, ast.MatchStar)):
            found.append(self._name(name, self._end(node) - len(name)))
        return sorted(found, key=lambda each: each.start)

    def _Name(self, node: ast.Name, start: int, end: int) -> cst.Expression:
        return cst.Name(self._source, start, end, value=node.id)

    def _Constant(self, node: ast.Constant, start: int, end: int) -> cst.Expression:
        if isinstance(node.value, (str, bytes)):
            return self._string(node, start, end)
        text = self._source.text[start:end]
        if any(node.value is each for each in _CONSTANTS):
            return cst.Name(self._source, start, end, value=text)
        kinds: dict[type, type[cst.Expression]] = {int: cst.Integer, float: cst.Float}
        kind = kinds.get(type(node.value))
        return kind(self._source, start, end, value=text) if kind else cst.Expression(self._source, start, end)

    def _JoinedStr(self, node: ast.JoinedStr, start: int, end: int) -> cst.Expression:
        return self._string(node, start, end)

    _TemplateStr = _JoinedStr

    def _string(self, node: ast.expr, start: int, end: int) -> cst.Expression:
        """One literal, or several beside each other."""
        strings: list[cst.Expression] = []
        text, at = self._source.text, start
        while at < end:
            if text[at] == "#":
                at = text.index("\n", at)
            if text[at] in " \t\n\f\\":
                at += 1
                continue
            found = literals.literal(text, at)
            if found.formatted:
                parts: list[cst.Node] = [
                    cst.FormattedStringText(self._source, *each, value=text[each[0] : each[1]]) for each in found.texts
                ]
                parts += [self._replaced(*each) for each in found.expressions]
                parts.sort(key=lambda each: each.start)
                strings.append(cst.FormattedString(self._source, at, found.end, parts=parts))
            else:
                whole = text[at : found.end]
                said = node.value if isinstance(node, ast.Constant) else ""
                strings.append(cst.SimpleString(self._source, at, found.end, value=whole, evaluated_value=said))
            at = found.end
        if len(strings) == 1:
            return strings[0]
        return cst.ConcatenatedString(self._source, start, end, strings=strings)

    def _replaced(self, start: int, end: int) -> cst.Node:
        """An expression in a formatted string."""
        text = f"({self._source.text[start:end]})"
        inner = Reader(self._source, text, start - 1)
        held = inner.expression(ast.parse(text, mode="eval").body, start)
        return cst.FormattedStringExpression(self._source, start - 1, end + 1, expression=held)

    def _Attribute(self, node: ast.Attribute, start: int, end: int) -> cst.Expression:
        attr = self._name(node.attr, end - len(node.attr))
        return cst.Attribute(self._source, start, end, value=self.expression(node.value), attr=attr)

    def _Subscript(self, node: ast.Subscript, start: int, end: int) -> cst.Expression:
        value = self.expression(node.value)
        index = node.slice
        each = [index]
        if isinstance(index, ast.Tuple) and index.elts:
            whole = self.expression(index)
            if not whole.parens:
                each = index.elts
        return cst.Subscript(self._source, start, end, value=value, slice=[self._index(one) for one in each])

    def _index(self, node: ast.expr) -> cst.SubscriptElement:
        if isinstance(node, ast.Slice):
            start, end = self._start(node), self._end(node)
            held: cst.Node = cst.Node(self._source, start, end, held=self._held(node))
        else:
            value = self.expression(node)
            held = cst.Index(self._source, *value.outer, value=value)
        return cst.SubscriptElement(self._source, held.start, held.end, slice=held)

    def _Call(self, node: ast.Call, start: int, end: int) -> cst.Expression:
        func = self.expression(node.func)
        low = self._behind(_OPENING, func.outer[1])
        return cst.Call(self._source, start, end, func=func, args=self._args(node.args, node.keywords, low, end - 1))

    def _args(self, args: list[ast.expr], keywords: list[ast.keyword], low: int, high: int) -> list[cst.Arg]:
        found = []
        for each in args:
            star = "*" if isinstance(each, ast.Starred) else ""
            value = self.expression(each.value if isinstance(each, ast.Starred) else each, low, high)
            start = self._start(each) if star else value.outer[0]
            found.append(cst.Arg(self._source, start, value.outer[1], star=star, keyword=None, value=value))
        for given in keywords:
            value, start = self.expression(given.value, low, high), self._start(given)
            name = self._name(given.arg, start) if given.arg is not None else None
            star = "" if given.arg is not None else "**"
            found.append(cst.Arg(self._source, start, value.outer[1], star=star, keyword=name, value=value))
        return sorted(found, key=lambda each: each.start)

    def _elements(self, nodes: list[ast.expr]) -> list[cst.Node]:
        found: list[cst.Node] = []
        for each in nodes:
            value = self.expression(each)
            starred = isinstance(value, cst.StarredElement)
            found.append(value if starred else cst.Element(self._source, *value.outer, value=value))
        return found

    def _Starred(self, node: ast.Starred, start: int, end: int) -> cst.Expression:
        return cst.StarredElement(self._source, start, end, value=self.expression(node.value))

    def _Tuple(self, node: ast.Tuple, start: int, end: int) -> cst.Expression:
        elements = self._elements(node.elts)
        if not elements or elements[0].outer[0] > start:  # it begins with its own parenthesis
            start, end = start + 1, end - 1
            if elements:
                start, end = elements[0].outer[0], self._behind(_COMMA, elements[-1].outer[1])
        return cst.Tuple(self._source, start, end, elements=elements)

    def _List(self, node: ast.List, start: int, end: int) -> cst.Expression:
        return cst.List(self._source, start, end, elements=self._elements(node.elts))

    def _Set(self, node: ast.Set, start: int, end: int) -> cst.Expression:
        return cst.Set(self._source, start, end, elements=self._elements(node.elts))

    def _Dict(self, node: ast.Dict, start: int, end: int) -> cst.Expression:
        elements = []
        for key, value in zip(node.keys, node.values):
            held = ([] if key is None else [self.expression(key)]) + [self.expression(value)]
            elements.append(cst.Node(self._source, held[0].outer[0], held[-1].outer[1], held=held))
        return cst.Dict(self._source, start, end, elements=elements)

    def _ListComp(self, node: ast.ListComp, start: int, end: int) -> cst.Expression:
        elt = self.expression(node.elt)
        return cst.ListComp(self._source, start, end, elt=elt, for_in=self._for_in(node.generators))

    def _GeneratorExp(self, node: ast.GeneratorExp, start: int, end: int) -> cst.Expression:
        elt, for_in = self.expression(node.elt), self._for_in(node.generators)
        return cst.GeneratorExp(self._source, elt.outer[0], for_in.end, elt=elt, for_in=for_in)

    def _SetComp(self, node: ast.SetComp, start: int, end: int) -> cst.Expression:
        elt = self.expression(node.elt)
        return cst.Expression(self._source, start, end, elt=elt, for_in=self._for_in(node.generators))

    def _DictComp(self, node: ast.DictComp, start: int, end: int) -> cst.Expression:
        key, value = self.expression(node.key), self.expression(node.value)
        return cst.Expression(self._source, start, end, key=key, value=value, for_in=self._for_in(node.generators))

    def _for_in(self, generators: list[ast.comprehension]) -> cst.CompFor:
        first, *rest = generators
        target, over = self.expression(first.target), self.expression(first.iter)
        ifs = [self._wrapped(each) for each in first.ifs]
        inner = self._for_in(rest) if rest else None
        text = self._source.text
        start = text.rfind("for", 0, target.outer[0])
        start = text.rfind("async", 0, start) if first.is_async else start
        end = inner.end if inner is not None else ifs[-1].end if ifs else over.outer[1]
        return cst.CompFor(self._source, start, end, target=target, iter=over, ifs=ifs, inner=inner)

    def _UnaryOp(self, node: ast.UnaryOp, start: int, end: int) -> cst.Expression:
        held = self.expression(node.operand)
        return cst.UnaryOperation(self._source, start, end, operator=node.op, expression=held)

    def _BinOp(self, node: ast.BinOp, start: int, end: int) -> cst.Expression:
        left, right = self.expression(node.left), self.expression(node.right)
        return cst.BinaryOperation(self._source, start, end, left=left, operator=node.op, right=right)

    def _BoolOp(self, node: ast.BoolOp, start: int, end: int) -> cst.Expression:
        left, *rest = self._all(node.values)
        for right in rest:
            fields: dict[str, Any] = {"left": left, "operator": node.op, "right": right}
            left = cst.BooleanOperation(self._source, left.outer[0], right.outer[1], **fields)
        return left

    def _Compare(self, node: ast.Compare, start: int, end: int) -> cst.Expression:
        left, targets = self.expression(node.left), []
        for operator, each in zip(node.ops, node.comparators):
            value = self.expression(each)
            targets.append(cst.ComparisonTarget(self._source, *value.outer, operator=operator, comparator=value))
        return cst.Comparison(self._source, start, end, left=left, comparisons=targets)

    def _NamedExpr(self, node: ast.NamedExpr, start: int, end: int) -> cst.Expression:
        target, value = self.expression(node.target), self.expression(node.value)
        return cst.NamedExpr(self._source, start, end, target=target, value=value)

    def _IfExp(self, node: ast.IfExp, start: int, end: int) -> cst.Expression:
        return cst.Expression(self._source, start, end, held=self._all([node.body, node.test, node.orelse]))

    def _Lambda(self, node: ast.Lambda, start: int, end: int) -> cst.Expression:
        params = self._parameters(node.args, start + len("lambda"))
        return cst.Lambda(self._source, start, end, params=params, body=self.expression(node.body))

    def _parameters(self, node: ast.arguments, start: int) -> cst.Parameters:
        plain = [*node.posonlyargs, *node.args]
        absent = len(plain) - len(node.defaults)
        params = [
            self._param(each, (node.defaults[i - absent] if i >= absent else None)) for i, each in enumerate(plain)
        ]
        kwonly = [self._param(each, default) for each, default in zip(node.kwonlyargs, node.kw_defaults)]
        stars = [self._param(each, None, "*") for each in (node.vararg, node.kwarg) if each is not None]
        found = cst.Parameters(self._source, start, start, params=params, stars=stars, kwonly_params=kwonly)
        found.children.sort(key=lambda each: each.start)
        if found.children:
            found.start, found.end = found.children[0].start, found.children[-1].end
        return found

    def _param(self, node: ast.arg, default: ast.expr | None, star: str = "") -> cst.Param:
        name = self._name(node.arg, self._start(node))
        said = self._wrapped(node.annotation) if node.annotation is not None else None
        value = self.expression(default) if default is not None else None
        start = len(self._source.text[: name.start].rstrip().rstrip("*")) if star else name.start
        return cst.Param(self._source, start, name.end, name=name, annotation=said, default=value)
