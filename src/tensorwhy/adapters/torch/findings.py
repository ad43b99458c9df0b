"""What is wrong with a training although nothing was refused: parameters that no optimizer reaches, and the like."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tensorwhy.adapters.torch import loss_inputs, pairs
from tensorwhy.adapters.torch.effect_facts import EffectFacts
from tensorwhy.adapters.torch.left_out import LeftOut
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.shared_values import SharedValues
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix, Symptom
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources


class Findings:
    """Reads what hooks noted, once, at the end of a run."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        self._session = session
        self._recorder = session.recorder
        self._sources = sources
        self._names = session.modules.named(sources)
        self._states = [state for state in session.training.states.values() if state.steps]
        self._members = {number for state in self._states for number in state.members.values()}

    def groups(self) -> Iterator[CaseGroup]:
        """One group for each finding."""
        for fact in self._all():
            yield CaseGroup(symptom=Symptom(kind="silent", location=fact.location), facts=(fact,))

    def _all(self) -> Iterator[Observed]:
        yield from EffectFacts(self._session, self._sources).facts()
        yield from self._session.asking.custom.facts(self._sources)
        yield from self._forced()
        yield from pairs.facts(self._session.asking.pairs.found.values(), self._recorder, self._sources)
        yield from loss_inputs.facts(self._session.asking.inputs, self._recorder, self._sources)
        yield from self._reads()
        yield from self._not_leaf()
        if self._states:
            yield from LeftOut(self._session, self._sources, self._names).facts()
            yield from self._each_call()
            yield from SharedValues(self._session, self._sources).facts()
        yield from self._statistics()

    # -- tensors -------------------------------------------------------------------------------------------------

    def _forced(self) -> Iterator[Observed]:
        """A result without a graph was made a leaf, so that `backward` no longer raises."""
        asked = self._session.asking.backwards
        targets = {number for each in asked for number in each.targets}
        ends = {number for each in asked for number in each.forced}
        end, lineage = self._session.journal.position, self._session.lineage() if ends else None
        for number, place in self._recorder.forced.items():
            location = self._at(place)
            # A number that parameters were used for is a loss; any other tensor may be an input, unless asked itself.
            loss = number in self._recorder.numbers and number in ends and lineage is not None
            if loss and lineage is not None:
                loss = bool(lineage.ancestors((number,), end) & self._recorder.leaves.keys() - {number})
            if (loss or number in targets) and location is not None:
                text = self._sources.expression(location)
                yield Observed(
                    slug="forced-leaf",
                    message=f"`{text}` only silences the error of `backward()`: it makes the result a leaf,"
                    " and no parameter gets a gradient",
                    label="the result becomes a leaf here",
                    location=location,
                    severity="error",
                    fixes=(
                        Fix(
                            summary="remove this line, and what took the result out of the graph before it: "
                            "`torch.no_grad()`, `detach()`, or a conversion to numbers"
                        ),
                    ),
                )

    def _reads(self) -> Iterator[Observed]:
        """`.grad` of a tensor that is no leaf."""
        for place, number in self._session.asking.reads.items():
            made = self._made_by(number)
            read = self._at(place)
            if made is None or read is None or read.file != made.file:
                continue
            name = self._bound(made)
            again = name and self._binds_itself(made, name)
            if again:
                yield self._rebound(made, name, read)
                continue
            yield Observed(
                slug="not-retained",
                message=f"`.grad` of `{name or self._sources.expression(made)}` is None: it is a result, not a leaf,"
                " and PyTorch keeps only the gradients of leaves",
                label="this makes it a result",
                location=made,
                related=marked(read, "`.grad` is read here", "read"),
                severity="warning",
                fixes=(
                    Fix(summary=f"call `{name or 'x'}.retain_grad()` before `backward()`"),
                    Fix(
                        summary=f"or make `{name or 'x'}` the leaf: call `{name or 'x'}.requires_grad_()` after this "
                        "line, and set `requires_grad` on nothing that it is computed from"
                    ),
                ),
            )

    def _rebound(self, made: Location, name: str, read: Location | None) -> Observed:
        return Observed(
            slug="variable-overwritten",
            message=f"`{name}` is no leaf any more: this statement gives its name to a result, which gets no gradient",
            label=f"`{name}` becomes a result here",
            location=made,
            related=marked(read, "`.grad` is read here, and is None", "read"),
            severity="error",
            fixes=(
                Fix(
                    summary=f"change the leaf in place: `with torch.no_grad(): {name} -= ...`, or use an optimizer",
                ),
            ),
        )

    def _not_leaf(self) -> Iterator[Observed]:
        """An optimizer was given a result."""
        for place, number in self._session.training.refused:
            made = self._made_by(number)
            name = self._bound(made) if made is not None else ""
            yield Observed(
                slug="variable-overwritten",
                message=f"the optimizer was given {f'`{name}`' if name else 'a tensor'} that is a result, not a leaf:"
                " only leaves can be optimized",
                label="this makes it a result",
                location=made or self._at(place),
                related=marked(self._at(place), "the optimizer refuses it", "optimizer"),
                severity="error",
                fixes=(
                    Fix(summary="make the result a leaf: `x = (...).detach().requires_grad_()`"),
                    Fix(summary="or optimize what it is computed from, and compute it again in each step"),
                ),
            )

    def refused(self) -> Iterator[CaseGroup]:
        """Operations that PyTorch refused at once."""
        for kind, place, number in self._recorder.refusals:
            location = self._at(place)
            made = self._made_by(number) or self._at(self._recorder.made.get(number, -1))
            name = self._bound(made) if made is not None else ""
            what = f"`{name}`" if name else "a tensor"
            if kind == "leaf":
                fact = Observed(
                    slug="modified-in-place",
                    message=f"{what} is a leaf that requires a gradient, and was to be changed in place while a graph"
                    " is kept",
                    label="PyTorch refuses to change a leaf here",
                    location=location,
                    related=marked(made, "the leaf is created here", "source"),
                    severity="error",
                    fixes=(
                        Fix(summary="set its value under `with torch.no_grad():`"),
                        Fix(summary="or change a copy: `x = leaf.clone()`"),
                    ),
                )
            else:
                fact = Observed(
                    slug="recording-stopped",
                    message=f"{what} was computed in `torch.inference_mode()`, and such a tensor cannot be used for"
                    " gradients",
                    label="used here, where a graph is kept",
                    location=location,
                    related=(
                        *marked(made, "computed here", "made"),
                        *marked(self._at(self._recorder.inferring.place), "`inference_mode` begins here", "off"),
                    ),
                    severity="error",
                    fixes=(
                        Fix(
                            summary="compute it outside of `inference_mode()`",
                            caveat="unless it is meant as a constant: then use `torch.no_grad()`, or `clone()` it",
                        ),
                    ),
                )
            symptom = Symptom(kind="exception", message="RuntimeError", location=location)
            yield CaseGroup(symptom=symptom, facts=(fact,), asked=True)

    def _each_call(self) -> Iterator[Observed]:
        """Parameters that are made anew in each call of `forward`."""
        lineage = self._session.lineage()
        backwards = self._session.asking.backwards
        used = lineage.ancestors(
            tuple(number for each in backwards for number in each.targets), self._session.journal.position
        )
        by_place: dict[int, dict[int, int]] = defaultdict(dict)
        for number, born in self._recorder.born.items():
            if number in used and number not in self._members:
                by_place[self._recorder.made.get(number, -1)][born] = number
        for place, found in by_place.items():
            chain = self._session.journal.chain(place)
            forward = any(frame.location.function.rpartition(".")[2] == "forward" for frame in chain)
            if len(found) > 1 and forward and chain:
                yield Observed(
                    slug="created-each-call",
                    message="parameters are created again in each call of `forward`, so no optimizer ever changes them",
                    label="created in each call",
                    location=chain[0].location,
                    related=marked(self._at(self._states[0].made), "no optimizer ever has them", "optimizer"),
                    severity="error",
                    noun="parameter",
                    fixes=(Fix(summary="create the layer once, in `__init__`, and call it in `forward`"),),
                )

    def _statistics(self) -> Iterator[Observed]:
        """Frozen layers whose running statistics move all the same."""
        known = self._recorder.serials.known
        found: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for module in self._session.modules.alive():
            mean = getattr(module, "running_mean", None)
            weight = getattr(module, "weight", None)
            if mean is None or weight is None or not module.training or weight.requires_grad:
                continue
            count = getattr(module, "num_batches_tracked", None)
            place = self._recorder.frozen.get(known(weight) or -1)
            if place is not None and count is not None and int(count) > 0 and self._states:
                named = self._names.get(known(weight) or -1, "").removesuffix(".weight")
                found[place].append((type(module).__name__, named))
        for place, kinds in found.items():
            yield Observed(
                slug="changed-though-frozen",
                message=f"the running statistics of {_kinds(kinds)} change in each step, although the parameters are"
                " frozen: `requires_grad=False` does not stop them",
                label="the parameters are frozen here",
                location=self._at(place),
                severity="warning",
                fixes=(
                    Fix(
                        summary=f"also call `{self._owner(place)}.eval()`, here and after each later `train()`",
                        caveat="unless the statistics should adapt to the new data: then leave it",
                    ),
                ),
            )

    def _owner(self, place: int) -> str:
        """The module whose method is called at a place."""
        location = self._at(place)
        call = call_at(self._sources, location)
        return ast.unparse(call.func.value) if call is not None and isinstance(call.func, ast.Attribute) else "module"

    # -- shared --------------------------------------------------------------------------------------------------

    def _at(self, place: int) -> Location | None:
        return self._session.journal.location(place)

    def _made_by(self, number: int) -> Location | None:
        events = self._session.lineage().makers(number)
        return self._at(events[-1].place) if events else None

    def _bound(self, location: Location) -> str:
        names = self._sources.names(location)
        return names[0] if len(names) == 1 else ""

    def _binds_itself(self, location: Location, name: str) -> bool:
        statement = self._sources.statement(location)
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.expr):
            return False
        return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


def _kinds(kinds: list[tuple[str, str]]) -> str:
    kind, name = kinds[0]
    if len(kinds) > 1:
        return f"{len(kinds)} {kind} layers"
    return f"{kind} `{name}`" if name else f"this {kind}"
