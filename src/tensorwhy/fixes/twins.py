"""Edits that keep a computation in TensorFlow: NumPy and Python calls become the functions that mean the same there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.concrete import statements
from tensorwhy.source.files import Sources

_REDUCTIONS = {"sum": "sum", "mean": "mean", "prod": "prod", "max": "max", "min": "min", "amax": "max", "amin": "min"}
_SAME = (
    *("exp", "sqrt", "square", "abs", "sign", "round", "floor", "ceil", "maximum", "minimum", "matmul", "stack"),
    *("reshape", "transpose", "expand_dims", "squeeze", "tile", "where", "zeros_like", "ones_like", "argmax", "argmin"),
    *("tensordot", "einsum", "sin", "cos", "tan", "tanh", "sinh", "cosh", "roll", "sort", "argsort", "repeat"),
    *("linalg.det", "linalg.inv", "linalg.solve", "linalg.trace", "linalg.cholesky", "searchsorted"),
    *("logical_and", "logical_or", "logical_not", "equal", "not_equal", "greater", "less"),
)
_MATH = ("log", "log1p", "expm1", "cumsum", "cumprod", "add", "subtract", "multiply", "divide", "reciprocal")
_RENAMED = {
    **{name: f"reduce_{ours}" for name, ours in _REDUCTIONS.items()},
    **{name: name for name in _SAME},
    **{name: f"math.{name}" for name in _MATH},
    "absolute": "abs",
    "negative": "negative",
    "power": "pow",
    "clip": "clip_by_value",
    "var": "math.reduce_variance",
    "std": "math.reduce_std",
    "any": "reduce_any",
    "all": "reduce_all",
    "linalg.norm": "norm",
    "arctan": "atan",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan2": "atan2",
    "isnan": "math.is_nan",
    "isfinite": "math.is_finite",
    "array": "convert_to_tensor",
    "asarray": "convert_to_tensor",
    "concatenate": "concat",
    "take": "gather",
}
_OF_PYTHON = {
    "float": "cast",
    "int": "cast",
    "len": "shape",
    "open": "io.read_file",
    "map": "map_fn",
    "enumerate": "range",
    "range": "range",
    "astype": "cast",
    "flatten": "reshape",
    "ravel": "reshape",
    "copy": "identity",
    "average": "reduce_mean",
    "dot": "tensordot",
    "arange": "range",
}
"""What comes close to other functions of Python and methods of arrays."""
_ALL_ELEMENTS = {"argmax": 1, "argmin": 1, "cumsum": 1, "cumprod": 1, "take": 2}
"""Over all elements in NumPy where no axis is given, along the first axis in TensorFlow; the place of that argument."""
_ARGUMENTS = {"round": (1, 1), "where": (3, 3), "var": (1, 2), "std": (1, 2), "mean": (1, 2)}
"""How many arguments without a name mean the same in TensorFlow, where others mean something else."""
_OWN = ("out", "where", "ddof", "initial", "a_min", "a_max", "kind", "order", "mode", "casting", "subok", "copy")
"""Keywords that NumPy knows, and TensorFlow does not under these names."""
_DTYPES = ("float16", "float32", "float64", "int32", "int64", "bool")
_METHODS = {"sum": "reduce_sum", "mean": "reduce_mean", "prod": "reduce_prod", "max": "reduce_max", "min": "reduce_min"}
_METHODS |= {"std": "math.reduce_std", "var": "math.reduce_variance"}
_BUILTIN = {"min": (2, "minimum", ""), "max": (2, "maximum", ""), "round": (1, "round", "")}
_BUILTIN["sum"] = (1, "reduce_sum", ", axis=0")
"""Python's own functions on numbers: how many arguments, TensorFlow's name, and what else that needs."""
Convert = Callable[[cst.Call, cst.Call, bool], str | None]
"""New text for a call, given it as it was and with rewritten arguments, and whether it stands in the first statement.

Empty: it stays. None: nothing means the same.
"""
_NUMBERS = {"float": "float32", "int": "int32", "bool": "bool"}


_ALIAS = "tf"


def _alias(tree: Tree) -> str:
    """How this file calls TensorFlow, or would if it imported it."""
    return tree.spelled("tensorflow") or ("" if _ALIAS in tree.imports else _ALIAS)


def twin(tree: Tree, call: cst.Call) -> str:
    """The text of the TensorFlow call that does the same as this call of NumPy; empty where none is known."""
    tf, name = _alias(tree), tree.canonical(call.func)
    if not tf or not name.startswith(("numpy.", "math.")):
        return ""
    name = name.partition(".")[2]
    arguments = [tree.text(each) for each in call.args]
    if name in _DTYPES and len(arguments) == 1:
        return f"{tf}.cast({arguments[0]}, {tf}.{name})"
    if name in ("dot", "outer") and len(arguments) == 2:
        return f"{tf}.tensordot({', '.join(arguments)}, {1 if name == 'dot' else 0})"
    if name == "concatenate" and len(arguments) == 1:
        arguments.append("axis=0")
    ours = _RENAMED.get(name)
    if ours is None or _has_its_own(call, "dtype" if ours != "convert_to_tensor" else ""):
        return ""
    fewest, most = _ARGUMENTS.get(name, (0, 1 << 20))
    if not fewest <= len([each for each in call.args if each.keyword is None]) <= most:
        return ""
    if name in _ALL_ELEMENTS and arguments and syntax.argument(call, _ALL_ELEMENTS[name], "axis") is None:
        arguments[0] = f"{tf}.reshape({arguments[0]}, [-1])"
    return f"{tf}.{ours}({', '.join(arguments)})"


def named(name: str) -> str:
    """The function of TensorFlow that comes closest to one of NumPy or Python; empty where none is known."""
    ours = _RENAMED.get(name) or _OF_PYTHON.get(name)
    return f"tf.{ours}" if ours else ""


def _has_its_own(call: cst.Call, *more: str) -> bool:
    """Return whether a call has a keyword that only NumPy knows."""
    return any(each.keyword is not None and each.keyword.value in (*_OWN, *more) for each in call.args)


def kept(location: Location, entry: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """What makes a NumPy or Python value at `location`, and works with it until `entry`, done in TensorFlow instead.

    An empty result means that something on the way has no known twin, or that nothing was found to change.
    """
    tree = syntax.tree(location.file, sources)
    if tree is None:
        return ()
    return rewritten(tree, location, None, entry)


def kept_within(location: Location, sources: Sources) -> tuple[Edit, ...] | None:
    """The same for a function of this file that the value at `location` is given to. None: NumPy stays in there."""
    tree = syntax.tree(location.file, sources)
    edits: list[Edit] = []
    for function in _given_to(tree, location) if tree is not None else ():
        assert tree is not None
        if any(tree.canonical(call.func).startswith("numpy.") for call in tree.inside(function, cst.Call)):
            found = in_function(tree, function)
            if not found:
                return None
            edits += found
    return tuple(edits)


def _given_to(tree: Tree, location: Location) -> list[cst.FunctionDef]:
    """The functions of the file that are called with what stands at a place as an argument."""
    called = set()
    for node in tree.at(location, cst.Call):
        above = tree.parent(node)
        while isinstance(above, (cst.Arg, cst.Call)):
            if isinstance(above, cst.Call) and isinstance(above.func, cst.Name):
                called.add(above.func.value)
            above = tree.parent(above)
    return [each for each in tree.inside(tree.module, cst.FunctionDef) if each.name.value in called]


def rewritten(
    tree: Tree, location: Location, convert: Convert | None, entry: Location | None = None
) -> tuple[Edit, ...]:
    """The calls in a statement, and in those that use what it made until `entry`, as `convert` has them.

    None stands for TensorFlow's own functions.
    """
    rewriter = _Rewriter(tree, convert)
    for statement in tree.statements_at(location)[-1:]:
        scope, end = tree.scope(statement), 1 << 30
        if entry is not None and any(tree.scope(each) is scope for each in tree.statements_at(entry)):
            end = max(entry.line, tree.line(statement))
        rewriter.rewrite(statement, None)
        if rewriter.edits:  # else it is not here that something is left
            rewriter.forward(scope, statement, end)
    return rewriter.all()


def of_condition(tree: Tree, location: Location) -> tuple[Edit, ...]:
    """The same in the condition of the branch or loop that begins on a line: AutoGraph takes a tensor for one."""
    rewriter = _Rewriter(tree)
    nodes: list[cst.If | cst.While] = [*tree.inside(tree.module, cst.If), *tree.inside(tree.module, cst.While)]
    for node in nodes:
        if tree.line(node) == location.line:
            rewriter.rewrite_expression(node.test)
    return rewriter.all()


def kept_before(entry: Location, sources: Sources) -> tuple[Edit, ...]:
    """The same, told from where the value came back: what made the values that are used there."""
    tree = syntax.tree(entry.file, sources)
    if tree is None:
        return ()
    rewriter = _Rewriter(tree)
    rewriter.backward(tree.statements_at(entry))
    return rewriter.all()


class _Rewriter:
    def __init__(self, tree: Tree, convert: Convert | None = None) -> None:
        self.tree = tree
        self.convert = convert or _to_tensorflow(tree)
        self.tensors = convert is None
        self.edits: list[Edit] = []
        self.unknown = False

    def all(self) -> tuple[Edit, ...]:
        """The edits; none where something has no known twin."""
        if self.unknown or not self.edits or self.tree.spelled("tensorflow"):
            return () if self.unknown else tuple(self.edits)
        needed = any(f"{_ALIAS}." in edit.replacement for edit in self.edits)
        imported = self.tree.importing(f"import tensorflow as {_ALIAS}") if needed else None
        return (imported, *self.edits) if imported is not None else () if needed else tuple(self.edits)

    def forward(self, scope: cst.Node, first: cst.SimpleStatementLine, end: int) -> None:
        """Behind a statement: what is made of what it binds."""
        tainted = _bound(first)
        for statement in self.tree.inside(scope, cst.SimpleStatementLine):
            begins = self.tree.line(statement)
            if self.tree.line(first) < begins <= end and syntax.names(statement) & tainted:
                self.rewrite(statement, tainted)
                tainted |= _bound(statement)

    def backward(self, statements: Sequence[cst.SimpleStatementLine]) -> None:
        """From a statement back: what bound the names that it reads."""
        if not statements:
            return
        last = statements[-1]
        wanted = {name.value for name in self.tree.inside(last, cst.Name)}
        earlier = [
            each
            for each in self.tree.inside(self.tree.scope(last), cst.SimpleStatementLine)
            if self.tree.line(each) <= self.tree.line(last)
        ]
        for statement in reversed(earlier):
            if statement is last or _bound(statement) & wanted:
                self.rewrite(statement, None)
                wanted |= syntax.names(statement)

    def rewrite(self, statement: cst.SimpleStatementLine, tainted: set[str] | None) -> None:
        """All calls in a statement that leave TensorFlow with a value of one of these names (None: any)."""
        for small in statement.body:
            text = self._text(small, tainted)
            if text != self.tree.text(small):
                target, equals, value = text.partition(" = ")
                gone = self.tree.removed(statement) if equals and target == value else None
                self.edits.append(gone or self.tree.replaced(small, text))

    def rewrite_expression(self, node: cst.Expression) -> None:
        """All calls in it that leave TensorFlow."""
        text = self._text(node, None)
        if text != self.tree.text(node):
            self.edits.append(self.tree.replaced(node, text))

    def _text(self, node: cst.Node, tainted: set[str] | None) -> str:
        """The text of a node with everything inside of it rewritten."""
        return node.rewritten(self._within(node, tainted)).strip()

    def _within(self, node: cst.Node, tainted: set[str] | None) -> list[tuple[cst.Node, str]]:
        """What is rewritten in a node, and how: from the inside out, so that a call gets rewritten arguments."""
        inner = [each for child in node.children for each in self._within(child, tainted)]
        text = None
        if isinstance(node, cst.Call):
            text = self._call(node, inner, tainted)
        elif isinstance(node, cst.Subscript):
            text = self._subscript(node, inner)
        return [(node, text)] if text else inner

    def _call(self, call: cst.Call, inner: list[tuple[cst.Node, str]], tainted: set[str] | None) -> str | None:
        touched = tainted is None or bool(syntax.names(call) & tainted)
        if not touched or not (call.args or isinstance(call.func, cst.Attribute)):
            return None
        updated = statements.expression(call.rewritten(inner)) if inner else call
        assert isinstance(updated, cst.Call)
        text = self.convert(call, updated, tainted is None)
        self.unknown |= text is None
        return text

    def _subscript(self, node: cst.Subscript, inner: list[tuple[cst.Node, str]]) -> str | None:
        """`scores[np.arange(n), chosen]`: tensors are not indexed by arrays."""
        tree, indices = self.tree, [each.slice for each in node.slice]
        rows = indices[0].value if len(indices) == 2 and isinstance(indices[0], cst.Index) else None
        if not self.tensors or not isinstance(rows, cst.Call) or not isinstance(indices[1], cst.Index):
            return None
        if tree.canonical(rows.func) != "numpy.arange":
            return None
        owner, columns = node.value.rewritten(inner), indices[1].value.text
        return f"{_alias(tree)}.gather({owner}, {columns}, axis=1, batch_dims=1)"


def _to_tensorflow(tree: Tree) -> Convert:
    """The same in TensorFlow: for a call of NumPy or Python, and for a method of an array or tensor."""
    tf, code = _alias(tree), tree.text

    def convert(call: cst.Call, updated: cst.Call, first: bool) -> str | None:
        if not tf:
            return None
        name, canonical = syntax.called(call), tree.canonical(call.func)
        arguments = [code(each.value) for each in updated.args]
        if canonical == "os.path.join":
            return f'{tf}.strings.join([{", ".join(arguments)}], separator="/")'
        if canonical.startswith("numpy.") and not canonical.startswith("numpy.random."):
            return twin(tree, updated) or None
        if isinstance(updated.func, cst.Attribute) and not canonical:
            if name in _METHODS and _has_its_own(call, "dtype"):
                return None
            found = _method(name, updated.func.value, updated)
            if found or not isinstance(call.func, cst.Attribute):
                return found
            return "" if code(updated.func.value) == code(call.func.value) else None  # an array's own method
        if isinstance(call.func, cst.Name) and name in _BUILTIN and first and len(arguments) == _BUILTIN[name][0]:
            return f"{tf}.{_BUILTIN[name][1]}({', '.join(arguments)}{_BUILTIN[name][2]})"
        if isinstance(call.func, cst.Name) and name in _NUMBERS and len(arguments) == 1:
            return f"{tf}.cast({arguments[0]}, {tf}.{_NUMBERS[name]})"
        made = canonical in ("tensorflow.constant", "tensorflow.Variable") and not first
        if arguments and (made or (canonical == "tensorflow.constant" and syntax.names(call.args[0]))):
            rest = "".join(f", {code(each)}" for each in updated.args[1:] if each.keyword is not None)
            return f"{tf}.convert_to_tensor({arguments[0]}{rest})"
        return ""

    def _method(name: str, object_: cst.Expression, call: cst.Call) -> str:
        arguments, owner, bare = [code(each.value) for each in call.args], code(object_), _bare(object_)
        if name in ("numpy", "item", "tolist") and not call.args:
            return owner
        if name in ("predict", "predict_on_batch") and len(arguments) == 1 + _keywords(call) and owner != "self":
            return f"{owner}({arguments[0]})"
        if name == "astype" and len(arguments) == 1:
            dtype = arguments[0].strip("\"'").rpartition(".")[2]
            return f"{tf}.cast({bare}, {tf}.{dtype})" if dtype in _DTYPES else ""
        if name == "reshape" and arguments and not _keywords(call):
            size = arguments[0] if len(arguments) == 1 else f"[{', '.join(arguments)}]"
            return f"{tf}.reshape({bare}, {size})"
        if name in ("ravel", "flatten") and not call.args:
            return f"{tf}.reshape({bare}, [-1])"
        if name in _METHODS:
            rest = "".join(f", {code(each)}" for each in call.args)
            return f"{tf}.{_METHODS[name]}({bare}{rest})"
        return ""

    return convert


def _bare(node: cst.Expression) -> str:
    """Its text without the parentheses that an argument does not need."""
    return node.text if isinstance(node, (cst.GeneratorExp, cst.Tuple, cst.NamedExpr)) else node.bare


def _keywords(call: cst.Call) -> int:
    return sum(each.keyword is not None for each in call.args)


def _bound(statement: cst.SimpleStatementLine) -> set[str]:
    """The names that a statement gives a value to, or puts something into."""
    found: set[str] = set()
    for small in statement.body:
        if isinstance(small, cst.Assign):
            for each in small.targets:
                found |= syntax.names(each.target)
        elif isinstance(small, (cst.AnnAssign, cst.AugAssign)):
            found |= syntax.names(small.target)
        elif isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            call = small.value
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in ("append", "extend", "insert"):
                found |= syntax.names(call.func.value)
    return found - {"self"}


def in_function(tree: Tree, function: cst.FunctionDef) -> tuple[Edit, ...] | None:
    """All calls of NumPy in a function done in TensorFlow. None where one of them has no known twin."""
    rewriter = _Rewriter(tree)
    for statement in tree.inside(function.body, cst.SimpleStatementLine):
        rewriter.rewrite(statement, None)
    return None if rewriter.unknown else tuple(rewriter.edits)


def all_of(tree: Tree, statements: Iterable[cst.SimpleStatementLine]) -> tuple[Edit, ...]:
    """The same for some statements."""
    rewriter = _Rewriter(tree)
    for statement in statements:
        rewriter.rewrite(statement, None)
    return rewriter.all()
