"""The repairs that are named for variables made late fit who made them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.facts.graph import ForeignGraph, GraphRef, LateVariable, LeakedTensor, Symbolic
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.reasons.tw402_model_build_scratch_graph import rule as scratch_graph
from tensorwhy.reasons.tw403_leaked_tensor import rule as leaked_tensor
from tensorwhy.reasons.tw404_other_graph import rule as other_graph
from tensorwhy.reasons.tw408_variable_in_function import rule
from tensorwhy.source.files import Sources

HERE = Location(file="program.py", line=1)


def repairs(fact: LateVariable) -> list[str]:
    found = rule.match(Case(fact=fact, symptom=Symptom(kind="exception"), sources=Sources()))
    assert found is not None
    return [fix.summary for fix in found.fixes]


@pytest.mark.parametrize(
    ("state", "before"), [("build", "`optimizer.build(variables)`"), ("late", "`apply_gradients`")]
)
def test_an_optimizer_that_exists_makes_its_variables_before(state: str, before: str) -> None:
    first, second = repairs(LateVariable(created=HERE, function="Trainer.step", state=state))  # type: ignore[arg-type]
    assert before in first
    assert "`tf.function(step)`" in second


def test_a_layer_that_is_made_in_the_function_is_made_outside_of_it() -> None:
    assert "`__init__`" in repairs(LateVariable(created=HERE, function="score", layer=HERE))[0]


@pytest.mark.parametrize(("line", "advised"), [("tf.keras.backend.clear_session()", True), ("model.summary()", False)])
def test_what_opens_a_new_default_graph_in_the_program_is_advised_against(
    tmp_path: Path, line: str, advised: bool
) -> None:
    file = tmp_path / "search.py"
    file.write_text(f"model = build()\n{line}\nmodel.predict(x)\n", encoding="utf-8")
    fact = ForeignGraph(used=Location(file=str(file), line=3), tensor=Symbolic(name="dense/BiasAdd:0"))
    found = other_graph.match(Case(fact=fact, symptom=Symptom(kind="exception"), sources=Sources()))
    assert found is not None
    assert any("(line 2)" in fix.summary for fix in found.fixes) is advised


@pytest.mark.parametrize(("constant", "first"), [(True, "with NumPy"), (False, "in `call` every time")])
def test_what_build_keeps_of_weights_is_computed_in_call(constant: bool, first: str) -> None:
    escape = Location(file="program.py", line=1, function="Layer.build")
    made = Symbolic(name="layer/mul:0", graph=GraphRef(kind="scratch"))
    fact = LeakedTensor(tensor=made, used=HERE, escape=escape, constant=constant)
    found = scratch_graph.match(Case(fact=fact, symptom=Symptom(kind="exception"), sources=Sources()))
    assert found is not None and first in found.fixes[0].summary


@pytest.mark.parametrize(
    "inside", ["step.<locals>.branch", "<lambda>", "step"], ids=["inner function", "lambda", "rewritten by AutoGraph"]
)
def test_the_line_of_a_branch_that_led_to_the_tensor_is_shown(inside: str) -> None:
    calls = tuple(
        Location(file="program.py", line=line, function=function)
        for line, function in ((20, "<module>"), (8, "step"), (9, inside), (3, "Encoder.call"))
    )
    made = Symbolic(name="div:0", created=calls[-1], calls=calls, graph=GraphRef(kind="branch"))
    fact = LeakedTensor(tensor=made, used=HERE, added=True)
    found = leaked_tensor.match(Case(fact=fact, symptom=Symptom(kind="exception"), sources=Sources()))
    assert found is not None
    assert [mark.line for mark in found.related if mark.role == "entered"] == [9]
    assert "before the condition" in found.fixes[0].summary
