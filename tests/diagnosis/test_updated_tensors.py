"""What an optimizer is to be given in place of a plain tensor depends on how that came there."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.facts.training import UpdatedTensor
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.reasons.tw121_loop_misuse import rule
from tensorwhy.source.files import Sources

HERE, THERE = Location(file="program.py", line=1), Location(file="program.py", line=9)


def repairs(fact: UpdatedTensor) -> list[str]:
    found = rule.match(Case(fact=fact, symptom=Symptom(kind="exception"), sources=Sources()))
    assert found is not None
    return [fix.summary for fix in found.fixes]


def test_a_constant_is_made_a_variable() -> None:
    assert "`image = tf.Variable(image)`" in repairs(UpdatedTensor(used=HERE, name="image"))[0]


def test_a_variable_is_handed_over_in_place_of_its_value() -> None:
    fact = UpdatedTensor(used=HERE, name="image", handed=THERE, text="picture.value()", owner="picture")
    assert repairs(fact) == ["pass the variable itself: `picture` instead of `picture.value()`"]


def test_variables_of_keras_are_no_arguments() -> None:
    fact = UpdatedTensor(used=HERE, name="weights", several=True, function="step", handed=THERE, variables=True)
    (only,) = repairs(fact)
    assert only.endswith("and not from an argument")
