"""Uses what was computed and then forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.diagnosis.gradient import source_of, target_of
from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import one_pass, syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Fix, Position
from tensorwhy.reasons.tw115_unused.rule import made_anew, origin, target_made
from tensorwhy.reasons.tw115_unused.words import row, words
from tensorwhy.source.answers.calls import source_written
from tensorwhy.source.concrete import nodes as cst


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The forgotten name where its own input is used once more, or added to what the function returns."""
    fact = case.fact
    if not isinstance(fact, Unused):
        return
    if fact.use is not None and fact.use.how == "first-value":
        yield from _without_trace(fact.use.location)
        return
    again = fact.use is not None and fact.use.how == "again"
    once = one_pass.together(fact.made.source, case.sources) if fact.location is None or again else None
    if once is not None:
        yield Fix(summary=once[0], edits=once[1], caveat="both models must begin at the same inputs")
    if fact.use is not None and fact.use.how != "none-asked":
        edits = _whole(fact, case)
        if edits:
            caveat = "the gradient is that of the whole tensor; this takes the part that was asked for"
            yield Fix(summary=f"write `{edits[0].replacement}`", edits=edits, caveat=caveat)
        if once is None:
            target, source, of = target_of(case, fact), source_of(case, fact), origin(case, fact)
            said = words(row(fact.use), target=target, source=source, op=fact.use.op, made="", origin=of)
            yield Fix(summary=said.fix)
        return
    summary = f"use it to compute {target_of(case, fact)}, or do not ask for its gradient"
    if fact.location is None and not fact.sources[0].variable:
        target, source = target_of(case, fact), source_of(case, fact)
        summary = f"compute {target} from {source}, or ask for what {target} is computed from"
        if made_anew(case, fact):
            summary = f"give the value computed from {source} a name, use it in {target} and in the gradient call"
    if fact.question.location is not None and target_made(case, fact) == fact.question.location:
        # A library's training loop made the target and chose the sources, in one call of the user's.
        summary = "use it in the loss (an output of the model can have its own loss), or remove it from the model"
    if fact.python is not None:
        yield Fix(
            summary="let the Python function return only the inputs, and call the model on them outside it",
            caveat="if that function only loads data, the loss is missing the model's output instead",
        )
        return
    found = list(_ways(fact, case))
    for way, edits in found:
        yield Fix(summary=way, edits=edits, caveat="this edit is a guess at what you meant: read it before you keep it")
    if not found:
        yield Fix(summary=summary)


def _whole(fact: Unused, case: Case) -> tuple[Edit, ...]:
    """Ask for all of what the source is a part of, where that is written in the call, and take the part afterwards."""
    written = source_written(case.sources, fact.question, fact.sources[0])
    asked = fact.question.location
    if fact.use is None or fact.use.how != "derived" or not isinstance(written, ast.Subscript) or asked is None:
        return ()
    tree = syntax.tree(asked.file, case.sources)
    for call in tree.at(asked, cst.Call) if tree is not None else ():
        given = syntax.argument(call, 1, "sources", "source")
        part = given.value if given is not None else None
        whole = ast.unparse(written.value)
        if tree is not None and part is not None and tree.text(part).startswith(whole + "["):
            text, taken = tree.text(call), tree.text(part)
            return (tree.replaced(call, text.replace(taken, whole, 1) + taken[len(whole) :]),)
    return ()


def _without_trace(function: Location) -> Fixes:
    """Leave the tracing to the training step, or let there be variables before it."""
    edits: tuple[Edit, ...] = ()
    if function.end_line is not None:  # a decorator, on lines of its own
        start, end = Position(line=function.line, column=0), Position(line=function.end_line + 1, column=0)
        edits = (Edit(file=function.file, start=start, end=end, replacement=""),)
    summary = "remove `tf.function` here: `fit` and `predict` trace their steps anyway"
    loops = "where it has no loop or condition over tensors: Keras 3 does not convert those"
    yield Fix(summary=summary, edits=edits, caveat=loops)
    yield Fix(
        summary="or create the variables first: call `build` of each layer in it in `__init__`",
        caveat="`build` runs too late in a model that is itself traced during a trial call",
    )


def _ways(fact: Unused, case: Case) -> Iterator[tuple[str, tuple[Edit, ...]]]:
    tree = syntax.tree(fact.location.file, case.sources) if fact.location is not None else None
    if tree is None:
        return
    for statement in tree.statements_at(fact.location):
        name = syntax.target(statement)
        made = syntax.value(statement)
        if not isinstance(name, cst.Name) or not isinstance(made, cst.Call) or not made.args:
            continue
        behind = list(_behind(tree, statement))
        lost = _overwritten(tree, name.value, behind)
        if lost is not None:
            yield lost
            continue
        if any(name.value in syntax.names(_read(each)) for each in behind):
            continue  # it goes on from here, and is lost further on
        given = tree.text(made.args[0].value)
        for call in (call for each in behind for call in tree.inside(each, cst.Call)):
            if (
                call.args
                and given.isidentifier()
                and tree.text(call.args[0].value) == given
                and not _module(tree, call)
            ):
                yield (
                    f"pass `{name.value}` to `{tree.text(call.func)}` instead of `{given}`",
                    (tree.replaced(call.args[0].value, name.value),),
                )
                break
        function = tree.function(statement)
        returned = [each for each in behind if isinstance(each.body[0], cst.Return)]
        for last in returned[-1:] if function is not None and not _asked_in(fact) else ():
            small = last.body[0]
            if isinstance(small, cst.Return) and isinstance(small.value, (cst.Name, cst.BinaryOperation)):
                text = f"{tree.text(small.value)} + {name.value}"
                yield f"add `{name.value}` to what the function returns", (tree.replaced(small.value, text),)


def _overwritten(tree: Tree, name: str, behind: list[cst.SimpleStatementLine]) -> tuple[str, tuple[Edit, ...]] | None:
    """The next statement that uses a name, if that only gives it the result of a call of something else."""
    for each in behind:
        bound, made = syntax.target(each), syntax.value(each)
        again = isinstance(bound, cst.Name) and bound.value == name
        if again and made is not None and name not in syntax.names(made):
            plain = isinstance(made, cst.Call) and len(made.args) == 1 and not _module(tree, made)
            given = made.args[0].value if plain and isinstance(made, cst.Call) else None
            if isinstance(made, cst.Call) and isinstance(given, cst.Name):
                where = (
                    f"pass `{name}` to `{tree.text(made.func)}` on line {tree.line(each)} instead of `{given.value}`"
                )
                return where, (tree.replaced(given, name),)
            return None
        if name in syntax.names(each):
            return None
    return None


def _asked_in(fact: Unused) -> bool:
    """True if the gradient is asked for in the function that forgets the value: what that returns comes too late."""
    asked, place = fact.question.location, fact.location
    return asked is not None and place is not None and (asked.file, asked.function) == (place.file, place.function)


def _behind(tree: Tree, statement: cst.SimpleStatementLine) -> Iterator[cst.SimpleStatementLine]:
    """The statements of the same scope that stand behind one."""
    for each in tree.inside(tree.scope(statement), cst.SimpleStatementLine):
        if tree.line(each) > tree.line(statement):
            yield each


def _read(statement: cst.SimpleStatementLine) -> cst.Node:
    return syntax.value(statement) or statement


def _module(tree: Tree, call: cst.Call) -> bool:
    """Return whether it is a function of a library that is called."""
    return bool(tree.canonical(call.func))
