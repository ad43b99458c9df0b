"""Edits that bring state out of the function of a Lambda layer, to where Keras looks."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources

_FILLED = {"zeros": "zeros", "ones": "ones", "random.normal": "random_normal", "random.uniform": "random_uniform"}


def called_outside(made: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`Lambda(lambda x: f(layer(x)))(inputs)` as `Lambda(lambda x: f(x))(layer(inputs))`, for the layer made here.

    An empty result means that more than one function calls it, or with something else than its argument.
    """
    found = _lambda_with(made, sources)
    if found is None:
        return ()
    tree, _, name, call, function = found
    body, parameter = function.body, function.params.params[0].name.value
    uses = [each for each in tree.inside(body, cst.Name) if each.value == parameter]
    calls = [each for each in tree.inside(body, cst.Call) if tree.text(each.func) == name]
    if len(uses) != 1 or len(calls) != 1 or len(calls[0].args) != 1 or calls[0].args[0].value is not uses[0]:
        return ()
    parent = tree.parent(call)
    if isinstance(parent, cst.Call) and parent.func is call and len(parent.args) == 1:
        if body is calls[0]:
            return (tree.replaced(call, name),)
        given = parent.args[0].value
        return (tree.replaced(calls[0], parameter), tree.replaced(given, f"{name}({tree.text(given)})"))
    if isinstance(parent, cst.Element):
        if body is calls[0]:
            return (tree.replaced(call, name),)
        return (tree.prefixed(call, f"{name}, "), tree.replaced(calls[0], parameter))
    return ()


def own_layer(made: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """A layer of its own in the place of a Lambda: it has the variable made here as a weight, and does the same.

    An empty result means that the variable does not begin with one number, zeros, ones or random values, that more
    than one function uses it, or that it is made neither in the module itself nor in a function of it.
    """
    found = _lambda_with(made, sources)
    if found is None:
        return ()
    tree, statement, name, call, function = found
    keras = tree.spelled("tensorflow.keras") or tree.spelled("keras")
    keras = keras or (f"{tree.spelled('tensorflow')}.keras" if tree.spelled("tensorflow") else "")
    weight = as_weight(tree, syntax.value(statement), keras)
    scope = tree.scope(statement)
    place = statement if scope is tree.module else scope
    if not weight or not keras or tree.indentation(place):
        return ()
    if any(each.keyword is not None and each.keyword.value != "output_shape" for each in call.args):
        return ()
    kind = syntax.fresh("".join(part.capitalize() for part in name.split("_")), tree, tree.module)
    layer = syntax.fresh(f"{name}_layer", tree, tree.module)
    text = _renamed(function.body, name, f"self.{name}").strip()
    parameter = function.params.params[0].name.value
    above = sources.line(tree.file, tree.line(place) - 1).strip() if place is statement else None
    lines = (
        *([] if above is None else ["", ""] if above else [""]),
        f"class {kind}({keras}.layers.Layer):",
        "    def __init__(self):",
        "        super().__init__()",
        f'        self.{name} = self.add_weight(name="{name}", {weight})',
        "",
        f"    def call(self, {parameter}):",
        f"        return {text}",
        "",
        "",
    )
    small = statement.body[0]
    edits = [tree.before(place, *lines), tree.replaced(small, f"{layer} = {kind}()"), tree.replaced(call, layer)]
    for each in tree.inside(scope, cst.Name):
        if each.value == name and tree.span(each) > tree.span(statement) and not _within(tree, each, call):
            if isinstance(tree.parent(each), (cst.Param, cst.AssignTarget)):
                return ()
            if not _called(each):
                edits.append(tree.replaced(each, f"{layer}.{name}"))
    return tuple(edits)


def _lambda_with(
    made: Location | None, sources: Sources
) -> tuple[Tree, cst.SimpleStatementLine, str, cst.Call, cst.Lambda] | None:
    """The one Lambda layer whose function uses the name of what is made at a place."""
    tree = syntax.tree(made.file, sources) if made is not None else None
    statements = tree.statements_at(made) if tree is not None else []
    target = syntax.target(statements[-1]) if statements else None
    if tree is None or not isinstance(target, cst.Name):
        return None
    functions = [
        (call, call.args[0].value)
        for call in tree.inside(tree.module, cst.Call)
        if syntax.called(call) == "Lambda" and call.args and isinstance(call.args[0].value, cst.Lambda)
    ]
    using = [(call, each) for call, each in functions if target.value in syntax.names(each.body)]
    if len(using) != 1 or len(using[0][1].params.params) != 1 or using[0][1].params.params[0].default is not None:
        return None
    return tree, statements[-1], target.value, *using[0]


def as_weight(tree: Tree, made: cst.Expression | None, keras: str) -> str:
    """The shape and the first value of a variable, as `add_weight` takes them; empty where they are not told."""
    given = syntax.argument(made, 0, "initial_value") if isinstance(made, cst.Call) else None
    if given is None or not isinstance(made, cst.Call) or tree.canonical(made.func) != "tensorflow.Variable":
        return ""
    if any(each.keyword is not None and each.keyword.value not in ("initial_value", "name") for each in made.args):
        return ""
    value = given.value
    if isinstance(value, (cst.Float, cst.Integer, cst.UnaryOperation)):
        number = tree.text(value) if not isinstance(value, cst.Integer) else f"{value.value}.0"
        return f"shape=(), initializer={keras}.initializers.Constant({number})"
    if isinstance(value, cst.List) and value.elements and all(isinstance(e.value, cst.Float) for e in value.elements):
        return f"shape=({len(value.elements)},), initializer={keras}.initializers.Constant({tree.text(value)})"
    if isinstance(value, cst.Call) and len(value.args) == 1:
        start = _FILLED.get(tree.canonical(value.func).removeprefix("tensorflow."))
        return f'shape={tree.text(value.args[0].value)}, initializer="{start}"' if start else ""
    return ""


def _within(tree: Tree, node: cst.Node, outer: cst.Node) -> bool:
    return tree.span(outer)[0] <= tree.span(node)[0] and tree.span(node)[1] <= tree.span(outer)[1]


def _renamed(node: cst.Node, name: str, text: str) -> str:
    """The text of a node with another expression for a name, but not for attributes and keywords that are called so."""
    named = [each for each in node.walk() if isinstance(each, cst.Name) and each.value == name]
    return node.rewritten([(each, text) for each in named if not _called(each)])


def _called(name: cst.Name) -> bool:
    above = name.parent
    return (isinstance(above, cst.Attribute) and above.attr is name) or (
        isinstance(above, cst.Arg) and above.keyword is name
    )
