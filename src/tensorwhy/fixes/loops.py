"""Edits of loops that are traced: what they carry, what they declare, and what they collect."""

from __future__ import annotations

from tensorwhy.fixes import calls, syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.loops import (
    ArrayElementRejected,
    ArrayOutside,
    LoopShapeChange,
    LoopStructureChange,
    NoCondition,
    PythonAccumulator,
)
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def declared(fact: LoopShapeChange, sources: Sources) -> tuple[Edit, ...]:
    """The shape that a loop variable may take, declared at the loop."""
    if not fact.declaration:
        return ()
    keyword, _, value = fact.declaration.partition("=")
    tree = syntax.tree(fact.statement.file, sources)
    if tree is None or "..." in value:
        return ()
    if keyword.isidentifier():
        alias = tree.spelled("tensorflow")
        value = value.replace("tf.", f"{alias}.") if alias else ""
        for call in tree.at(fact.statement, cst.Call):
            given = syntax.argument(call, 1 << 20, keyword)
            if syntax.called(call) == fact.construct.rpartition(".")[2] or given is not None:
                edit = calls.with_keyword(_place(tree, call), keyword, value, sources, replacing=(keyword,))
                return (edit,) if edit is not None and value else ()
        return ()
    for loop in (*tree.inside(tree.module, cst.For), *tree.inside(tree.module, cst.While)):
        if tree.line(loop) == fact.statement.line and isinstance(loop.body, cst.IndentedBlock):
            alias = tree.spelled("tensorflow")
            return (tree.before(loop.body.body[0], fact.declaration.replace("tf.", f"{alias}.")),) if alias else ()
    return ()


def reshaped(fact: LoopShapeChange, shape: str, sources: Sources) -> tuple[Edit, ...]:
    """The value that an iteration gives a loop variable, in another shape."""
    tree = syntax.tree(fact.changed.file, sources) if fact.changed is not None else None
    tf = tree.spelled("tensorflow") if tree is not None else ""
    for statement in tree.statements_at(fact.changed) if tree is not None else []:
        bound, value = syntax.target(statement), syntax.value(statement)
        if tf and tree is not None and value is not None and bound is not None and tree.text(bound) == fact.variable:
            return (tree.replaced(value, f"{tf}.reshape({tree.text(value)}, {shape})"),)
    return ()


def _place(tree: Tree, node: cst.Node) -> Location:
    (line, column), (end_line, end_column) = tree.span(node)
    return Location(file=tree.file, line=line, column=column, end_line=end_line, end_column=end_column)


def first_value(fact: LoopStructureChange, sources: Sources) -> tuple[Edit, ...]:
    """A first value of the dtype that the loop gives: `total = 0.0` for `total = 0`."""
    place = fact.before
    tree = syntax.tree(place.file, sources) if place is not None else None
    if tree is None or fact.problem != "dtype" or not fact.got.startswith(("float", "bfloat")):
        return ()
    inner = _within(tree, place) if place is not None else None
    for statement in tree.statements_at(place)[-1:]:
        value = inner or _assigned(statement, fact.variable)
        if isinstance(value, cst.Integer) and fact.got == "float32":
            return (tree.replaced(value, f"{value.value}.0"),)
        tf = tree.spelled("tensorflow")
        if value is not None and tf:
            return (tree.replaced(value, f"{tf}.cast({tree.text(value)}, {tf}.{fact.got})"),)
    return ()


def _within(tree: Tree, place: Location) -> cst.Expression | None:
    """The expression at a place that is only a part of its statement: what a call is given to begin with."""
    for node in tree.at(place, cst.Integer, cst.Call, cst.Name, cst.Attribute):
        found = _place(tree, node)
        if (found.line, found.column, found.end_line, found.end_column) == (place.line, place.column, *_end(place)[1:]):
            return node
    return None


def decided(fact: NoCondition, sources: Sources) -> tuple[Edit, ...]:
    """A loop that goes on while its condition holds for any element."""
    tree = syntax.tree(fact.condition.file, sources)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if tree is None or not tf or fact.dtype != "bool" or fact.construct not in ("while", "while_loop"):
        return ()
    kinds = (cst.Comparison, cst.BooleanOperation, cst.UnaryOperation, cst.BinaryOperation, cst.Call, cst.Name)
    for node in tree.at(fact.condition, *kinds, cst.Attribute, cst.Subscript)[:1]:
        place = _place(tree, node)
        if (place.column, place.end_line, place.end_column) == _end(fact.condition):
            return (tree.replaced(node, f"{tf}.reduce_any({tree.text(node)})"),)
    return ()


def _end(location: Location) -> tuple[int | None, int | None, int | None]:
    return location.column, location.end_line or location.line, location.end_column


def _assigned(statement: cst.SimpleStatementLine, name: str) -> cst.Expression | None:
    """What a statement gives to a name, alone or as one of several; None where that is not written in it."""
    target, value = syntax.target(statement), syntax.value(statement)
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        pairs = zip(target.elements, value.elements)
        found = [other.value for one, other in pairs if isinstance(one.value, cst.Name) and one.value.value == name]
        return found[0] if len(found) == 1 else None
    return None if isinstance(target, cst.Tuple) or isinstance(value, (cst.Tuple, cst.List, cst.Dict)) else value


def collected(fact: PythonAccumulator, sources: Sources) -> tuple[Edit, ...]:
    """A TensorArray in the place of a list that a traced loop fills by `append`."""
    tree = syntax.tree(fact.filled.file, sources) if fact.filled is not None else None
    filled = tree.statements_at(fact.filled)[-1:] if tree is not None else []
    if tree is None or not filled or fact.kind != "list" or not fact.container.isidentifier():
        return ()
    name, scope, tf = fact.container, tree.scope(filled[0]), tree.spelled("tensorflow")
    edits: list[Edit] = []
    uses = [each for each in tree.inside(scope, cst.Name) if each.value == name]
    for use in uses:
        edit = _use(tree, use, name, tf)
        if edit is None:
            return ()
        edits.append(edit)
    return tuple(edits) if tf else ()


def _use(tree: Tree, use: cst.Name, name: str, tf: str) -> Edit | None:
    """One use of the list as one of the array; None where that has no counterpart."""
    parent = tree.parent(use)
    statement = tree.statement(use)
    if isinstance(parent, cst.AssignTarget) and statement is not None:
        value = syntax.value(statement)
        empty = isinstance(value, cst.List) and not value.elements
        made = f"{tf}.TensorArray({tf}.float32, size=0, dynamic_size=True)"
        return tree.replaced(value, made) if value is not None and empty else None
    if isinstance(parent, cst.Attribute) and parent.value is use and parent.attr.value == "append":
        call = tree.parent(parent)
        if isinstance(call, cst.Call) and len(call.args) == 1 and isinstance(tree.parent(call), cst.Expr):
            return tree.replaced(call, f"{name} = {name}.write({name}.size(), {tree.text(call.args[0].value)})")
        return None
    call = tree.parent(parent) if isinstance(parent, cst.Arg) else None
    if isinstance(call, cst.Call) and call.args[0] is parent:
        function = tree.canonical(call.func).removeprefix("tensorflow.")
        axis = syntax.argument(call, 1, "axis")
        number = tree.text(axis.value) if axis is not None else "0"
        if function == "concat" and number == "0":
            return tree.replaced(call, f"{name}.concat()")
        if function in ("stack", "convert_to_tensor") and number == "0":
            return tree.replaced(call, f"{name}.stack()")
        if function == "stack":
            return tree.replaced(call, f"{tf}.experimental.numpy.moveaxis({name}.stack(), 0, {number})")
        if function == "add_n":
            return tree.replaced(call, f"{tf}.reduce_sum({name}.stack(), axis=0)")
        if function.startswith(("reduce_", "math.reduce_")):
            return tree.replaced(use, f"{name}.stack()")
        if tree.text(call.func) == "len":
            return tree.replaced(call, f"{name}.size()")
    return tree.replaced(use, f"{name}.stack()") if isinstance(parent, cst.Return) else None


def element(fact: ArrayElementRejected, sources: Sources) -> tuple[Edit, ...]:
    """The array made for what is written into it: its dtype, its size."""
    place = fact.created
    tree = syntax.tree(place.file, sources) if place is not None else None
    if tree is None or place is None or fact.operation == "read":
        return ()  # nothing was written where it reads
    for call in tree.at(place, cst.Call):
        if syntax.called(call) != "TensorArray":
            continue
        if fact.problem == "dtype" and fact.got.isidentifier():
            dtype = syntax.argument(call, 0, "dtype")
            tf = tree.spelled("tensorflow")
            return (tree.replaced(dtype.value, f"{tf}.{fact.got}"),) if dtype is not None and tf else ()
        if fact.problem in ("index", "size") and (fact.index or 0) >= 0:
            edit = calls.with_keyword(_place(tree, call), "dynamic_size", "True", sources, replacing=("dynamic_size",))
            return (edit,) if edit is not None else ()
    return ()


def stacked(fact: ArrayOutside, sources: Sources) -> tuple[Edit, ...]:
    """`.stack()` where an array is returned, or given to what takes a tensor."""
    place = fact.origin if fact.problem == "returned" else fact.origin or fact.call
    tree = syntax.tree(place.file, sources) if place is not None else None
    if tree is None or fact.problem not in ("returned", "as-tensor") or not fact.array.isidentifier():
        return ()
    edits = []
    names = tree.at(place, cst.Name)
    alone = fact.problem == "returned" and len(names) == 1  # its caller may call it otherwise
    for name in names:
        parent = tree.parent(name)
        if (name.value == fact.array or (alone and isinstance(parent, cst.Return))) and not isinstance(
            parent, (cst.Attribute, cst.AssignTarget)
        ):
            edits.append(tree.appended(name, ".stack()"))
    if fact.problem != "returned" or len(edits) != 1:
        return tuple(edits[:1])
    # What called the function read elements of the array: now they are elements of a tensor.
    for call in tree.at(fact.call, cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == fact.use == "read" and len(call.args) == 1:
            owner = tree.text(call.func.value)
            edits.append(tree.replaced(call, f"{owner}[{tree.text(call.args[0].value)}]"))
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == fact.use == "stack":
            edits.append(tree.replaced(call, tree.text(call.func.value)))
    return tuple(edits)
