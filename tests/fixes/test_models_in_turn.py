"""The model of a loop stands for another one each time: no call elsewhere can be made of its name."""

from __future__ import annotations

import pytest

from support.edits import Written, line
from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import Symptom
from tensorwhy.reasons.tw117_cloned_or_rebuilt import fix
from tensorwhy.source.files import Sources

IN_TURN = """\
def update(first, second, x):
    with GradientTape() as tape:
        loss = second(x)
    for net in (first, first):
        grads = tape.gradient(loss, net.trainable_variables)
"""
ONE = """\
def update(net, second, x):
    with GradientTape() as tape:
        loss = second(x)
    if True:
        grads = tape.gradient(loss, net.trainable_variables)
"""


def in_update(place: Location) -> Location:
    return Location(file=place.file, line=place.line, function="update")


@pytest.mark.parametrize(("program", "edited"), [(IN_TURN, False), (ONE, True)])
def test_a_name_that_a_loop_gives_in_turn_is_used_in_no_edit(written: Written, program: str, edited: bool) -> None:
    file = written(program)
    used, asked = in_update(line(file, 3)), in_update(line(file, 5))
    question = GradientQuestion(recorder=0, event=1, asked=1, location=asked, sources=(), targets=())
    fact = Unused(
        kind="unused",
        question=question,
        sources=(Source(tensor=1, variable=True),),
        location=used,
        instead=(Variable(tensor=2),),
    )
    case = Case(fact=fact, symptom=Symptom(kind="none-gradient"), failure=None, others=(), sources=Sources())
    (found,) = fix.propose(case, Evidence(message="", primary=Marked.at(used, "")))
    assert bool(found.edits) is edited
