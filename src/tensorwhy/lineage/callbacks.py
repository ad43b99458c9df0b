"""What a `tf.py_function` was given: some of it the program asks for a gradient through, the rest is data to it."""

from __future__ import annotations

import msgspec

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event


def concerned(lineage: Lineage, question: GradientQuestion) -> tuple[Source, ...]:
    """The sources of a question that TensorFlow asks within its backward pass, whose gradient goes on from there.

    Labels that are made NumPy in the function are none of them. What is no float is one: TensorFlow takes a zero for
    its None, and fails to make one of that dtype.
    """
    failing = tuple(each for each in question.sources if not each.differentiable_dtype)
    if failing:
        return failing
    recorder = lineage.timeline.recorders.get(question.recorder)
    calls = calls_of_python(lineage)
    within = range(recorder.created, question.event) if recorder is not None and question.outer_recorder else range(0)
    eager = [each for each in calls if each.kind == j.OP and each.index in within]
    if eager:
        return tuple(each for each in question.sources if _arrives_further(lineage, question, _given(eager[0], each)))
    traced = [each for each in calls if each.kind == j.GRAPH_OP]
    if not traced:
        return question.sources
    trained = {tensor for tensor, variable in lineage.rules.variables.items() if variable.trainable}
    trained |= {event.inputs[1] for event in lineage.journal.events() if event.kind == j.WATCH}
    return tuple(
        each
        for each in question.sources
        if any(trained & _behind(lineage, _given(call, each), question.event) for call in traced)
    )


def calls_of_python(lineage: Lineage) -> list[Event]:
    """The calls of `tf.py_function`, without those by which TensorFlow computes their gradients."""
    rows = (each for each in lineage.journal.events() if lineage.op_name(each) == lineage.rules.kinds.callback)
    return [each for each in rows if lineage.timeline.gradient_call(each.index, each.thread) is None]


def _given(call: Event, source: Source) -> int | None:
    """What the call was given in the place of a source, which is a tensor of the function's own."""
    if source.position >= len(call.inputs):
        return None
    return tensor_of(call.inputs[source.position])


def _arrives_further(lineage: Lineage, question: GradientQuestion, tensor: int | None) -> bool:
    """Return whether the program's own question is about something that the gradient of this tensor leads to."""
    if tensor is None or tensor in question.outer:
        return True
    sources = tuple(Source(tensor=each) for each in question.outer)
    outer = msgspec.structs.replace(
        question, recorder=question.outer_recorder, targets=(tensor,), sources=sources, all_sources=question.outer
    )
    prediction = Prediction(lineage, outer)
    return any(prediction.arrives(each) for each in question.outer)


def _behind(lineage: Lineage, tensor: int | None, before: int) -> set[int]:
    """What a tensor of a graph was computed from without a loss on the way."""
    seen: set[int] = set()
    stack = [] if tensor is None else [tensor]
    while stack:
        each = stack.pop()
        if each not in seen:
            seen.add(each)
            stack += [edge.source for edge in lineage.edges(each, before) if edge.source >= 0 and not edge.loss]
    return seen
