"""How messages about training name variables."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case
from tensorwhy.diagnosis.training import names
from tensorwhy.model.facts.training import StaleTrainable
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Symptom
from tensorwhy.source.files import Sources

_HERE = Location(file="train.py", line=1, function="<module>")


def test_variables_known_by_their_names_alone_are_counted() -> None:
    variables = (Variable(tensor=-1, name="net/gamma"), Variable(tensor=-1, name="net/beta"))
    fact = StaleTrainable(value=True, said=_HERE, variables=variables, trained_at=_HERE, at_compile=True)
    assert names(Case(fact=fact, symptom=Symptom(kind="silent"), sources=Sources()), fact) == "`net/gamma` and 1 more"
