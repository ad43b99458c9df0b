"""TW307 output-not-from-layer: no layer and no Keras operation produced what was named as a model's output."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.symbolic import Given, OutputNotFromLayer
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words
from tensorwhy.source.files import Sources

META = about(__name__, summary="An output of a functional model was not produced by a layer or a Keras operation.")


def match(case: Case) -> Evidence | None:
    """Holds when an output is a variable, a graph tensor, a number or nothing at all."""
    fact = case.fact
    if not isinstance(fact, OutputNotFromLayer):
        return None
    given = fact.given
    nothing = given.sort == "NoneType"
    name = words.given(given, case.sources)
    primary = given.made or given.written or fact.used
    what = "None" if nothing else words.article(given.sort)
    forgot, defined, called = _without_return(given, case.sources) if nothing else ("", None, None)
    return Evidence(
        message=f"an output of {words.code(fact.needed_by)} is {what}"
        + ("" if nothing and name == "`None`" else f" ({name})")
        + (f": `{forgot}` has no `return`" if forgot else ", not the result of a layer"),
        primary=Marked.at(primary, f"{'None' if nothing else given.sort} here, not the result of a layer", "output"),
        related=words.marks(
            (given.written, "named as an output", "given"),
            (defined, f"`{forgot}` returns nothing", "defined"),
            (called, f"so {name} is None", "called"),
            (fact.used, "every output must come from the inputs through layers", "model"),
            primary=primary,
        ),
        source=given.tensor,
        fixes=(Fix(summary=_fix(given.sort, forgot)),),
    )


def _without_return(given: Given, sources: Sources) -> tuple[str, Location | None, Location | None]:
    """The function of the same file whose call is all that this name is bound to, if it returns nothing."""
    place = given.made or given.written
    nodes = list(sources.nodes(place.file)) if place is not None else []
    bound = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    calls = [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if [ast.unparse(each) for each in node.targets] == [given.name]
    ]
    if place is None or len(calls) != 1 or sum(node.id == given.name for node in bound) != 1:
        return "", None, None
    name = ast.unparse(calls[0].func)
    found = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name]
    ends = (ast.Return, ast.Yield, ast.YieldFrom)
    silent = len(found) == 1 and not any(isinstance(node, ends) for node in ast.walk(found[0]))
    if not silent:
        return "", None, None
    return name, sources.place(place.file, found[0]), sources.place(place.file, calls[0])


def _fix(sort: str, forgot: str) -> str:
    if sort == "variable":
        return (
            "give the variable to a layer (`self.add_weight(...)`), use it in that layer's `call`, and take the"
            " layer's output"
        )
    if sort == "NoneType":
        return f"return the last tensor from {f'`{forgot}`' if forgot else 'the function that builds the outputs'}"
    return "compute the output with layers or Keras operations from the model's inputs"
