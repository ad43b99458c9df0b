"""What was computed while graphs were off, and was kept for a time when they are not."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tensorwhy.adapters.torch.recording.rows import GRAPH
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.files import Sources


class Kept(NamedTuple):
    """The lines that made and used it, and what it is stored in, where that is an attribute or an element."""

    made: Location
    used: Location
    name: str

    def marks(self) -> tuple[Marked, ...]:
        """Both lines."""
        what = f"`{self.name}` is stored here" if self.name else "what is used later is computed here"
        return (
            Marked.at(self.made, f"{what}, without a graph", "kept"),
            Marked.at(self.used, "it is used here, where graphs are kept", "used"),
        )

    def fixes(self) -> tuple[Fix, ...]:
        """How not to use it again."""
        if not self.name:
            return ()
        return (
            Fix(
                summary=f"clear `{self.name}` before graphs are kept again, or store it only under"
                " `if torch.is_grad_enabled():`"
            ),
        )


def find(fact: GradientBreak, lineage: Lineage, sources: Sources) -> Kept | None:
    """The first use of such a result on the way to a target; None where it was made at the line of the break itself."""
    found: list[tuple[Event, Event]] = []
    seen, stack = set(fact.question.targets), list(fact.question.targets)
    while stack:
        for event in lineage.makers(stack.pop()):
            if event.index >= fact.question.event or event.kind > j.RECORDED:
                continue
            for given in set(event.inputs) - seen:
                seen.add(given)
                makers = lineage.makers(given) if given > 0 else ()
                if makers and _is_off(makers[-1], lineage) and not _is_off(event, lineage):
                    found.append((makers[-1], event))
                elif given > 0:
                    stack.append(given)
    if not found:
        return None
    made, used = min(found, key=lambda each: each[1].index)
    return _of(lineage.journal.location(made.place), lineage.journal.location(used.place), fact, sources)


def made_without(fact: GradientBreak, lineage: Lineage) -> Location | None:
    """The line of the target itself, where that was computed while graphs were off."""
    makers = [event for each in fact.question.targets for event in lineage.makers(each)[-1:] if _is_off(event, lineage)]
    return lineage.journal.location(makers[0].place) if makers else None


def _of(made: Location | None, used: Location | None, fact: GradientBreak, sources: Sources) -> Kept | None:
    if made is None or used is None or fact.location is None:
        return None
    if (made.file, made.line) == (fact.location.file, fact.location.line):
        return None
    statement = sources.statement(made)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    name = ast.unparse(target) if isinstance(target, (ast.Attribute, ast.Subscript)) else ""
    return Kept(made, used, name if len(name) <= 40 else "")


def _is_off(event: Event, lineage: Lineage) -> bool:
    return lineage.timeline.span(GRAPH, event.index, event.thread) is None


def is_chosen(off: Location | None, sources: Sources) -> bool:
    """Return whether the program chooses, by a condition of its own, between computing with and without a graph.

    The condition is an argument of what switches, or the same call stands outside of the block as well. Whether a
    module is in training mode is no such choice: that mode may have been forgotten.
    """
    block = sources.statement(off) if off is not None else None
    if off is None or not isinstance(block, ast.With):
        return False
    for each in (item.context_expr for item in block.items):
        condition = each.test if isinstance(each, ast.IfExp) else None
        if isinstance(each, ast.Call) and each.args and not isinstance(each.args[0], ast.Constant):
            condition = each.args[0]
        if condition is not None:
            return "training" not in ast.unparse(condition)
    function = sources.function(off)
    inside = {ast.unparse(node) for each in block.body for node in ast.walk(each) if isinstance(node, ast.Call)}
    for node in ast.walk(function) if function is not None else ():
        if isinstance(node, ast.If) and any(each is block for each in ast.walk(node)):
            own = {id(each) for each in ast.walk(block)}
            others = [each for each in ast.walk(function) if isinstance(each, ast.Call) and id(each) not in own]  # type: ignore[arg-type]
            if "training" not in ast.unparse(node.test) and inside & {*map(ast.unparse, others)}:
                return True
    return False
