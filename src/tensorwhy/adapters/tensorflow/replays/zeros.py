"""Checks explanations of zeros by replay: open what is blamed, and see whether the gradient is another number.

First only what goes back is changed, as in a straight-through estimator, so that all values stay what they were. What
is blamed may have made the values themselves zero, though, and others need them: then the values are changed, too, and
the evidence says so. A replay without any change has to give zero as the program did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.hooks.kept import Capture
from tensorwhy.adapters.tensorflow.replays import widening
from tensorwhy.adapters.tensorflow.replays.experiments import (
    SOURCES,
    Experiments,
    checked,
    finite_differences,
    unverified,
    within,
)
from tensorwhy.adapters.tensorflow.replays.graph_steps import Looked
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.replay import Replay
from tensorwhy.adapters.tensorflow.replays.undo import Outcome, Undo
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.question import Source, ValueSnapshot, ZeroQuestion
from tensorwhy.model.report import Verification
from tensorwhy.source.files import Sources

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay

Step = Capture | Looked | str | None
_LEFT = 1e-4
"""What rounding leaves of a gradient that cancels, beside the one that comes back."""
_AWAY, _REMAINS = 0.1, 1e-3
"""How far away from a value it is looked whether a gradient cancels there, too, and what share of it tells that not."""
_SCALES = (2**6, 2**10, 2**15)
"""What a target is multiplied with, the last one little less than the largest number of float16."""
_EACH = 16
"""So many sources are tried one by one, where the first of them stays at zero."""
_STILL_ZERO = "without this problem, the gradient is still zero, because other operations block it too"
_RANKS = ("refuted", "unverified", "confirmed")


class ZeroExperiments:
    """Opens gates in recorded steps, within the bounds of all the experiments of a run."""

    def __init__(self, experiments: Experiments) -> None:
        self._experiments = experiments

    def checked(
        self, question: ZeroQuestion, facts: Sequence[ZeroGradient], step: Step, snapshot: ValueSnapshot
    ) -> tuple[tuple[ZeroGradient, ...], list[Source]]:
        """The same facts with what an experiment said of them, without those that it refuted.

        And the sources that stay at zero where others of them come back. `step` is what was kept of it: in words why
        it was not, and None where there was none to keep.
        """
        found: dict[int, Verification] = {}
        elsewhere: dict[int, list[Source]] = {}
        tried = set()
        for source in question.sources:
            mine = tuple(at for at, fact in enumerate(facts) if source in _unplaced(fact))
            if mine and mine not in tried:
                tried.add(mine)
                said, beyond = self._of_each(question, [facts[at] for at in mine], step, snapshot)
                for at in mine:
                    found[at] = max(found.get(at, said), said, key=lambda each: _RANKS.index(each.status))
                    elsewhere.setdefault(at, []).extend(beyond)
        kept = []
        for at, fact in enumerate(facts):
            experiment = found[at]
            if experiment.status != "refuted":
                exact = fact.exact or experiment.status == "confirmed"
                sources = tuple(s for s, plain in zip(fact.sources, _unplaced(fact)) if plain not in elsewhere[at])
                kept.append(msgspec.structs.replace(fact, sources=sources, experiment=experiment, exact=exact))
            else:
                self._experiments.refutes(experiment)
        return tuple(kept), [source for each in elsewhere.values() for source in each]

    def _of_each(
        self, question: ZeroQuestion, facts: Sequence[ZeroGradient], step: Step, snapshot: ValueSnapshot
    ) -> tuple[Verification, list[Source]]:
        """What opening these facts says, and the sources that stay at zero with weights in place of zeros.

        Such zeros are behind a closed operation for some sources, which have a further one of their own.
        """
        sources = [each for each in question.sources if all(each in _unplaced(fact) for fact in facts)]
        said = {0: self._said(question, sources[0], facts, step, snapshot)}
        if said[0].evidence != _STILL_ZERO or not any(fact.kind == "initial" for fact in facts):
            return said[0], []
        for at, source in enumerate(sources[1:_EACH], start=1):
            said[at] = self._said(question, source, facts, step, snapshot)
        back = next((each for each in said.values() if each.status == "confirmed"), None)
        if back is None:
            return said[0], []
        return back, [sources[at] for at, each in said.items() if each.evidence == _STILL_ZERO]

    def cancelled(
        self, question: ZeroQuestion, sources: Sequence[Source], step: Step, gates: frozenset[Gate] = frozenset()
    ) -> set[int]:
        """The tensors of an eager step, on the ways from these sources, whose gradients were seen to cancel.

        With these gates open: behind a closed one there is nothing that could.
        """
        found: set[int] = set()
        if not isinstance(step, Capture):
            return found
        for source in sources[:SOURCES]:
            if self._experiments.over():
                break
            try:
                replay = self._experiments.replay(step, question, source)
                found |= replay.cancelled(gates) if isinstance(replay, Replay) else set()
            except Exception:  # a step that cannot be executed again says nothing
                continue
        return found

    def underflowed(self, question: ZeroQuestion, sources: Sequence[Source], step: Step) -> dict[int, int]:
        """Those whose gradients are too small for float16, each with a factor of the target that brings them back.

        A power of two changes nothing else: what cancels or is closed stays at zero.
        """
        found: dict[int, int] = {}
        if not isinstance(step, (Capture, Looked)):
            return found
        for source in sources[:SOURCES]:
            if self._experiments.over():
                break
            try:
                replay = self._replay(step, question, source)
                if replay.narrowest != "float16" or _is_back(replay.run(Undo(watch=True)), 0.0):
                    continue
                scales = (each for each in _SCALES if _is_back(replay.run(Undo(watch=True, scale=each)), 0.0))
                scale = next(scales, 0)
            except Exception:  # a step that cannot be executed again says nothing
                continue
            if scale:
                found[source.tensor] = scale
        return found

    def _said(
        self,
        question: ZeroQuestion,
        source: Source,
        facts: Sequence[ZeroGradient],
        step: Step,
        snapshot: ValueSnapshot,
    ) -> Verification:
        """Return the result of undoing what these facts blame."""
        if step is None or isinstance(step, str):
            return unverified(step or "no recorded step was kept to replay")
        stays = next((fact for fact in facts if not fact.gates), None)
        if stays is not None:
            return Verification(evidence=f"{_CLOSED.get(stays.kind, stays.op)} cannot be undone in a replay")
        if self._experiments.over():
            return unverified("the time limit for experiments was reached")
        try:
            replay = self._replay(step, question, source)
            said = opened(replay, facts, _others(step, facts, snapshot))
            if said.status == "confirmed" and isinstance(replay, Replay) and _only_here(replay, facts):
                return Verification(
                    status="refuted",
                    method="replay",
                    evidence="the gradients cancel for this value of the variable alone: it is at an optimum",
                )
        except Impossible as error:
            return unverified(str(error))
        except Exception as error:  # a kernel may refuse what it never got before; that is an answer, not a fault
            return unverified(f"the recorded step cannot be replayed ({type(error).__name__})")
        if question.copy == "made-up" and said.status != "unverified":
            return unverified(f"{said.evidence}; the program's own arguments are not known")
        return said

    def _replay(self, step: Capture | Looked, question: ZeroQuestion, source: Source) -> Replay | GraphReplay:
        if isinstance(step, Capture):
            return self._experiments.replay(step, question, source)
        from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay

        return GraphReplay(step.step, source.tensor, True, lambda tensor: "", step.arguments)


_CLOSED = {"untaken": "a branch that was not taken", "skipped": "a loop that never ran"}


def opened(
    replay: Replay | GraphReplay, facts: Sequence[ZeroGradient], others: frozenset[Gate] = frozenset()
) -> Verification:
    """Return what happens to the gradient when everything that these facts blame is undone.

    `others` are further operations that pass no gradient. Undoing only what is blamed may then not be enough; it must
    be needed together with them.
    """
    base = replay.run(Undo(watch=True))
    if base.gradient is None:
        return unverified(f"in {replay.words} the gradient is None")
    left = _norm(base.gradient)
    gates = frozenset(gate for fact in facts for gate in fact.gates)
    for keep in (True, False):
        undo = Undo(watch=True, gates=gates, keep=keep)
        found = replay.run(undo)
        if _is_back(found, left):
            return _confirmed(replay, found, undo, facts, _one_suffices(replay, facts, keep, left))
    if found.gradient is None or not np.all(np.isfinite(found.gradient)):
        return unverified("without this problem, the gradient is not finite")
    if left:
        return unverified(f"{replay.words} does not give zero")
    if others:
        return _beside(replay, gates, others, facts)
    if not found.whole:
        return unverified("a traced function or a custom gradient is on the path, and its values cannot be changed")
    return Verification(status="refuted", method="replay", evidence="with all of it undone, the gradient is still zero")


def _only_here(replay: Replay, facts: Sequence[ZeroGradient]) -> bool:
    """Return whether terms that cancel at this value of the source do not cancel at another value."""
    if not all(fact.kind == "cancelled" and (fact.summed or fact.ways) for fact in facts):
        return False
    was = replay.value
    away = np.random.default_rng(0).normal(size=was.shape) * max(float(np.abs(was).max(initial=0.0)), 1.0)
    gates = frozenset(gate for fact in facts for gate in fact.gates)
    at = (was + _AWAY * away).astype(was.dtype)
    found, whole = replay.run(Undo(watch=True), at=at), replay.run(Undo(watch=True, gates=gates, keep=True), at=at)
    if found.gradient is None or whole.gradient is None or not np.all(np.isfinite(found.gradient)):
        return False
    return _norm(found.gradient) > _REMAINS * _norm(whole.gradient) > 0


def _beside(
    replay: Replay | GraphReplay, gates: frozenset[Gate], others: frozenset[Gate], facts: Sequence[ZeroGradient]
) -> Verification:
    """Undo what is blamed together with everything else that passes no gradient, and then the rest alone."""
    undo = Undo(watch=True, gates=gates | others, keep=True)
    found = replay.run(undo)
    if not _is_back(found, 0.0) or _is_back(replay.run(undo._replace(gates=others)), 0.0):
        return unverified(_STILL_ZERO)
    more = "1 more operation that passes none" if len(others) == 1 else f"{len(others)} more operations that pass none"
    words = f"{_opened(facts)}, and so did {more}, the gradient would not be zero{within(replay)}"
    return Verification(
        status="confirmed", method="replay", evidence=f"{words}; if only the others did, it would still be zero"
    )


def all_open(step: Step, facts: Sequence[ZeroGradient], snapshot: ValueSnapshot) -> frozenset[Gate]:
    """What opens all that was confirmed to be closed in a step, and all else that was seen to be."""
    sure = (fact for fact in facts if fact.experiment is not None and fact.experiment.status == "confirmed")
    gates = frozenset(gate for fact in sure for gate in fact.gates)
    return gates | _others(step, facts, snapshot) if isinstance(step, (Capture, Looked)) else gates


def _others(step: Capture | Looked, facts: Sequence[ZeroGradient], snapshot: ValueSnapshot) -> frozenset[Gate]:
    """The operations of a step that were seen to be closed, and that no fact blames."""
    blamed = {gate.made for fact in facts for gate in fact.gates}
    known = (
        {output for call in step.calls if not call.constant for output in call.outputs}
        if isinstance(step, Capture)
        else {tensor for tensor, name in step.step.tensors.items() if name.endswith(":0")}
    )
    return frozenset(
        Gate(way="through", made=made, position=closed[0])
        for made, closed in snapshot.closed.items()
        if made in known - blamed and len(closed) == 1
    )


def _one_suffices(replay: Replay | GraphReplay, facts: Sequence[ZeroGradient], keep: bool, left: float) -> bool | None:
    """Return whether one of several facts is enough; None where there is only one."""
    each = [Undo(watch=True, gates=frozenset(fact.gates), keep=keep) for fact in facts]
    return any(_is_back(replay.run(undo), left) for undo in each) if len(each) > 1 else None


def _unplaced(fact: ZeroGradient) -> tuple[Source, ...]:
    """The sources as the question has them."""
    return tuple(msgspec.structs.replace(source, made=None) for source in fact.sources)


def _is_back(found: Outcome, left: float) -> bool:
    if found.gradient is None or not np.all(np.isfinite(found.gradient)):
        return False
    norm = _norm(found.gradient)
    return norm > 0 and left <= _LEFT * norm


def _confirmed(
    replay: Replay | GraphReplay, found: Outcome, undo: Undo, facts: Sequence[ZeroGradient], one_suffices: bool | None
) -> Verification:
    backward = undo.keep and any(gate.way != "variable" for gate in undo.gates)
    added = any(gate.way == "used" for gate in undo.gates)
    words = f"{_opened(facts)}, the gradient would not be zero{within(replay)}"
    if found.whole and not backward:
        slope = finite_differences(replay, found, undo)
        if slope.agrees is False:
            return unverified(f"{words}{slope.words}")
        words += checked(slope)
    if one_suffices is not None:
        words += (
            "; one of these changes is enough"
            if one_suffices
            else "; with only one of these changes, it would still be zero"
        )
    if found.whole and backward and not added:
        words += _forward(replay, undo)
    return Verification(status="confirmed", method="replay", evidence=words)


def _forward(replay: Replay | GraphReplay, undo: Undo) -> str:
    """Say that the gradient is the slope of the target when the values are changed too, where it is."""
    changed = undo._replace(keep=False)
    try:
        found = replay.run(changed)
        compared = finite_differences(replay, found, changed) if _is_back(found, 0.0) else None
        if compared is not None and compared.agrees:
            return checked(compared)
    except (Impossible, *widening.REFUSALS):
        pass  # what takes these values takes no others: then there is only the gradient
    return ""


def _opened(facts: Sequence[ZeroGradient]) -> str:
    """What is otherwise in a replay, as a condition."""
    return "if " + " and ".join(dict.fromkeys(_undone(gate, fact) for fact in facts for gate in fact.gates))


def _undone(gate: Gate, fact: ZeroGradient) -> str:
    if gate.way == "through":
        written = as_written(fact.summed or fact.op, fact.location, Sources()).partition(" (")[0]
        return f"{written} let the gradient through"
    if gate.way == "ones":
        return "the zeros were ones"
    if gate.way == "variable":
        name = fact.variable.name.removesuffix(":0") if fact.variable is not None else ""
        return f"`{name}` started with random numbers" if name else "the variable started with random numbers"
    if gate.way == "used":
        return "the loss used this output"
    return "one of the terms that cancel had other values"


def _norm(gradient: Any) -> float:
    return float(np.linalg.norm(np.asarray(gradient, np.float64)))
