"""From the breaks of one executed step to facts: one for each line at which sources of a question are cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import msgspec

from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.signal import Break, Node, Walk
from tensorwhy.lineage.signal_reasons import Reading, read
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.signal import SMALLEST, Made, Numbers, SignalBreak, Wording
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom

_WHERE_A_SLOPE_IS_LOOKED_FOR = ("other-zero", "cancelled", "balanced", "rectified")
"""Where a gradient has one of its own, a weight of zero is where the slope for that weight is wanted, and no mask."""

_UNDERFLOWING = ("multiply", "divide", "stationary", "saturate")
"""Their results are zero for inputs that are not only where they are rounded."""


class Surroundings(Protocol):
    """What an adapter knows of a step beside its numbers."""

    wording: Wording

    def place(self, node: Node) -> tuple[Location | None, str]:
        """Return the user's line of an operation; of a ready-made layer the line that made that, and its name."""

    def created(self, source: Source) -> Location | None:
        """Return where a source was made."""

    def is_trained(self, source: Source) -> bool:
        """Return whether the program means a source to change."""

    def is_unchanged(self, source: Source) -> bool:
        """Return whether a source that is trained holds finite numbers, and the same ones in each step."""


def facts(
    around: Surroundings,
    question: GradientQuestion,
    step: Executed,
    steps: int,
    copy: Any = "",
    differentiated: bool = False,
) -> Iterator[SignalBreak]:
    """One fact for each line at which sources of a question are cut off.

    `differentiated`: the gradient has one of its own, because something else was recording when it was asked for.
    """
    wanted = {source.tensor: source for source in question.sources}
    walk = Walk(step, [each for each in step.sources if each in wanted])
    found: dict[tuple[object, ...], SignalBreak] = {}
    targets = [step.value(key) for key in step.targets]
    met = all(numbers is not None and numbers.all_zero for numbers in targets)  # a hinge that no sample violates
    others = question.asked > len(question.sources)
    breaks = walk.breaks()
    # Where scores are compared, a bias of them takes no part, and others get a gradient.
    offsets = {source for each in breaks if others and walk.is_offset(each) for source in each.sources}
    for each in breaks:
        each = each._replace(sources=each.sources - offsets)
        if not each.sources:
            continue
        reading = read(step, walk, each)
        if each.state == "zero" and each.sources <= step.apart:
            reading = Reading("summed")
        why = reading.why
        if differentiated and each.state == "zero" and why in _WHERE_A_SLOPE_IS_LOOKED_FOR:
            continue
        if others and each.state == "zero" and not each.cancelled and step.nodes[each.node].trait == "move":
            continue  # a part that nothing went on with: an expert that was not chosen
        node = step.nodes[each.node]
        result = step.value(node.outputs[0]) if node.outputs else None
        if each.state == "zero" and result is not None and not result.size:
            continue  # no sample came this way
        if why == "unknown" and not node.trait and others and walk.hands_on(each.node):
            continue  # one of several things that go into a large operation, which learns from others
        if why in ("rectified", "outside", "inside", "selected-away") and (met or (others and walk.is_met(each))):
            continue
        left = each.sources - step.arrived
        if why in ("cancelled", "balanced"):
            if not left:
                continue  # the terms of the gradient cancel for this value alone: it is at an optimum
            each = each._replace(sources=left)
        fact = _fact(around, question, step, each, reading, steps, copy)
        key: tuple[object, ...] = (fact.state, fact.why, fact.location and fact.location.order[:2], fact.op)
        if why == "given":
            key = why, step.nodes[each.node].inputs[each.position]  # however many operations use it
        before = found.get(key)
        if before is not None:
            both = dict.fromkeys((*before.sources, *fact.sources))
            fact = msgspec.structs.replace(before, sources=tuple(both))
        found[key] = fact
    lines = {(each.location.file, each.location.line) for each in found.values() if each.location is not None}
    for fact in found.values():
        made = fact.zeros.location if fact.zeros is not None else None
        elsewhere = made is not None and made != fact.location and (made.file, made.line) in lines
        if not (elsewhere and len(found) > 1):  # the zeros that another break leaves are no cause of their own
            yield fact


def group(question: GradientQuestion, facts: tuple[SignalBreak, ...]) -> CaseGroup:
    """Return the facts about one question as one group."""
    finite = all(fact.state == "zero" for fact in facts)
    message = "the gradient is zero" if finite else "the gradient is not finite"
    symptom = Symptom(kind="zero-gradient" if finite else "silent", message=message, location=question.location)
    return CaseGroup(symptom=symptom, facts=facts)


def _fact(
    around: Surroundings,
    question: GradientQuestion,
    step: Executed,
    found: Break,
    reading: Reading,
    steps: int,
    copy: Any,
) -> SignalBreak:
    node = step.nodes[found.node]
    op, uses = node.op, tuple[Location, ...]()
    location, layer = around.place(node)
    if found.joined >= 0:
        uses = (location,) if location is not None else ()
        op = step.nodes[found.joined].op
        location, layer = around.place(step.nodes[found.joined])
    if reading.why == "summed" or (reading.why == "given" and layer):
        location, layer, uses = question.location, "", ()  # no layer made what it was given
    sources = tuple(source for source in question.sources if source.tensor in found.sources)
    held = next((source for source in question.sources if source.tensor == reading.held), None)
    return SignalBreak(
        state=found.state,
        why=reading.why,
        question=question,
        sources=tuple(msgspec.structs.replace(each, made=each.made or around.created(each)) for each in sources),
        held_by=tuple(_held(step, source.tensor) for source in sources),
        op=op,
        trait=node.trait,
        at=found.position,
        location=location,
        layer_name=layer,
        inputs=tuple(step.value(key) for key in node.inputs),
        output=step.value(node.outputs[0]) if node.outputs else None,
        limits=node.limits,
        uses=uses,
        zeros=_made(around, step, reading.zeros) if held is None else Made(op="", location=around.created(held)),
        held=held,
        trained=any(around.is_trained(source) for source in sources),
        steps=steps,
        copy=copy,
        skipped=found.state == "non-finite" and bool(sources) and all(map(around.is_unchanged, sources)),
        wording=around.wording,
    )


def _held(step: Executed, tensor: int) -> Numbers | None:
    """What a source holds: of a variable that is read, what the reading gave."""
    reads = (node.outputs[0] for node in step.nodes if node.trait == "read" and tensor in node.inputs and node.outputs)
    return next((step.value(each) for each in reads), step.value(tensor))


def _made(around: Surroundings, step: Executed, at: int) -> Made | None:
    if at < 0:
        return None
    node = step.nodes[at]
    return Made(
        op=node.op,
        location=around.place(node)[0],
        inputs=tuple(step.value(key) for key in node.inputs),
        limits=node.limits,
        rounded=_rounded(step, node),
    )


def _rounded(step: Executed, node: Node) -> str:
    """Return the dtype whose numbers do not go down to the result of an operation that was given no zeros."""
    given = [step.value(key) for key in node.inputs]
    made = step.value(node.outputs[0]) if node.outputs else None
    small = made is not None and made.all_zero and made.digits in SMALLEST and node.trait in _UNDERFLOWING
    return made.digits if made is not None and small and all(each and not each.zeros for each in given) else ""
