"""The repairs that are named for lost Keras histories fit how the history was lost."""

from __future__ import annotations

import msgspec
import pytest

from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.symbolic import Disconnected, RawOp
from tensorwhy.model.facts.variables import Holding, Untracked
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom, TensorRef
from tensorwhy.reasons import catalogue
from tensorwhy.reasons.tw302_raw_op_on_keras_tensor import rule as raw_op
from tensorwhy.reasons.tw305_disconnected_input import rule as disconnected
from tensorwhy.source.files import Sources

HERE = Location(file="program.py", line=1)


def tensor(name: str) -> TensorRef:
    return TensorRef(name=name, kind="keras-tensor")


def case(fact: Fact) -> Case:
    return Case(fact=fact, symptom=Symptom(kind="exception"), sources=Sources())


def repairs(evidence: Evidence | None) -> list[str]:
    assert evidence is not None
    return [fix.summary for fix in evidence.fixes]


def test_what_another_model_gives_becomes_an_input_when_no_input_is_left_over() -> None:
    fact = Disconnected(
        used=HERE,
        missing=(tensor("source"),),
        given=(tensor("target"),),
        owner=tensor("encoder"),
        fed=tensor("memory"),
    )
    first, second = repairs(disconnected.match(case(fact)))
    assert "replace `memory`, the output of another model, by a `keras.Input`" in first
    assert second.endswith("`inputs=[target, source]`")


def test_a_layer_of_an_inner_model_is_reached_by_a_model_of_its_own() -> None:
    fact = Disconnected(used=HERE, missing=(tensor("frame"),), given=(tensor("video"),), owner=tensor("encoder"))
    (only,) = repairs(disconnected.match(case(fact)))
    assert "`keras.Model(encoder.inputs, ...)`" in only


def test_a_new_input_goes_through_the_model_that_was_meant_to_get_it() -> None:
    fact = Disconnected(
        used=HERE,
        missing=(tensor("base_input"),),
        given=(tensor("image"),),
        unused=(tensor("image"),),
        owner=tensor("base"),
    )
    assert repairs(disconnected.match(case(fact)))[0].startswith("call the model, `base(...)` on `image`")


def test_an_unused_input_of_the_same_shape_stands_for_the_tensor_of_the_other_model() -> None:
    memory = TensorRef(name="memory", kind="keras-tensor", shape=(None, 4), dtype="float32")
    fact = Disconnected(
        used=HERE,
        missing=(tensor("text"),),
        given=(tensor("target"), msgspec.structs.replace(memory, name="hidden")),
        unused=(msgspec.structs.replace(memory, name="hidden"),),
        owner=tensor("model"),
        replaced=memory,
    )
    (only,) = repairs(disconnected.match(case(fact)))
    assert only.startswith("call the layers on `hidden` instead of `memory`")


def test_a_model_that_was_given_some_of_another_models_inputs_is_given_all_of_them() -> None:
    fact = Disconnected(
        used=HERE, missing=(tensor("label"),), given=(tensor("image"),), owner=tensor("trained"), shared=True
    )
    first, second = repairs(disconnected.match(case(fact)))
    assert first.endswith("`inputs=trained.inputs`")
    assert "before `label` enters" in second


def test_a_loop_over_a_symbolic_tensor_is_taken_apart_by_an_operation() -> None:
    fact = RawOp(function="for", kind="iteration", used=HERE, tensor=tensor("x"))
    assert "`keras.ops.unstack(x, axis=...)`" in repairs(raw_op.match(case(fact)))[0]


@pytest.mark.parametrize(("sizes", "same"), [((None, 4), False), ((2, 4), True)])
def test_a_shape_with_unknown_sizes_is_not_the_same_in_keras(sizes: tuple[int | None, ...], same: bool) -> None:
    fact = RawOp(
        function="tf.shape",
        kind="framework",
        used=HERE,
        tensor=msgspec.structs.replace(tensor("x"), shape=sizes),
        equivalents=("keras.ops.shape",),
    )
    assert repairs(raw_op.match(case(fact)))[0].endswith("which does the same") == same


def test_a_variable_is_made_in_a_layer_and_not_in_its_call() -> None:
    fact = RawOp(function="tf.Variable", kind="variable", used=HERE, tensor=tensor("x"))
    assert "`self.add_weight(...)` in its `build`" in repairs(raw_op.match(case(fact)))[0]


def test_every_layer_of_one_container_is_named() -> None:
    def group(layer: str, line: int) -> CaseGroup:
        made = Location(file="program.py", line=line)
        fact = Untracked(
            what="layer",
            name=layer,
            made=made,
            model="Net",
            trained_at=None,
            held=Holding(by="container", at=HERE, looker="Keras"),
        )
        return CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))

    groups = [group("Dense `dense`", 2), group("BatchNormalization `norm`", 3)]
    [found] = diagnose(groups, catalogue(), Sources()).diagnoses
    assert (found.code, found.seen, [each.name for each in found.also]) == ("TW602", 1, ["norm"])
