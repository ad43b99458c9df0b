"""What the rules about training loops share: the names of variables, and the lines beside the first."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.facts.training import (
    NothingToOptimize,
    NothingTrainable,
    NotTrained,
    OverruledTrainable,
    StaleTrainable,
)
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.question import Variable
from tensorwhy.model.report import TensorRef

AboutVariables = NotTrained | StaleTrainable | NothingTrainable | NothingToOptimize | OverruledTrainable


def names(case: Case, fact: AboutVariables) -> str:
    """The first variable, and how many more."""
    more = len(fact.variables) - 1
    if fact.variables[0].tensor < 0:
        return f"`{fact.variables[0].name}`" + (f" and {more} more" if more else "")
    rest = f" and {more} more variable{'' if more == 1 else 's'}" if more else ""
    return f"variable `{name_of(case, fact.variables[0])}`{rest}"


def name_of(case: Case, variable: Variable) -> str:
    """The variable's own name; where it was given none, the user's name for it."""
    return variable_name(case.sources, variable.name, variable.created) or "a variable"


def verb(fact: AboutVariables, one: str, several: str) -> str:
    """The verb that fits the number of variables."""
    return one if len(fact.variables) == 1 else several


def refs(case: Case, fact: AboutVariables) -> tuple[TensorRef, ...]:
    """The variables as a report lists them."""
    return tuple(
        TensorRef(name=name_of(case, each), kind="variable", dtype=each.dtype, shape=each.shape, location=each.created)
        for each in fact.variables
    )


def marks(primary: Location | None, *places: tuple[Location | None, str, str]) -> tuple[Marked, ...]:
    """Further places with their labels and roles, but for those that are not known, or on the primary line."""
    return tuple(
        Marked.at(place, label, role)
        for place, label, role in places
        if place is not None and (primary is None or (place.file, place.line) != (primary.file, primary.line))
    )
