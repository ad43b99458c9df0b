"""TW118 name-shadowed: another object has the same name by now."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence, marked, target_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.facts.recorder import ConsumedRecorder
from tensorwhy.model.facts.refusal import Rebound, RefusedObject
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.source.answers.calls import shadowed

META = about(
    __name__, summary="The name was assigned to another object, so it no longer refers to the one that was used."
)


def match(case: Case) -> Evidence | None:
    """Holds when the target does not use the source, and the name it is asked by was bound to another object before."""
    fact = case.fact
    if isinstance(fact, ConsumedRecorder):
        return _hidden_tape(fact)
    if isinstance(fact, RefusedObject):
        return _called(fact, fact.rebound) if fact.call == "a call" and fact.rebound is not None else None
    if not isinstance(fact, Unused) or fact.kind != "unused" or fact.within_gradient:
        return None
    bindings = shadowed(case.sources, fact)
    if not bindings:
        return None
    target, first, last = target_of(case, fact), bindings[0], bindings[-1]
    names = case.sources.names(first)
    name = f"`{names[0]}`" if len(names) == 1 else "its name"
    return evidence(
        case,
        fact,
        certainty="likely",
        doubt="your code does not say which of the two objects you mean",
        location=last,
        why=f"{name} names a new object since line {last.line}, but {target} was still computed with the old one",
        label=f"from here on, {name} names a new object",
        related=[
            *marked(first, f"{target} was computed with this object", "first"),
            *_kept(case, first, last),
            *marked(fact.made.target, f"{target} is computed here", "target"),
        ],
        fixes=(Fix(summary=f"give the object of line {last.line} another name"),),
    )


def _kept(case: Case, first: Location, last: Location) -> list[Marked]:
    """Where a default argument keeps the first object, whatever its name means by the time of the call."""
    names = case.sources.names(first)
    found = []
    for node in case.sources.nodes(first.file):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and first.line < node.lineno < last.line:
            given = [*node.args.posonlyargs, *node.args.args]
            pairs = [*zip(given[::-1], node.args.defaults[::-1]), *zip(node.args.kwonlyargs, node.args.kw_defaults)]
            for argument, default in pairs:
                if isinstance(default, ast.Name) and default.id in names:
                    said = f"`{argument.arg}={default.id}` keeps the object of line {first.line}"
                    found.append(Marked.at(case.sources.place(first.file, default), said, "kept"))
    return found


def _hidden_tape(fact: ConsumedRecorder) -> Evidence | None:
    """A tape inside another one that took over its name: the outer one can no longer be asked."""
    if fact.hidden is None or fact.opened is None:
        return None
    return Evidence(
        message=f"`{fact.name}` is the name of two nested tapes, so the outer one can no longer be reached",
        primary=Marked.at(fact.opened, f"this tape takes over the name `{fact.name}`"),
        related=(
            *marked(fact.hidden, "the outer tape is opened here", "hidden"),
            *marked(fact.first, "this call uses up the inner tape", "first"),
            *marked(fact.location, "and the inner tape is asked again here", "asked"),
        ),
        fixes=(Fix(summary="give the two tapes different names"),),
    )


def _called(fact: RefusedObject, rebound: Rebound) -> Evidence:
    """A tensor under the name of what was to be called."""
    what = "the result of its own call" if rebound.itself else f"a {rebound.now}"
    again = fact.used.line == rebound.at.line
    return Evidence(
        message=f"`{rebound.name}` is called, but it is now {what}",
        primary=Marked.at(rebound.at, "the second time, this calls its own result" if again else "reassigns the name"),
        related=(
            *marked(rebound.made, "first assigned here", "first"),
            *(() if again else marked(fact.used, f"calls a {rebound.now}", "called")),
        ),
        certainty="proved" if rebound.itself else "likely",
        fixes=(Fix(summary=f"give the result its own name, so that `{rebound.name}` stays callable"),),
    )
