"""What the reasons about recorders share: the edits that only help together, so that each of them proposes all."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.asked import source_words
from tensorwhy.diagnosis.reason import Case
from tensorwhy.fixes import tape
from tensorwhy.model.facts.gradient import GradientBreak, NotRecorded, NotWatched
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.answers.calls import asked_sources


def once(fact: NotRecorded) -> str:
    """The method that runs once for each layer, where TensorFlow itself stopped recording while it ran; else empty."""
    own = fact.region == "paused" and fact.recorder_closed is None and fact.location is not None
    return fact.location.runs_once if own and fact.location is not None else ""


def name(case: Case, opened: Location | None) -> str:
    """Return what the `with` at a place calls its tape; empty where it has no plain name."""
    statement = case.sources.statement(opened) if opened is not None else None
    if opened is None or not isinstance(statement, (ast.With, ast.AsyncWith)):
        return ""
    for item in statement.items:
        place = case.sources.place(opened.file, item.context_expr)
        here = opened.column in (None, place.column) and opened.line == place.line
        if isinstance(item.optional_vars, ast.Name) and (here or len(statement.items) == 1):
            return item.optional_vars.id
    return ""


def called(case: Case, opened: Location | None, noun: str, article: str = "the") -> str:
    """What a sentence calls a recorder: by the name that the program gave it, where that says more than its kind."""
    own = name(case, opened)
    return f"`{own}`" if own and own != noun else f"{article} {noun}"


def starts(case: Case, opened: Location | None, noun: str) -> str:
    """The words beside the line that opened a recorder."""
    return f"{called(case, opened, noun, 'this')} starts recording here"


def edits(case: Case) -> tuple[Edit, ...]:
    """Let the tape watch what it does not, and record what ran outside of it; empty when that is no local edit."""
    facts = [fact for fact in (case.fact, *case.others) if isinstance(fact, GradientBreak)]
    opened = facts[0].made.recorder
    if opened is None or any(fact.made.recorder != opened for fact in facts):
        return ()
    watch: dict[str, None] = {}
    inside: list[tuple[Location, Location]] = []
    for fact in facts:
        if isinstance(fact, NotWatched):
            expression = watched(case, fact)
            if not expression or fact.question.location is None or fact.question.location.function != opened.function:
                return ()
            watch[expression] = None
        elif isinstance(fact, NotRecorded):
            if fact.location is None or fact.region not in ("before", "after"):
                return ()
            inside.append((fact.called, fact.called) if fact.called else (fact.location, fact.last or fact.location))
    return tape.recorded(opened, case.sources, watch=tuple(watch), inside=inside)


def watched(case: Case, fact: NotWatched) -> str:
    """The expression that the tape should watch, as the program wrote it; empty where it wrote none."""
    words = source_words(case.sources, fact.question, fact.sources[0])
    expression = words.strip("`") if words.startswith("`") else ""
    if expression and all(part.isidentifier() for part in expression.split(".")):
        return expression
    by_itself = fact.auto_watch and fact.sources[0].variable
    asked = asked_sources(case.sources, fact.question) if not by_itself and fact.question.asked > 1 else None
    whole = ast.unparse(asked) if isinstance(asked, ast.Attribute) else ""  # a tape watches lists, too
    return whole if all(part.isidentifier() for part in whole.split(".")) else ""


def unwatched(case: Case) -> str:
    """What another fact of the same question wants to be watched; empty when none does."""
    others = [fact for fact in case.others if isinstance(fact, NotWatched)]
    return watched(case, others[0]) if others else ""


def outside(case: Case) -> str:
    """The lines that another fact of the same question wants to be moved into the block; empty when none does."""
    others = [fact for fact in case.others if isinstance(fact, NotRecorded)]
    return lines(others[0]) if others else ""


def lines(fact: NotRecorded) -> str:
    """The lines of what ran outside, or the call of it, where they are in the function that opened the tape."""
    place, last, opened = fact.location, fact.last, fact.made.recorder
    if fact.called is not None:
        return f"the call in line {fact.called.line}"
    if place is None or opened is None or (place.file, place.function) != (opened.file, opened.function):
        return "this computation"
    if last is not None and last.file == place.file and last.line > place.line:
        return f"lines {place.line} to {last.line}"
    return f"line {place.line}"
