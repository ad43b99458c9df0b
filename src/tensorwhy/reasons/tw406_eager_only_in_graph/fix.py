"""Stays in the graph: TensorFlow's function in the place of NumPy's or Python's."""

from __future__ import annotations

import re

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import syntax, twins
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.graph import EagerOnlyInGraph, UnknownSize
from tensorwhy.model.report import Edit, Fix
from tensorwhy.reasons.tw406_eager_only_in_graph import unknown_size, words
from tensorwhy.reasons.tw406_eager_only_in_graph.rule import (
    CONVERTED,
    checked,
    guards,
    membership,
    one_truth_value,
    unpacked,
)
from tensorwhy.source.concrete import nodes as cst

_WRONG = "unless you need a plain number, for a file name or a log; then compute it outside, from the returned tensor"
_SIZE = "unless Python must know the size while tracing, for the width of a layer; then make it a plain number"

_NOT_A_LIST = "unless the values have several types or lengths; then compare them one by one"

_CAST = re.compile(r"(\w+)\.cast\(")


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The twin of a NumPy call; `.numpy()` left out; `float(x)` as a cast; `print` as `tf.print`; or AutoGraph.

    For a size that is None: the one that the graph has when it runs.
    """
    fact = case.fact
    if isinstance(fact, UnknownSize):
        yield from worded(evidence, _as_tensor(fact, case), caveat=_SIZE)
    if not isinstance(fact, EagerOnlyInGraph):
        return
    if fact.operation == "truth" and guards(case.sources.statement(fact.used)):
        yield from worded(evidence, _guarded(fact, case))
        return
    if fact.operation == "truth" and fact.autograph is False:
        converted = _converted(fact, case) if one_truth_value(fact.tensor) else ()
        yield from worded(evidence, (), converted, caveat=CONVERTED)
        return
    if membership(fact):
        yield from worded(evidence, _compared(fact, case), caveat=_NOT_A_LIST)
        return
    edits = _edits(fact, case)
    if unpacked(fact, case) is not None:
        yield from worded(evidence, edits)
        return
    if not edits or fact.operation == "length" or words.twin(fact) or fact.name.startswith("predict"):
        yield from worded(evidence, edits, caveat=_WRONG)
        yield from _as_floating(fact, edits)
        return
    summary = "keep it a tensor: TensorFlow functions accept it"
    yield Fix(summary=summary, edits=edits, caveat=_WRONG)
    yield from evidence.fixes


def _guarded(fact: EagerOnlyInGraph, case: Case) -> tuple[Edit, ...]:
    """`tf.debugging.assert_less(a, b)` for `if a >= b: raise ...`."""
    tree, statement = syntax.tree(fact.used.file, case.sources), case.sources.statement(fact.used)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    text = checked(statement, tf) if tf else ""
    if tree is None or statement is None or not text:
        return ()
    indent = " " * statement.col_offset
    return (tree.lines(statement.lineno, statement.end_lineno or statement.lineno, [indent + text]),)


def _as_floating(fact: EagerOnlyInGraph, edits: tuple[Edit, ...]) -> Fixes:
    """A whole number of Python's meets floating point in any operation; a tensor of whole numbers does not."""
    other = tuple(msgspec.structs.replace(each, replacement=_floating(each.replacement)) for each in edits)
    if fact.name == "int" and other != edits:
        yield Fix(
            summary="or cast it to floating point where it is combined with that",
            edits=other,
            caveat="unless it is an index; then keep it an integer",
        )


def _floating(text: str) -> str:
    """`tf.cast(x, tf.int32)` in a second cast, which leaves cut off what the first cuts off."""
    found = list(_CAST.finditer(text))
    if len(found) != 1 or text.count(".int32)") != 1:
        return text
    tf, start, end = found[0][1], found[0].start(), text.index(".int32)") + len(".int32)")
    return f"{text[:start]}{tf}.cast({text[start:end]}, {tf}.float32){text[end:]}"


def _as_tensor(fact: UnknownSize, case: Case) -> tuple[Edit, ...]:
    """The size that the graph has when it runs, in the place of the one that is None."""
    tree = syntax.tree(fact.read.file, case.sources)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if tree is None or not tf or fact.python or fact.layered or fact.whole or fact.axis is None or not fact.tensor_text:
        return ()
    size = unknown_size.dynamic(fact).replace("tf.", f"{tf}.")
    read = [each for each in tree.at(fact.read, cst.Subscript) if tree.text(each) == fact.size]
    if read:
        return (tree.replaced(read[0], size),)
    if (fact.read.file, fact.read.function) != (fact.used.file, fact.used.function):
        return ()
    given = [each for each in tree.at(fact.used, cst.Name) if tree.text(each) == fact.given]
    return tuple(tree.replaced(each, size) for each in given)


def _edits(fact: EagerOnlyInGraph, case: Case) -> tuple[Edit, ...]:
    tree = syntax.tree(fact.used.file, case.sources)
    if tree is None:
        return ()
    tf, place = tree.spelled("tensorflow"), tree.statements_at(fact.used)[-1:]
    if fact.operation == "length" and tf:
        calls = [call for call in tree.at(fact.used, cst.Call) if tree.text(call.func) == "len" and len(call.args) == 1]
        return tuple(tree.replaced(call, f"{tf}.shape({tree.text(call.args[0].value)})[0]") for call in calls[:1])
    if fact.operation == "format" and tf:
        return tuple(
            _printed(tree, call, tf) for each in place for call in tree.inside(each, cst.Call) if _prints(call)
        )
    if fact.operation == "method" and not place:  # the condition of a branch or loop
        asked = [tree.parent(each) for each in tree.at(fact.used, cst.Attribute)]  # the place may end before the `()`
        found = [*tree.at(fact.used, cst.Call), *(each for each in asked if isinstance(each, cst.Call))]
        calls = [call for call in dict.fromkeys(found) if _gives_value(call)]
        owners = [call.func.value for call in calls if isinstance(call.func, cst.Attribute)]
        if len(calls) != 1:
            return ()
        return _bound_before(tree, calls[0], tree.text(owners[0])) or (tree.replaced(calls[0], tree.text(owners[0])),)
    if unpacked(fact, case) is not None and tf:
        values = [value for each in place if (value := syntax.value(each)) is not None]
        return tuple(tree.replaced(each, f"{tf}.unstack({tree.text(each)})") for each in values)
    if fact.operation in ("method", "numpy", "call", "truth", "index"):
        condition = twins.of_condition(tree, fact.used) if not place else ()
        return condition or twins.kept(fact.used, None, case.sources) or twins.all_of(tree, place)
    return ()


def _compared(fact: EagerOnlyInGraph, case: Case) -> tuple[Edit, ...]:
    """`tf.reduce_any(tf.equal(x, xs))` for `x in xs` in the condition of a branch that AutoGraph rewrites."""
    tree = syntax.tree(fact.used.file, case.sources)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if tree is None or not tf or not fact.autograph:
        return ()
    asked = [
        each
        for each in tree.inside(tree.module, cst.Comparison)
        if tree.line(each) == fact.used.line and tree.text(each) == fact.tensor_text
    ]
    return tuple(tree.replaced(each, membership(fact).replace("tf.", f"{tf}.")) for each in asked)


def _bound_before(tree: Tree, call: cst.Call, value: str) -> tuple[Edit, ...]:
    """`if (n := f(x).numpy()) > 1` as `n = f(x)` and `if n > 1`: AutoGraph converts no branch that binds a name."""
    bound = tree.parent(call)
    if not isinstance(bound, cst.NamedExpr) or not isinstance(bound.target, cst.Name):
        return ()
    node: cst.Node = bound
    above = tree.parent(bound)
    while isinstance(above, (cst.Comparison, cst.BooleanOperation, cst.BinaryOperation)) and above.left is node:
        node, above = above, tree.parent(above)
    if not isinstance(above, cst.If) or above.test is not node or isinstance(tree.parent(above), cst.If):
        return ()  # not evaluated first, or in each round
    name = bound.target.value
    return (tree.before(above, f"{name} = {value}"), tree.replaced(bound, name))


def _gives_value(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in ("numpy", "item") and not call.args


def _prints(call: cst.Call) -> bool:
    return (
        syntax.called(call) == "print" and len(call.args) == 1 and isinstance(call.args[0].value, cst.FormattedString)
    )


def _printed(tree: Tree, call: cst.Call, tf: str) -> Edit:
    """`print(f"loss {x:.2f}")` as `tf.print("loss ", x, sep="")`: the graph prints the value of each run."""
    text = call.args[0].value
    assert isinstance(text, cst.FormattedString)
    parts = [
        f'"{part.value}"' if isinstance(part, cst.FormattedStringText) else tree.text(part.expression)
        for part in text.parts
        if isinstance(part, (cst.FormattedStringText, cst.FormattedStringExpression))
    ]
    return tree.replaced(call, f'{tf}.print({", ".join(parts)}, sep="")')


def _converted(fact: EagerOnlyInGraph, case: Case) -> tuple[Edit, ...]:
    """`@tf.function` on the function that decides by a tensor, so that AutoGraph rewrites it."""
    tree = syntax.tree(fact.used.file, case.sources)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    for function in tree.inside(tree.module, cst.FunctionDef) if tree is not None else ():
        assert tree is not None
        (first, _), (last, _) = tree.span(function)
        if tf and first <= fact.used.line <= last and not function.decorators:
            return (tree.before(function, f"@{tf}.function"),)
    return ()
