"""A value was asked of a tensor that has none yet, because its graph was still being traced."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.graph import EagerOnlyInGraph, Symbolic, UnknownSize
from tensorwhy.model.facts.loops import ArrayOutside, PythonAccumulator
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import _leaks
from tensorwhy.reasons.tw406_eager_only_in_graph import unknown_size, words

META = about(
    __name__,
    summary="Something that needs a value (`.numpy()`, NumPy, `if`, `for`, `float`) was applied to a symbolic tensor.",
)


CONVERTED = "the function is then traced separately, so any layer it calls must already be built"
"""What else `@tf.function` does. A trace that Keras 3 made in its trial run of a layer has no variables in it."""

_OF_MODELS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")


def match(case: Case) -> Evidence | None:
    fact = case.fact
    if isinstance(fact, UnknownSize):
        return unknown_size.evidence(fact)
    if not isinstance(fact, EagerOnlyInGraph):
        return None
    if any(isinstance(other, (PythonAccumulator, ArrayOutside)) for other in case.others):
        return None  # the same failure, with the container that it happened to
    text = fact.tensor_text or _name(fact, case)
    subject = f"`{text}`" if text else "it" if fact.operation == "elements" else "a tensor"
    if fact.operation == "method" and fact.name in _OF_MODELS:
        return _of_a_model(fact)
    graph = _leaks.graph_words(fact.tensor.graph) if fact.tensor.graph.kind != "unknown" else "a function"
    created = fact.tensor.created
    related = (
        _leaks.elsewhere(fact.used, Marked.at(created, f"{subject} was created here", "created"))
        if created is not None and fact.tensor.op not in ("Placeholder", "IteratorGetNext")
        else ()
    )
    if fact.switched_off is not None:
        related = (*related, Marked.at(fact.switched_off, "eager execution is switched off here", "switched-off"))
    missed = (
        None
        if fact.given is not None
        else fact.unconverted
        if fact.autograph is False or _is_comprehension(fact)
        else None
    )
    if missed is not None and missed.called is not None:
        label = f"AutoGraph rewrites this line, and not `{missed.function}`, which it calls"
        related = (*related, *_leaks.elsewhere(fact.used, Marked.at(missed.called, label, "unconverted")))
    if fact.given is not None:
        related = (*related, Marked.at(fact.given, f"`{fact.given_by}` gives {subject} its value", "given"))
    known = fact.tensor.graph.kind != "unknown" or fact.operation in ("truth", "iteration")
    return Evidence(
        message=f"{words.asked(fact, subject)}, but {_but(fact, subject, graph)}"
        if fact.given is None
        else f"{subject} is a single tensor here, and is unpacked into {fact.names} names",
        primary=Marked.at(fact.used, f"needs {_what(fact)} of {subject}", "used"),
        related=related,
        certainty="proved" if known else "likely",
        target=TensorRef(
            name=text, kind="symbolic", dtype=fact.tensor.dtype, shape=fact.tensor.shape, location=fact.tensor.created
        ),
        notes=(_LEFT_OUT[missed.why].format(missed),) if missed is not None and missed.why in _LEFT_OUT else (),
        fixes=tuple(_fixes(fact, case)),
    )


_LEFT_OUT = {
    "constructor": "AutoGraph rewrites no constructor, nor what a constructor calls: `{0.function}` runs as written",
    "lambda": "AutoGraph could not rewrite this lambda: it runs as written",
    "library": "`{0.function}` is called by a library (`{0.by}`), and AutoGraph does not follow it there",
    "comprehension": "AutoGraph rewrites no comprehension: the one on this line runs as plain Python while tracing",
    "off": "`{0.function}` is traced with `autograph=False`: it runs as written",
    "excluded": "`{0.function}` is excluded from AutoGraph (`do_not_convert`)",
}


def _is_comprehension(fact: EagerOnlyInGraph) -> bool:
    return fact.unconverted is not None and fact.unconverted.why == "comprehension"


def _what(fact: EagerOnlyInGraph) -> str:
    return "the elements" if fact.operation == "elements" else "the value"


def _but(fact: EagerOnlyInGraph, subject: str, graph: str) -> str:
    if fact.operation == "elements":
        return f"{subject} has no elements until a session runs the iterator: nothing is executed eagerly here"
    if fact.tensor.graph.kind == "plain":
        return f"{subject} has no value until a session runs its graph"
    return f"{subject} has no value while {graph} is traced"


def _of_a_model(fact: EagerOnlyInGraph) -> Evidence:
    """`fit`, `predict` and the like run a whole loop of their own, and return arrays."""
    call = f"{fact.tensor_text}(x)" if fact.tensor_text else "model(x)"
    return Evidence(
        message=f"`.{fact.name}()` of a model returns values, so it cannot run while a function is traced",
        primary=Marked.at(fact.used, "runs its own loop", "used"),
        fixes=(Fix(summary=f"call the model itself inside traced functions: `{call}`"),),
    )


def _name(fact: EagerOnlyInGraph, case: Case) -> str:
    created = fact.tensor.created
    if created is not None and (created.file, created.line) != (fact.used.file, fact.used.line):
        names = case.sources.names(created)
        if len(names) == 1:
            return names[0]
    return ""


def one_truth_value(tensor: Symbolic) -> bool:
    """Whether a condition may be one: a branch of a graph takes no more elements than one."""
    return tensor.shape is None or all(size == 1 for size in tensor.shape)


def _fixes(fact: EagerOnlyInGraph, case: Case) -> list[Fix]:
    fixes = _in_the_graph(fact, case)
    if fact.switched_off is None:
        return fixes
    on = Fix(
        summary="keep eager execution on: without the line that switches it off, this has values",
        caveat="unless other parts of the program need a graph and its session",
    )
    return [on, *fixes] if fact.operation == "elements" else [*fixes, on]


def _in_the_graph(fact: EagerOnlyInGraph, case: Case) -> list[Fix]:
    if fact.operation == "truth":
        return _for_truth(fact, case)
    if fact.operation == "iteration":
        return _for_iteration(fact, case)
    if fact.name != "range" or fact.operation in ("elements", "length", "dimension", "index", "key"):
        return words.in_the_graph(fact)
    rows = _over_rows(fact, case)
    if rows:
        return [
            Fix(
                summary=f"work on `{rows}` as a whole, or on each row by `tf.map_fn(lambda row: ..., {rows})`: a "
                "loop of the graph cannot fill a Python list",
            ),
            Fix(summary="or count by the static `x.shape[...]` if it is known"),
        ]
    return [
        Fix(
            summary="loop in the graph: `tf.range` in a function that is decorated with "
            "`@tf.function`; or count by the static `x.shape[...]` if it is known",
            caveat="Keras 3 does not apply AutoGraph to `call` by itself",
        )
    ]


def _over_rows(fact: EagerOnlyInGraph, case: Case) -> str:
    """The tensor whose rows a Python loop goes over, and puts into a list; else empty."""
    loop = case.sources.statement(fact.used)
    if not isinstance(loop, ast.For) or not any(_appends(node) for node in ast.walk(loop)):
        return ""
    sizes = [node for node in ast.walk(loop.iter) if isinstance(node, ast.Call) and "shape" in ast.unparse(node.func)]
    return ast.unparse(sizes[0].args[0]) if sizes and sizes[0].args else ""


def _appends(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"


def membership(fact: EagerOnlyInGraph) -> str:
    """What asks in the graph whether a list holds the tensor, where `in` asks Python; else empty."""
    try:
        asked = ast.parse(fact.tensor_text, mode="eval").body
    except SyntaxError:
        return ""
    if (
        fact.operation != "truth"
        or fact.autograph is False
        or not isinstance(asked, ast.Compare)
        or len(asked.ops) != 1
    ):
        return ""
    given = f"{ast.unparse(asked.left)}, {ast.unparse(asked.comparators[0])}"
    if isinstance(asked.ops[0], ast.NotIn):
        return f"tf.reduce_all(tf.not_equal({given}))"
    return f"tf.reduce_any(tf.equal({given}))" if isinstance(asked.ops[0], ast.In) else ""


_DECORATE, _TURN_ON = "decorate the function with `@tf.function`", "leave out `autograph=False`"
_LEFT = (
    "or let AutoGraph convert the function, which is already decorated: TensorFlow warned about what prevents it, "
    "such as an annotation without a value, or one in a branch (`x: tf.Tensor`)"
)


def _decorated(fact: EagerOnlyInGraph, case: Case) -> bool:
    """Whether the function is decorated with `tf.function`, AutoGraph included: then it could not be rewritten."""
    function = case.sources.function(fact.used, lambdas=False)
    for each in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
        keywords = each.keywords if isinstance(each, ast.Call) else []
        name = each.func if isinstance(each, ast.Call) else each
        if ast.unparse(name) in ("tf.function", "tensorflow.function"):
            return all(keyword.arg != "autograph" for keyword in keywords)
    return False


_NEVER_CONVERTED = ("__init__", "__new__", "<lambda>", "<genexpr>")
"""AutoGraph leaves constructors as they are, and no decorator can be put on the others."""
_HOLDS: dict[type[ast.cmpop], str] = {
    ast.Gt: "less_equal",
    ast.GtE: "less",
    ast.Lt: "greater_equal",
    ast.LtE: "greater",
    ast.NotEq: "equal",
    ast.Eq: "none_equal",
}
"""What must hold where the condition of a `raise` must not."""


def guards(statement: ast.stmt | None) -> bool:
    """Whether it only raises: `if wrong: raise ...`."""
    return isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], ast.Raise)


def checked(statement: ast.stmt | None, tf: str) -> str:
    """The same check as an operation of the graph, where it compares two values; else empty."""
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare) or len(statement.test.ops) > 1:
        return ""
    test, raised = statement.test, statement.body[-1]
    holds = _HOLDS.get(type(test.ops[0]))
    if holds is None or not isinstance(raised, ast.Raise) or len(statement.body) > 1:
        return ""
    given = [ast.unparse(test.left), ast.unparse(test.comparators[0])]
    words = raised.exc.args[:1] if isinstance(raised.exc, ast.Call) else []
    given += [f"message={ast.unparse(each)}" for each in words if isinstance(each, ast.Constant)]
    return f"{tf}.debugging.assert_{holds}({', '.join(given)})"


def _for_truth(fact: EagerOnlyInGraph, case: Case) -> list[Fix]:
    statement = case.sources.statement(fact.used)
    if isinstance(statement, ast.Assert) or guards(statement):
        # AutoGraph would trace the branch of the `raise`, too, and so raise in each call.
        check = checked(statement, "tf") or "`tf.debugging.Assert`, or one of `tf.debugging.assert_...`"
        return [
            Fix(
                summary=f"check in the graph: {check if '`' in check else f'`{check}`'}",
                caveat="the check then fails when the graph runs, with another exception class",
            ),
            Fix(summary="or check before tracing, where values are known"),
        ]
    holds = membership(fact)
    if holds:
        return [Fix(summary=f"compare in the graph: `{holds}`; AutoGraph does not rewrite `in`")]
    choose = Fix(summary="decide inside the graph: `tf.where` for elements, `tf.cond` for branches")
    if fact.unconverted is not None and fact.unconverted.why in ("constructor", "excluded"):
        return [choose]
    off = fact.unconverted is not None and fact.unconverted.why == "off"
    rewrite = f"let AutoGraph rewrite the `if`: {_TURN_ON if off else _DECORATE}"
    if fact.used.function.rpartition(".")[2] in _NEVER_CONVERTED:
        return [choose]
    if fact.autograph is False and _decorated(fact, case):
        return [choose, Fix(summary=_LEFT)]
    if fact.autograph is False and one_truth_value(fact.tensor):
        return [choose, Fix(summary=f"or {rewrite}")]
    if fact.autograph is False:
        decision = "decide once for all elements, with `tf.reduce_any(...)` or `tf.reduce_all(...)`"
        return [choose, Fix(summary=f"or {decision}, and {rewrite}")]
    return [choose]


def unpacked(fact: EagerOnlyInGraph, case: Case) -> ast.Assign | None:
    """`a, b = tensor`, where it is known that the tensor has as many parts."""
    statement, shape = case.sources.statement(fact.used), fact.tensor.shape
    if fact.operation != "iteration" or fact.name or not isinstance(statement, ast.Assign) or not shape:
        return None
    parts = [each for each in statement.targets if isinstance(each, (ast.Tuple, ast.List))]
    known = len(parts) == len(statement.targets) == 1 and len(parts[0].elts) == shape[0]
    return statement if known and ast.unparse(statement.value) == fact.tensor_text else None


def _for_iteration(fact: EagerOnlyInGraph, case: Case) -> list[Fix]:
    if fact.given is not None and unpacked(fact, case) is None:
        wanted, text = f"a tuple of {fact.names} parts", fact.tensor_text or "it"
        return [
            Fix(summary=f"let `{fact.given_by}` give {wanted}: here it gets data for one"),
            Fix(summary=f"or use `{text}` as it is, if one tensor is all that there is"),
        ]
    if unpacked(fact, case) is not None:
        return [Fix(summary=f"split it in the graph with `tf.unstack({fact.tensor_text})`, because its size is known")]
    whole = Fix(
        summary="work on the whole tensor at once, or use `tf.map_fn`; "
        "where the size is known, `tf.unstack` gives a Python list"
    )
    loop = case.sources.statement(fact.used)
    if _is_comprehension(fact):
        written = "or write the comprehension as a `for` loop that fills a `tf.TensorArray`, which AutoGraph rewrites"
        return [whole, Fix(summary=written)]
    if isinstance(loop, ast.For) and any(_appends(node) for node in ast.walk(loop)):
        array = (
            "or collect in a `tf.TensorArray`, `array = array.write(index, value)`, in a loop that AutoGraph rewrites"
        )
        return [
            Fix(
                summary="work on the whole tensor at once, or on each element by `tf.map_fn`: a loop of the graph "
                "cannot fill a Python list"
            ),
            Fix(summary=f"{array}: decorate the function with `@tf.function`", caveat=CONVERTED),
        ]
    if fact.autograph is False and not fact.name and isinstance(loop, ast.For):
        off = fact.unconverted is not None and fact.unconverted.why == "off"
        summary = f"let AutoGraph rewrite the `for`: {_TURN_ON if off else _DECORATE}"
        return [Fix(summary=summary, caveat=CONVERTED), whole]
    return [whole]
