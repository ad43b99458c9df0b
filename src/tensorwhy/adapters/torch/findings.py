"""What is wrong with a training although nothing was refused: parameters that no optimizer reaches, and the like."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import torch

from tensorwhy.adapters.torch.modules import Hidden
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.terms import Terms
from tensorwhy.adapters.torch.training import State
from tensorwhy.adapters.torch.words import marked
from tensorwhy.diagnosis.asked import call_at
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Fix, Position, Symptom, TensorRef
from tensorwhy.recording.sources import Sources

_CONTAINERS = {"list": "nn.ModuleList", "tuple": "nn.ModuleList", "set": "nn.ModuleList", "dict": "nn.ModuleDict"}


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
        for state in self._states:
            yield from self._cleared(state)
            yield from self._no_rate(state)
            yield from self._summed(state)
        yield from self._forced()
        yield from Terms(self._session, self._sources).facts()
        yield from self._reads()
        yield from self._not_leaf()
        if self._states:
            yield from self._left_out()
            yield from self._each_call()
        yield from self._statistics()

    # -- one optimizer -------------------------------------------------------------------------------------------

    def _cleared(self, state: State) -> Iterator[Observed]:
        """The gradients are cleared after `backward` and before the step, each time."""
        if state.cleared_steps < state.steps or state.cleared < 0:
            return
        yield Observed(
            slug="never-updated",
            message=f"no parameter of this {state.kind} ever changes: its gradients are cleared between `backward()`"
            " and `step()`",
            label="the new gradients are cleared here",
            location=self._at(state.cleared),
            related=(
                *marked(self._at(state.place), "and this step finds none", "step"),
                *marked(self._at(self._session.asking.last_place), "they are computed here", "asked"),
            ),
            severity="error",
            fixes=(Fix(summary="clear the gradients before `backward()`, or after `step()`"),),
        )

    def _no_rate(self, state: State) -> Iterator[Observed]:
        if state.zero_rate < state.steps or state.steps < 2:
            return
        yield Observed(
            slug="never-updated",
            message=f"no parameter of this {state.kind} ever changes: its learning rate is 0 in all of"
            f" {state.steps} steps",
            label="the optimizer is created here",
            location=self._at(state.made),
            related=marked(self._at(state.place), "this step changes nothing", "step"),
            severity="warning",
            fixes=(
                Fix(
                    summary="give the optimizer a learning rate above 0, and look at its scheduler",
                    caveat="unless the program only wants to see the optimizer run",
                ),
            ),
        )

    def _summed(self, state: State) -> Iterator[Observed]:
        """No step finds its gradients alone: those of all earlier steps are in them."""
        if state.steps < 3 or state.summed < state.steps - 1:
            return
        location = self._at(state.place)
        call = call_at(self._sources, location)
        owner = ast.unparse(call.func.value) if call is not None and isinstance(call.func, ast.Attribute) else ""
        yield Observed(
            slug="loop-misuse",
            message=f"the gradients of this {state.kind} are never cleared: each of its {state.steps} steps applies the"
            " sum over all steps before it, too",
            label="the sum is applied here",
            location=location,
            related=marked(self._at(self._session.asking.last_place), "each call adds to `.grad`", "asked"),
            severity="warning",
            fixes=(
                Fix(
                    summary=f"call `{owner or 'optimizer'}.zero_grad()` before `backward()`",
                    caveat="unless each step is meant to apply the gradients of all earlier steps again",
                ),
            ),
        )

    # -- tensors -------------------------------------------------------------------------------------------------

    def _forced(self) -> Iterator[Observed]:
        """A result without a graph was made a leaf, so that `backward` no longer raises."""
        targets = {number for each in self._session.asking.backwards for number in each.targets}
        end, lineage = self._session.journal.position, self._session.lineage() if self._recorder.forced else None
        reached = set(targets) if lineage is None else lineage.ancestors(tuple(targets), end)
        for number, place in self._recorder.forced.items():
            location = self._at(place)
            # A number that parameters were used for is a loss; any other tensor may be an input, unless asked itself.
            loss = number in self._recorder.numbers and number in reached and lineage is not None
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
                        "line, and not on what it is computed from"
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

    # -- parameters that no optimizer has ------------------------------------------------------------------------

    def _left_out(self) -> Iterator[Observed]:
        """Parameters that get a gradient, and that no optimizer was given."""
        hidden: dict[tuple[str, str, int], list[tuple[int, Any, Hidden]]] = defaultdict(list)
        late: list[int] = []
        outside: list[int] = []
        given = self._given_by_module()
        for number, reference in self._recorder.parameters.items():
            parameter = reference()
            if parameter is None or number in self._members or parameter.grad is None or self._is_changed(number):
                continue
            held = self._session.modules.holding(parameter)
            if held is not None and held.owner_number in given:
                attribute = held.path.partition("[")[0]
                hidden[attribute, held.container, held.owner_number].append((number, parameter, held))
            elif number in self._names and number in self._recorder.born and self._is_late(number):
                late.append(number)
            elif number in self._names and self._has_trained_siblings(number):
                outside.append(number)
        for (attribute, container, _), found in hidden.items():
            yield self._hidden(attribute, container, found)
        for numbers in self._by_place(late):
            yield self._late(numbers)
        for numbers in self._by_place(outside):
            yield self._outside(numbers)

    def _given_by_module(self) -> set[int]:
        """The modules, and those around them, of which an optimizer has parameters."""
        alive = self._session.modules.alive()
        known = self._recorder.serials.known
        return {id(each) for each in alive if any(known(p) in self._members for p in each.parameters())} | {
            id(each) for each in alive if not list(each.parameters())
        }

    def _is_changed(self, number: int) -> bool:
        journal = self._session.journal
        stored = (event for event in journal.events() if journal.names[event.name].startswith("stored by "))
        return any(event.inputs[0] == number and event.place != self._recorder.made.get(number) for event in stored)

    def _is_late(self, number: int) -> bool:
        """Whether a parameter of a module that an optimizer has others of was made after that optimizer."""
        first = min((state.born for state in self._states), default=0)
        return number > first and self._has_trained_siblings(number)

    def _has_trained_siblings(self, number: int) -> bool:
        root = self._session.modules.names[number][2]
        names = self._session.modules.names.items()
        return any(place == root and other in self._members for other, (_, _, place) in names if other != number)

    def _by_place(self, numbers: Iterable[int]) -> Iterable[list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for number in numbers:
            found[self._recorder.made.get(number, -1)].append(number)
        return found.values()

    def _hidden(self, attribute: str, container: str, found: list[tuple[int, Any, Hidden]]) -> Observed:
        first = found[0]
        bare = first[2].path.count(".") == 1
        wanted = (
            _CONTAINERS[container] if not bare else ("nn.ParameterDict" if container == "dict" else "nn.ParameterList")
        )
        made = self._at(self._recorder.made.get(first[0], -1))
        return Observed(
            slug="wrong-container",
            message=f"`{first[2].path}`{_more(found)} get gradients and are never trained: `{attribute}` of"
            f" `{first[2].owner}` is a plain {container}, and `parameters()` does not look into it",
            label=f"created here, for a plain {container}",
            location=made,
            severity="warning",
            source=self._ref(first[0], first[2].path),
            also=tuple(self._ref(number, held.path) for number, _, held in found[1:]),
            noun="parameter",
            fixes=(
                Fix(
                    summary=f"keep them in `{wanted}`",
                    edits=_wrapped(self._sources, made, attribute, wanted),
                    caveat="unless another optimizer is meant to train them, or none",
                ),
            ),
        )

    def _late(self, numbers: list[int]) -> Observed:
        state = self._states[0]
        return Observed(
            slug="created-too-late",
            message=f"`{self._names[numbers[0]]}`{_more(numbers)} get gradients and are never trained: created after"
            " the optimizer, which got its list of parameters before",
            label="created here",
            location=self._at(self._recorder.made.get(numbers[0], -1)),
            related=marked(self._at(state.made), "the optimizer is created here", "optimizer"),
            severity="warning",
            source=self._ref(numbers[0], self._names[numbers[0]]),
            also=tuple(self._ref(number, self._names[number]) for number in numbers[1:]),
            noun="parameter",
            fixes=(Fix(summary="create it in `__init__`, or hand it over with `optimizer.add_param_group`"),),
        )

    def _outside(self, numbers: list[int]) -> Observed:
        state = self._states[0]
        return Observed(
            slug="not-trainable",
            message=f"`{self._names[numbers[0]]}`{_more(numbers)} get gradients, and no optimizer has them",
            label="created here",
            location=self._at(self._recorder.made.get(numbers[0], -1)),
            related=marked(self._at(state.made), "the optimizer gets other parameters here", "optimizer"),
            severity="note",
            source=self._ref(numbers[0], self._names[numbers[0]]),
            also=tuple(self._ref(number, self._names[number]) for number in numbers[1:]),
            noun="parameter",
            fixes=(Fix(summary="give the optimizer all parameters, or freeze these with `requires_grad_(False)`"),),
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
                        *marked(self._at(self._recorder.inference), "`inference_mode` begins here", "off"),
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
                    message="parameters are created again in each call of `forward`: what they learn is thrown away",
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
                        summary="also put the frozen part into evaluation mode, with `.eval()` after each `train()`",
                        caveat="unless the statistics should adapt to the new data",
                    ),
                ),
            )

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

    def _ref(self, number: int, name: str) -> TensorRef:
        tensor = self._recorder.parameters[number]()
        return TensorRef(
            name=name,
            kind="variable",
            dtype=str(tensor.dtype).removeprefix("torch.") if isinstance(tensor, torch.Tensor) else "",
            shape=tuple(tensor.shape) if isinstance(tensor, torch.Tensor) else None,
            location=self._at(self._recorder.made.get(number, -1)),
        )


def _more(found: list[Any]) -> str:
    return f" and {len(found) - 1} more parameters" if len(found) > 2 else " and 1 more parameter" * (len(found) - 1)


def _kinds(kinds: list[tuple[str, str]]) -> str:
    kind, name = kinds[0]
    if len(kinds) > 1:
        return f"{len(kinds)} {kind} layers"
    return f"{kind} `{name}`" if name else f"this {kind}"


def _wrapped(sources: Sources, made: Location | None, attribute: str, wanted: str) -> tuple[Edit, ...]:
    """Put the list or dict that is assigned to an attribute into a container that modules look into."""
    for node in sources.nodes(made.file) if made is not None else ():
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or ast.unparse(node.targets[0]) != attribute:
            continue
        if made is None or not node.lineno <= made.line <= (node.end_lineno or node.lineno):
            continue
        at = sources.place(made.file, node.value)
        if (
            isinstance(node.value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Tuple))
            and at.column is not None
        ):
            return (
                Edit(
                    file=made.file,
                    start=Position(line=at.line, column=at.column),
                    end=Position(line=at.end_line or at.line, column=at.end_column or 0),
                    replacement=f"{wanted}({sources.expression(at)})",
                ),
            )
    return ()
