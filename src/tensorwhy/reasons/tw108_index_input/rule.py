"""TW108 index-input: the source only steers an operation: which elements, which branch, which shape."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, target_of
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.report import Fix
from tensorwhy.source.reading import node_at

META = about(
    __name__, summary="It is used only as an index, condition, shape or limit, and those inputs have no gradient."
)


def match(case: Case) -> Evidence | None:
    """Holds when the input on the path is one that selects or shapes, and whose gradient is None."""
    fact = case.fact
    if not isinstance(fact, NotPassed) or fact.kind != "index-input" or fact.within_gradient:
        return None
    if fact.role == "own shape":
        return evidence(
            case,
            fact,
            why=f"{target_of(case, fact)} depends only on its shape, not on its values",
            label="only the shape is used here",
            fixes=(Fix(summary="compute the result from the values"),),
        )
    op = as_written(fact.op, fact.location, case.sources)
    return evidence(
        case,
        fact,
        why=f"it is used only as the {fact.role} of {op}, which has no gradient for that input",
        label=f"used here as the {fact.role} of {op}" + (f" in layer `{fact.layer_name}`" if fact.layer_name else ""),
        related=[
            *source_made(case, fact),
            *marked(
                fact.chosen, f"becomes {_FORM[fact.role == 'condition']} here, through {_chosen(case, fact)}", "chosen"
            ),
        ],
        fixes=(
            *(_WEIGHTS if fact.chosen_by in _PICKING and fact.role != "condition" else ()),
            Fix(
                summary=_soft(case, fact),
                caveat="unless the choice is meant to be fixed; then None is correct",
            ),
        ),
    )


def _soft(case: Case, fact: NotPassed) -> str:
    """Weights in the place of what selects; of a comparison, those that it would be with a slope."""
    node = node_at(fact.chosen, case.sources) if fact.chosen is not None else None
    order = node.ops[0] if isinstance(node, ast.Compare) and len(node.ops) == 1 else None
    if isinstance(node, ast.Compare) and isinstance(order, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
        sides = [node.left, node.comparators[0]]
        more, less = sides if isinstance(order, (ast.Gt, ast.GtE)) else reversed(sides)
        sigmoid = f"tf.sigmoid({ast.unparse(ast.BinOp(more, ast.Sub(), less))})"
        return (
            f"replace the comparison with a smooth one, such as `{sigmoid}`, and multiply by it instead of selecting; "
            "a comparison that is cast to float has no gradient either"
        )
    return f"compute weights from it (a sigmoid, a softmax), and multiply by them: the {fact.role} has no gradient"


def _chosen(case: Case, fact: NotPassed) -> str:
    return as_written(fact.chosen_by, fact.chosen, case.sources)


_FORM = {False: "a whole number", True: "true or false"}
_PICKING = ("ArgMax", "ArgMin", "Multinomial", "StatelessMultinomial", "TopKV2")
_WEIGHTS = (
    Fix(
        summary="weight all rows by `tf.nn.softmax(scores)` and sum them (`weights @ table`) instead of selecting one",
        caveat="the result mixes all rows; Gumbel noise and a low temperature bring it close to one row",
    ),
)
