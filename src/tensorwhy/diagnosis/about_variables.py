"""Which diagnoses are about which variable: joins the page of the model to the page of the diagnoses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from tensorwhy.model.report import Diagnosis, VariableView

_Key = tuple[str, tuple[int | None, ...] | None]


def joined(variables: Iterable[VariableView], diagnoses: Iterable[Diagnosis]) -> tuple[VariableView, ...]:
    """The variables, each with the ids of the diagnoses whose sources have its name and shape.

    Frameworks give the same name twice; a gradient that flows is nobody's loss, so of those only the others count.
    """
    about: dict[_Key, dict[str, None]] = defaultdict(dict)
    for diagnosis in diagnoses:
        for source in (diagnosis.source, *diagnosis.also):
            if source is not None and source.kind == "variable":
                about[source.name.removesuffix(":0").rpartition("/")[2], source.shape][diagnosis.id] = None
    return tuple(
        msgspec.structs.replace(variable, diagnoses=tuple(about[variable.name, variable.shape]))
        if variable.gradient != "flows"
        else variable
        for variable in variables
    )
