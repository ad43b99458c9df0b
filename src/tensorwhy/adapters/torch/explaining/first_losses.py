"""What the graph of the first loss that was not finite tells: where that began, and at which of its numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from tensorwhy.adapters.torch.operations.elements import Element
from tensorwhy.adapters.torch.replays.first_lost import FirstLost
from tensorwhy.adapters.torch.replays.replay import Step
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.words import edits
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.adapters.torch.words.words import operation
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.recording.journal import Event
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import node_at

_FIXES = {
    "ctc_loss": Fix(
        summary="leave out samples whose input is shorter than their labels, where each label that repeats the one"
        " before counts twice; or pass `zero_infinity=True`",
        caveat="`zero_infinity=True` trains nothing on such samples",
    )
}


def called(ref: TensorRef) -> str:
    """What a parameter is called; one may have no name, as where a line has several and Python tells no columns."""
    return f"`{ref.name}`" if ref.name else "a parameter"


def first_not_finite(
    session: Recording, sources: Sources, first: FirstLost, state: State, refs: list[TensorRef]
) -> Observed:
    """The graph of the first loss that was not finite says where that began."""
    journal = session.journal
    event = journal.event(first.row)
    made = journal.location(event.place)
    op = journal.names[event.name].partition("|")[0]
    name = operation(op)
    numbers = f"its {first.size} inputs are between {first.low:.4g} and {first.high:.4g}" if first.size else ""
    numbers += f", and {first.zeros} of them are 0" if first.zeros else ""
    origin = _given(session, event) if first.given else None
    return say(
        "first-given" if first.given else "first-not-finite",
        made,
        {"computed": origin, "step": journal.location(state.place)},
        refs,
        fixes=(_no_quotient(origin, sources),) if first.given else (_kept_finite(op, name),),
        name=called(refs[0]),
        operation=name,
        number=first.number,
        numbers=_lost_at(first.element) or numbers or "it begins here",
    )


def lost_once(session: Recording) -> Iterator[Observed]:
    """A loss was not finite once while recording rested, a step used its gradients, and the weights are finite."""
    asking = session.asking
    first = asking.graphs.found
    if first is None or not session.training.used_lost:
        return
    journal = session.journal
    event = journal.event(first.row)
    name, made = operation(journal.names[event.name].partition("|")[0]), journal.location(event.place)
    where = _lost_at(first.element)
    label = f"{name} returns NaN or infinity" + ("; one of its inputs is not finite already" if first.given else "")
    label += f"; {where}" if where else ""
    yield say("loss-lost-once", made, {"asked": journal.location(asking.last_place)}, number=first.number, label=label)


def with_element(fact: SignalBreak, step: Step) -> SignalBreak:
    """A fact with the first number that an operation made NaN or infinite, and what is done about that one."""
    if fact.state != "non-finite" or fact.why not in ("undefined", "overflow"):
        return fact
    nodes = (each for each in step.nodes if each.op == fact.operation.name and each.outputs)
    alike = (each.outputs[0] for each in nodes if step.value(each.outputs[0]) == fact.operation.output)
    element = next((step.elements[each] for each in alike if each in step.elements), None)
    fixes = (_FIXES[fact.operation.name],) if fact.operation.name in _FIXES else ()
    return msgspec.structs.replace(fact, element=element.told() if element is not None else "", fixes=fixes)


def _lost_at(element: Element | None) -> str:
    return f"its result is not finite {element.told()}" if element is not None else ""


def _kept_finite(name: str, said: str) -> Fix:
    advice = f"keep the input of {said} away from such values: add a small number, or clip it"
    return _FIXES.get(name, Fix(summary=advice))


def _given(session: Recording, event: Event) -> Location | None:
    """Where the only input of an operation was computed that has no graph."""
    lineage, recorder = session.lineage(), session.recorder
    plain = [each for each in event.inputs if each > 0 and not recorder.serials.requires(each)]
    makers = lineage.makers(plain[0]) if len(plain) == 1 else ()
    return session.journal.location(makers[0].place) if makers else None


def _no_quotient(origin: Location | None, sources: Sources) -> Fix:
    """What to do where a tensor without a graph is not finite: a quotient is kept from a divisor of 0."""
    node = node_at(origin, sources) if origin is not None else None
    if origin is None or not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return Fix(summary="check how that tensor is computed: 0/0, a spread of one value, a mean of nothing")
    divisor = sources.expression(sources.place(origin.file, node.right))
    return Fix(
        summary=f"keep the divisor on line {origin.line} above 0: `{divisor}.clamp(min=1e-7)`",
        edits=edits.instead(node.right, origin.file, f"{divisor}.clamp(min=1e-7)", sources),
        caveat="unless it may be negative; then leave such batches out",
    )
