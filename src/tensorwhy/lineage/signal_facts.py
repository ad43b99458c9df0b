"""From the breaks of one executed step to facts: one for each line at which sources of a question are cut off."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Protocol

import msgspec

from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.signal import Break, Node, Walk
from tensorwhy.lineage.signal_reasons import Reading, compared, is_share_of_one, nulled, of_one_element, read, summed
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.signal import SMALLEST, Made, Numbers, Operation, Seen, SignalBreak, Wording
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom

_WHERE_A_SLOPE_IS_LOOKED_FOR = ("other-zero", "cancelled", "itself", "balanced", "rectified")
"""Where a gradient has one of its own, a weight of zero is where the slope for that weight is wanted, and no mask."""
_NOT_OPENED = ("inside", "straight", "summed", "constant", "at-rest", "given")
_FLAT_THERE = ("at-rest", "outside", "flat")
"""Where an operation is flat at the very value that it is given: if that is always the same, it is not to blame."""

_BY_VALUE = ("outside", "saturated", "rectified")
"""What other values would pass. They may be what they are because no values pass what computes them."""

_UNDERFLOWING = ("multiply", "divide", "stationary", "saturate")
"""Their results are zero for inputs that are not only where they are rounded."""


_BIAS = 2
"""Where layers take their bias: behind the input and the weight."""


class Surroundings(Protocol):
    """What an adapter knows of a step beside its numbers."""

    wording: Wording

    def place(self, node: Node) -> tuple[Location | None, str]:
        """Return the user's line of an operation; of a ready-made layer the line that made that, and its name."""

    def named(self, key: int) -> Location | None:
        """Return where zeros that came from outside got their name."""

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
    apart = (each._replace(sources=each.sources - offsets) for each in breaks)
    broken = [(each, read(step, walk, each)) for each in apart if each.sources]
    for each in walk.constant(step.unchanged) if not breaks else ():
        if read(step, walk, each).why == "one-element":
            broken.append((each, Reading("constant")))
    for each, reading in broken:
        if each.state == "zero" and each.sources <= step.apart:
            reading = Reading("summed")
        flat = reading.why in _FLAT_THERE and each.sources - step.arrived
        if flat and (at := compared(step, walk, each)) >= 0:
            each, reading = each._replace(joined=at, sources=flat), Reading("itself")
        limits: tuple[Gate, ...] = ()
        if each.state == "zero" and reading.why in _BY_VALUE and (behind := of_one_element(step, walk, each)):
            limits = _gates(step, each, reading)
            each, reading = behind
        if reading.why == "itself" and is_share_of_one(step, walk, each.joined):
            each, reading = each._replace(node=each.joined, position=0, joined=-1), Reading("one-element")
        if reading.why == "balanced" and (at := summed(step, walk, each.node)) >= 0:
            each = each._replace(joined=at)
        if reading.why == "cancelled" and (centred := _centred(step, each)) is not None:
            each, reading = centred, Reading("balanced")
        why = reading.why
        if differentiated and each.state == "zero" and why in _WHERE_A_SLOPE_IS_LOOKED_FOR:
            continue
        if others and each.state == "zero" and not each.cancelled and step.nodes[each.node].trait == "move":
            continue  # a part that nothing went on with: an expert that was not chosen
        node = step.nodes[each.node]
        result = step.value(node.outputs[0]) if node.outputs else None
        if each.state == "zero" and result is not None and not result.size:
            continue  # no sample came this way
        if why == "unknown" and node.trait in ("", "align") and others and walk.hands_on(each.node):
            continue  # one of several things that go into a large operation, which learns from others
        if why in ("rectified", "outside", "inside", "selected-away"):
            satisfied = met and (not step.variables or step.is_at_the_end(each.node))
            if satisfied or (others and walk.is_met(each)):
                continue
        if others and why in ("rectified", "outside") and step.variables and step.is_at_the_end(each.node):
            continue  # a term of the loss that is satisfied, beside others that are not
        left = each.sources - step.arrived
        if why in ("cancelled", "itself", "balanced"):
            if not left:
                continue  # the terms of the gradient cancel for this value alone: it is at an optimum
            if why == "balanced" and others and all(_is_added(step, walk, source) for source in left):
                continue  # what is added to all scores of a softmax has no effect, such as the bias of its keys
            each = each._replace(sources=left)
        fact = _fact(around, question, step, each, reading, steps, copy)
        if limits and fact.gates:
            fact = msgspec.structs.replace(fact, gates=(*fact.gates, *limits))
        key: tuple[object, ...] = (fact.state, fact.why, fact.location and fact.location.order[:2], fact.operation.name)
        if why == "given":
            key = why, step.nodes[each.node].inputs[each.position]  # however many operations use it
        if fact.held is not None:
            key = why, fact.held.tensor  # each variable of zeros is one of its own
        before = found.get(key)
        if before is not None:
            both, opened = dict.fromkeys((*before.sources, *fact.sources)), dict.fromkeys((*before.gates, *fact.gates))
            gates = tuple(opened) if before.gates and fact.gates else ()
            fact = msgspec.structs.replace(before, sources=tuple(both), gates=gates)
        found[key] = fact
    yield from _causes(_one_of_each_pair(found.values()))


def _centred(step: Executed, found: Break) -> Break | None:
    """Return the difference of a value and something made of it, and the sum of that, which is nothing."""
    key = step.nodes[found.node].inputs[found.position]
    for at, node in enumerate(step.nodes):
        if key in node.inputs and node.trait == "add" and (joined := nulled(step, at)) >= 0:
            return found._replace(node=at, position=node.inputs.index(key), joined=joined)
    return None


def _is_added(step: Executed, walk: Walk, source: int) -> bool:
    """Return whether a source is only added: by an addition, or as the bias of a layer, behind its input and weight."""
    uses = [
        (node.trait, position)
        for node in step.nodes
        if node.trait not in ("read", "move", "cast")
        for position, key in enumerate(node.inputs)
        if walk.source_of(key) == source
    ]
    return bool(uses) and all(trait == "add" or position == _BIAS for trait, position in uses)


def _one_of_each_pair(found: Collection[SignalBreak]) -> list[SignalBreak]:
    """The facts, of variables of zeros that keep each other at zero only one: to change one of them is enough."""
    kept: list[SignalBreak] = []
    for fact in sorted(found, key=lambda each: -len(each.sources)):
        mutual = (each for each in kept if _holds(each, fact) and _holds(fact, each))
        if not any({source.tensor for source in fact.sources} <= each.explained for each in mutual):
            kept.append(fact)
    return [each for each in found if each in kept]


def _holds(one: SignalBreak, other: SignalBreak) -> bool:
    """Return whether the variable of zeros of one fact is among those that the other is about."""
    return one.held is not None and one.held.tensor in {source.tensor for source in other.sources}


def _causes(found: Collection[SignalBreak]) -> Iterator[SignalBreak]:
    """The facts without those whose zeros another one leaves: their sources are told with that."""
    lines = {(each.location.file, each.location.line): at for at, each in enumerate(found) if each.location is not None}
    behind: dict[int, list[SignalBreak]] = {}
    kept = []
    for at, fact in enumerate(found):
        made = fact.zeros.location if fact.zeros is not None else None
        cause = lines.get((made.file, made.line)) if made is not None and made != fact.location else None
        if cause is None or cause == at:
            kept.append((at, fact))
        else:
            behind.setdefault(cause, []).append(fact)
    for at, fact in kept or enumerate(found):
        sources = dict.fromkeys((*fact.sources, *(each for other in behind.get(at, ()) for each in other.sources)))
        yield msgspec.structs.replace(fact, sources=tuple(sources))


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
    told = step.nodes[found.joined] if reading.why == "itself" else node
    sources = tuple(source for source in question.sources if source.tensor in found.sources)
    held = next((source for source in question.sources if source.tensor == reading.held), None)
    skipped = found.state == "non-finite" and bool(sources) and all(map(around.is_unchanged, sources))
    return SignalBreak(
        state=found.state,
        why=reading.why,
        question=question,
        sources=tuple(msgspec.structs.replace(each, made=each.made or around.created(each)) for each in sources),
        held_by=tuple(_held(step, source.tensor) for source in sources),
        operation=Operation(
            name=op,
            layer=layer,
            trait=node.trait,
            at=found.position,
            inputs=tuple(step.value(key) for key in node.inputs),
            output=step.value(told.outputs[0]) if told.outputs else None,
            limits=node.limits,
        ),
        location=location,
        uses=uses,
        zeros=_made(around, step, reading) if held is None else Made(op="", location=around.created(held), source=held),
        trained=any(around.is_trained(source) for source in sources),
        seen=Seen(steps=steps, copy=copy, skipped=skipped),
        gates=_gates(step, found, reading),
        wording=around.wording,
    )


def _held(step: Executed, tensor: int) -> Numbers | None:
    """What a source holds: of a variable that is read, what the reading gave."""
    reads = (node.outputs[0] for node in step.nodes if node.trait == "read" and tensor in node.inputs and node.outputs)
    return next((value for each in (*reads, tensor) if (value := step.value(each)) is not None), None)


def _gates(step: Executed, found: Break, reading: Reading) -> tuple[Gate, ...]:
    """What an experiment opens to let the gradient pass."""
    node = step.nodes[found.node]
    if reading.held is not None:
        return (Gate(way="variable", made=reading.held),)
    if found.state != "zero" or not node.outputs or reading.why in _NOT_OPENED:
        return ()
    made = node.outputs[0]
    if reading.why == "itself" and not found.cancelled:
        return (Gate(way="numbers", made=step.nodes[found.joined].outputs[0], position=1),)
    if reading.why in ("cancelled", "itself"):
        return (Gate(way="numbers", made=made, position=found.position),)
    if reading.why == "other-zero":
        return (Gate(way="ones", made=made, position=1 - found.position),) if len(node.inputs) == 2 else ()
    return (Gate(way="through", made=made, position=found.position),)


def _made(around: Surroundings, step: Executed, reading: Reading) -> Made | None:
    named = around.named(reading.first) if reading.first is not None else None
    if reading.zeros < 0:
        return Made(op="", location=named) if named is not None else None
    node = step.nodes[reading.zeros]
    return Made(
        op=node.op,
        location=named or around.place(node)[0],
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
