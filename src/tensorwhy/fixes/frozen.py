"""Edits that keep a Python value, which a trace would freeze, in a variable."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import SIGNS


def as_variable(name: str, read: Location, sources: Sources) -> tuple[Edit, ...]:
    """The first value of `name` (`self.rate`, `rate`) in a `tf.Variable`, and each later one assigned to it.

    An empty result means that it gets its values in a way that is not followed.
    """
    tree = syntax.tree(read.file, sources)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if tree is None or not tf:
        return ()
    first, later = _assignments(tree, name)
    if len(first) != 1 or not later:
        return ()
    value = first[0].value if isinstance(first[0], (cst.Assign, cst.AnnAssign)) else None
    if value is None or isinstance(value, (cst.SimpleString, cst.Dict, cst.List)):
        return ()
    edits = [tree.replaced(value, f"{tf}.Variable({tree.text(value)}, trainable=False)")]
    for small in later:
        edit = _assigned(tree, small)
        if edit is None:
            return ()
        edits.append(edit)
    return tuple(edits)


def of_condition(condition: Location, sources: Sources) -> tuple[Edit, ...]:
    """The same for the one attribute in the condition of an `if` that gets other values later."""
    tree = syntax.tree(condition.file, sources)
    if tree is None:
        return ()
    tests = [each.test for each in tree.inside(tree.module, cst.If) if tree.line(each) == condition.line]
    names = dict.fromkeys(tree.text(node) for test in tests for node in tree.inside(test, cst.Attribute))
    found = [edits for name in names if (edits := as_variable(name, condition, sources))]
    return found[0] if len(found) == 1 else ()


def _assignments(tree: Tree, name: str) -> tuple[list[cst.SmallStatement], list[cst.SmallStatement]]:
    """Where a value is given first (in `__init__`, or at module level), and where others are later."""
    attribute = name.rpartition(".")[2]
    first: list[cst.SmallStatement] = []
    later: list[cst.SmallStatement] = []
    bindings: list[cst.Assign | cst.AugAssign] = [*tree.inside(tree.module, cst.Assign)]
    bindings += tree.inside(tree.module, cst.AugAssign)
    for small in bindings:
        targets = [each.target for each in small.targets] if isinstance(small, cst.Assign) else [small.target]
        for target in targets:
            if "." in name:
                same = isinstance(target, cst.Attribute) and target.attr.value == attribute
            else:
                same = isinstance(target, cst.Name) and target.value == name
            if not same:
                continue
            function = tree.function(small)
            initial = function is not None and function.name.value == "__init__" if "." in name else function is None
            (first if initial and isinstance(small, cst.Assign) and not first else later).append(small)
    return first, later


def _assigned(tree: Tree, small: cst.SmallStatement) -> Edit | None:
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        return tree.replaced(small, f"{tree.text(small.targets[0].target)}.assign({tree.text(small.value)})")
    if isinstance(small, cst.AugAssign) and type(small.operator) in SIGNS:
        name, sign = tree.text(small.target), SIGNS[type(small.operator)]
        value = tree.text(small.value)
        value = value if syntax.simple(small.value) else f"({value})"
        return tree.replaced(small, f"{name}.assign({name} {sign} {value})")
    return None
