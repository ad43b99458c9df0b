"""Edits of how a functional Keras model is put together: its inputs, its outputs, and the tensors in between."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.symbolic import Given, NotATensor
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def inputs(used: Location, names: str, sources: Sources) -> tuple[Edit, ...]:
    """Other inputs for the model that is made at a place."""
    tree = syntax.tree(used.file, sources)
    for call in tree.at(used, cst.Call) if tree is not None else ():
        given = syntax.argument(call, 0, "inputs")
        if tree is not None and given is not None:
            return (tree.replaced(given.value, names),)
    return ()


def more_inputs(used: Location, names: str, sources: Sources) -> tuple[Edit, ...]:
    """`inputs=towers` as `inputs=[*towers, side]`, where that is a name."""
    tree = syntax.tree(used.file, sources)
    for call in tree.at(used, cst.Call) if tree is not None else ():
        given = syntax.argument(call, 0, "inputs")
        if tree is not None and given is not None and isinstance(given.value, (cst.Name, cst.Attribute)):
            return (tree.replaced(given.value, f"[*{tree.text(given.value)}, {names}]"),)
    return ()


def called_on(owner: str, given: str, used: Location, sources: Sources) -> tuple[Edit, ...]:
    """`base.output` as `base(x)`, where a model is made of what follows it."""
    tree = syntax.tree(used.file, sources)
    statements = tree.statements_at(used) if tree is not None else []
    if tree is None or not statements:
        return ()
    scope = tree.scope(statements[-1])
    found = [each for each in tree.inside(scope, cst.Attribute) if tree.text(each) == f"{owner}.output"]
    return tuple(tree.replaced(each, f"{owner}({given})") for each in found)


_OWN = {"input": "inputs[0]", "output": "outputs[0]"}
_SHAPES = {"input_shape": "inputs[0].shape", "output_shape": "outputs[0].shape"}


def own_tensors(attribute: str, owner: str, used: Location, sources: Sources) -> tuple[Edit, ...]:
    """`model.output` as `model.outputs[0]`, wherever the function asks the same model for one that it does not have.

    `owner` is the model's name, where one is known.
    """
    tree, own = syntax.tree(used.file, sources), _OWN | _SHAPES
    asked = [each for each in tree.at(used, cst.Attribute) if each.attr.value == attribute] if tree is not None else []
    owners = {tree.text(each.value) for each in asked} if tree is not None else set()
    owners = {owner} if owner in owners else owners
    if tree is None or attribute not in own or len(owners) != 1:
        return ()
    scope = tree.scope(asked[0])
    found = [
        each
        for each in tree.inside(scope, cst.Attribute)
        if each.attr.value in own and tree.text(each.value) in owners and tree.scope(each) is scope
    ]
    return tuple(tree.replaced(each.attr, own[each.attr.value]) for each in found)


def called_once(owner: str, shape: tuple[int, ...], used: Location, sources: Sources) -> tuple[Edit, ...]:
    """`model(keras.Input((8, 3)))` before the statement that asks a model for its tensors."""
    tree = syntax.tree(used.file, sources)
    statements = tree.statements_at(used) if tree is not None else []
    keras = _keras(tree) if tree is not None else ""
    if tree is None or not statements or not keras or not owner.isidentifier():
        return ()
    return (tree.before(statements[-1], f"{owner}({keras}.Input({shape}))"),)


def dropped(location: Location, sources: Sources) -> tuple[Edit, ...]:
    """A statement taken out."""
    tree = syntax.tree(location.file, sources)
    statements = tree.statements_at(location) if tree is not None else []
    edit = tree.removed(statements[-1]) if tree is not None and statements else None
    return (edit,) if edit is not None else ()


def tensor_of(fact: NotATensor, sources: Sources) -> tuple[Edit, ...]:
    """A tensor where something was given that holds or makes one."""
    given = fact.given
    place = given.made or given.written
    tree = syntax.tree(place.file, sources) if place is not None else None
    if tree is None:
        return ()
    if fact.length == 1:
        brackets: list[cst.List | cst.Tuple] = [*tree.at(given.written, cst.List)]
        brackets += tree.at(given.written, cst.Tuple)
        for listed in brackets:
            if len(listed.elements) == 1:
                return (tree.replaced(listed, tree.text(listed.elements[0].value)),)
        return ()
    for statement in tree.statements_at(given.made)[-1:]:
        target, value = syntax.target(statement), syntax.value(statement)
        if not isinstance(target, cst.Name) or not isinstance(value, cst.Call):
            continue
        if fact.length is not None and given.sort in ("list", "tuple"):
            return (tree.replaced(target, f"{target.value}, *_"),)
        before = _last_tensor(tree, statement, target.value)
        if fact.call and before:
            return (tree.appended(value, f"({before})"),)
    return ()


def _last_tensor(tree: Tree, statement: cst.SimpleStatementLine, name: str) -> str:
    """The name that the chain of layers had before a statement: its own, or what the statement above bound."""
    last = ""
    for each in tree.inside(tree.scope(statement), cst.SimpleStatementLine):
        if tree.line(each) >= tree.line(statement):
            break
        target, value = syntax.target(each), syntax.value(each)
        if isinstance(target, cst.Name) and isinstance(value, cst.Call):
            is_tensor = isinstance(value.func, cst.Call) or syntax.called(value) == "Input"
            if is_tensor or target.value == name:
                last = target.value
    return last


def returned(given: Given, sources: Sources) -> tuple[Edit, ...]:
    """The `return` that the function lacks which was to build the outputs."""
    place = given.made or given.written
    tree = syntax.tree(place.file, sources) if place is not None else None
    if tree is None:
        return ()
    made = [each for each in tree.inside(tree.module, cst.SimpleStatementLine) if _binds(each, given.name)]
    for statement in reversed(made):
        value = syntax.value(statement)
        found = syntax.defined(value.func, tree, sources) if isinstance(value, cst.Call) else None
        if found is not None:
            return _with_return(*found)
    return ()


def _binds(statement: cst.SimpleStatementLine, name: str) -> bool:
    target = syntax.target(statement)
    return isinstance(target, cst.Name) and target.value == name


def _with_return(tree: Tree, function: cst.FunctionDef) -> tuple[Edit, ...]:
    last = function.body.body[-1]
    if not isinstance(last, cst.SimpleStatementLine) or any(True for _ in tree.inside(function.body, cst.Return)):
        return ()
    small, target = last.body[-1], syntax.target(last)
    if isinstance(small, cst.Expr):
        return (tree.prefixed(small, "return "),)
    return (tree.after(last, f"return {target.value}"),) if isinstance(target, cst.Name) else ()


def with_input(given: Given, used: Location, sources: Sources) -> tuple[Edit, ...]:
    """An `Input` like an array or eager tensor, and that in its place in the function that builds the model."""
    tree = syntax.tree(used.file, sources)
    keras = _keras(tree) if tree is not None else ""
    statements = tree.statements_at(used) if tree is not None and keras else []
    if tree is None or not statements:
        return ()
    scope = tree.scope(statements[-1])
    bound = [
        each
        for each in tree.inside(scope, cst.SimpleStatementLine)
        if tree.scope(each) is scope and tree.line(each) < used.line and given.name in _names_bound(each)
    ]
    place = bound[-1] if bound else _first_with(scope, given.name)
    if place is None:
        return ()
    begins = tree.span(place)[1 if bound else 0]
    name = syntax.fresh(f"{given.name}_input", tree, statements[-1])
    reads = [
        each
        for each in tree.inside(scope, cst.Name)
        if each.value == given.name
        and begins <= tree.span(each)[0]
        and tree.line(each) <= (used.end_line or used.line)
        and not isinstance(tree.parent(each), (cst.Attribute, cst.AssignTarget, cst.Param))
        and not (isinstance(above := tree.parent(each), cst.Arg) and above.keyword is each)
    ]
    if all(_is_output(each, tree) for each in reads):
        return ()  # nothing is built on it
    made = f"{name} = {keras}.Input(shape={given.name}.shape[1:], dtype={given.name}.dtype)"
    added = tree.after(place, made) if bound else tree.before(place, made)
    return (added, *(tree.replaced(each, name) for each in reads))


def _names_bound(statement: cst.SimpleStatementLine) -> set[str]:
    target = syntax.target(statement)
    return syntax.names(target) if isinstance(target, (cst.Name, cst.Tuple)) else set()


def _first_with(scope: cst.FunctionDef | cst.Module, parameter: str) -> cst.Statement | None:
    """The first statement of a function that has this parameter, behind its docstring."""
    if not isinstance(scope, cst.FunctionDef) or not isinstance(scope.body, cst.IndentedBlock):
        return None
    known = {each.name.value for each in (*scope.params.params, *scope.params.kwonly_params)}
    rest = scope.body.body[1 if syntax.documented(scope.body) else 0 :]
    return rest[0] if parameter in known and rest else None


def _keras(tree: Tree) -> str:
    """How this file calls Keras."""
    keras = tree.spelled("tensorflow.keras") or tree.spelled("keras")
    return keras or (f"{tree.spelled('tensorflow')}.keras" if tree.spelled("tensorflow") else "")


def _is_output(node: cst.Name, tree: Tree) -> bool:
    """Return whether a name is among the outputs that a model is given."""
    argument = tree.above(node, cst.Arg)
    call = tree.above(argument, cst.Call) if argument is not None else None
    return call is not None and syntax.argument(call, 1, "outputs") is argument


def one_package(imported: Location | None, package: str, sources: Sources) -> tuple[Edit, ...]:
    """An import from another package of the same layout: `from tensorflow.keras.layers import Dense`."""
    tree = syntax.tree(imported.file, sources) if imported is not None else None
    for statement in tree.statements_at(imported) if tree is not None else ():
        assert tree is not None
        small = statement.body[0]
        if isinstance(small, cst.ImportFrom) and small.module is not None:
            text = tree.text(small.module)
            if text == "tensorflow.python" and package:
                return (tree.replaced(small.module, "tensorflow"),)
            for old in ("tensorflow.python.keras", "tf_keras", "tensorflow.keras", "keras"):
                if text == old or text.startswith(old + "."):
                    return (tree.replaced(small.module, package + text[len(old) :]),)
        if isinstance(small, cst.Import) and len(small.names) == 1:
            alias, text = small.names[0], tree.text(small.names[0].name)
            for old in ("tensorflow.python.keras", "tf_keras", "keras"):
                if text == old or (text.startswith(old + ".") and alias.asname is not None):
                    name = tree.text(alias.asname.name) if alias.asname is not None else text
                    rest = text[len(old) :]
                    whole = f"import {package}{rest} as {name}"
                    if not rest and "." in package:
                        outer, _, inner = package.rpartition(".")
                        whole = f"from {outer} import {inner}" + (f" as {name}" if name != inner else "")
                    return (tree.replaced(small, whole),)
    return ()
