"""Checks explanations by replay: undo what is blamed, and see whether the gradient comes back.

A replay without any change has to lose the gradient as the program did; else the replay is no image of the step and
says nothing. Then all breaks of the explanation are undone, then each alone. A gradient that came back is compared with
finite differences along random directions.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.experiments import slopes, suspects
from tensorwhy.adapters.tensorflow.hooks.captures import CALLBACKS, Call, Capture
from tensorwhy.adapters.tensorflow.replays import widening
from tensorwhy.adapters.tensorflow.replays.graph_inlining import inlined
from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay
from tensorwhy.adapters.tensorflow.replays.graph_steps import GraphStep, Looked
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.recorded import TOO_LONG, RecordedReplay
from tensorwhy.adapters.tensorflow.replays.replay import Replay
from tensorwhy.adapters.tensorflow.replays.undo import ROUNDING, Outcome, Undo
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.facts.gradient import GradientBreak, NotPassed, NotRecorded, Tried, Unused
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import RuledOut, Verification
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources

Question = GradientQuestion
Step = Capture | GraphStep | Looked
SECONDS, WORKED, LONGEST = 15.0, 5.0, 90.0
"""All experiments of a program together stop after this long, unless the machine gave them so little of its time that
they hardly worked yet; and in any case after the last of these."""
_SAME_IN_FLOAT64 = 1e-2
"""A target that differs more with more digits is decided by rounding, and is another function then."""
_NOT_KEPT = "an operation on the path was not kept, so the step was not run again"
_IN_PYTHON = "the Python function may have side effects, so the step was not run again"
SOURCES = 2
"""Sources of one question that are lost for the same reasons are tried this often."""


class Experiments:
    """All experiments of one run. `refuted` gets a line for each explanation that did not hold."""

    def __init__(self, captures: Mapping[int, Capture | GraphStep | str], lineage: Lineage) -> None:
        self.on(captures, lineage)
        self._began = time.monotonic(), time.process_time()
        self._tried: dict[object, int] = {}
        self.refuted: list[str] = []

    def on(self, captures: Mapping[int, Capture | GraphStep | str], lineage: Lineage) -> None:
        """What was recorded by now."""
        self.captures, self._lineage = captures, lineage

    def checked(
        self, question: GradientQuestion, source: Source, breaks: tuple[GradientBreak, ...]
    ) -> tuple[GradientBreak, ...]:
        """The same breaks with what an experiment said of them; a single unexplained one when it refuted them."""
        capture = self.captures.get(question.event)
        undo = [_undo(fact) for fact in breaks]
        if capture is None or question.error:
            return breaks
        if not any(undo):
            return tuple(msgspec.structs.replace(fact, tried=Tried(undone=_none_for(fact))) for fact in breaks)
        if isinstance(capture, str):
            return _with(breaks, unverified(capture))
        if not all(undo):
            stays = next(fact for fact, each in zip(breaks, undo) if not each)
            why = f"{_none_for(stays).evidence}, so this change alone restores no gradient"
            return _with(breaks, unverified(why))
        key = (question.event, tuple((fact.kind, _region(fact), fact.location) for fact in breaks))
        self._tried[key] = self._tried.get(key, 0) + 1
        if self._tried[key] > SOURCES:
            return breaks
        if self.over():
            return _with(breaks, unverified(TOO_LONG))
        ruled_out: tuple[RuledOut, ...] = ()
        try:
            replay = self.replay(capture, question, source)
            verification, ruled_out = self._replayed(replay, question, breaks, [each for each in undo if each])
        except Impossible as error:
            called = any(fact.kind == "callback" for fact in breaks) and str(error) == _NOT_KEPT
            verification = unverified(_IN_PYTHON if called else str(error))
        except Exception as error:  # a kernel may refuse what it never got before; that is an answer, not a fault
            verification = unverified(f"the recorded step cannot be replayed ({type(error).__name__})")
        if verification.status == "refuted":
            self.refutes(verification)
            return (msgspec.structs.replace(breaks[0], kind="unexplained", exact=False),)
        return _with(breaks, verification, ruled_out)

    def refutes(self, verification: Verification) -> None:
        """Tell of an explanation that did not hold."""
        self.refuted.append(f"an explanation was refuted by experiment and omitted ({verification.evidence})")

    def over(self) -> bool:
        """Return whether the time for all experiments has passed."""
        passed, worked = time.monotonic() - self._began[0], time.process_time() - self._began[1]
        return passed > LONGEST or (passed > SECONDS and worked > WORKED)

    def replay(self, step: Step, question: Question, source: Source) -> Replay:
        """The step of a question, for one of its sources. Raises Impossible."""
        if isinstance(step, Looked):
            return GraphReplay(step.step, source.tensor, step.arguments)
        if isinstance(step, GraphStep):
            opened = inlined(step) if isinstance(question, GradientQuestion) else step
            region = self._traced if opened is step else self._called
            return GraphReplay(opened, source.tensor, region=lambda each: region(each, question))
        if not _connected(step, source):
            raise Impossible(_NOT_KEPT)
        return RecordedReplay(step, source.tensor, source.variable, lambda call: self.region(call, question), self.over)

    def _replayed(
        self,
        replay: Replay,
        question: GradientQuestion,
        breaks: tuple[GradientBreak, ...],
        undo: list[Undo],
    ) -> tuple[Verification, tuple[RuledOut, ...]]:
        base = Undo() if any(each.watch for each in undo) else Undo(watch=True)
        everything = base
        for each in undo:
            everything = everything | each
        if replay.differentiate(base).gradient is not None:
            return unverified(f"the gradient is not lost in {replay.words}"), ()
        with_all = replay.differentiate(everything)
        if with_all.gradient is None and any(gate.way == "own" for gate in everything.gates):
            return unverified("the function that the custom gradient replaces has no gradient itself"), ()
        if with_all.gradient is None and replay.opened:
            return unverified("with all of it undone, also inside the called functions, the gradient is still None"), ()
        if with_all.gradient is None and replay.calls(self._lineage.rules.functions):
            why = f": {replay.closed}" if replay.closed else ", including what is lost inside it"
            return unverified(f"a traced function on the path is executed as a whole{why}"), ()
        if with_all.gradient is None:
            return Verification(
                status="refuted", method="replay", evidence="with all of it undone, the gradient is still None"
            ), ()
        if not np.any(with_all.gradient) and replay.calls(self._lineage.rules.functions):
            return unverified(
                "without this problem, the gradient is zero, which traced functions return for inputs they do not use"
            ), ()
        distinct = list(dict.fromkeys(undo))
        alone = (
            [replay.differentiate(base | each).gradient is not None for each in distinct] if len(distinct) > 1 else []
        )
        verification = _confirmed(replay, with_all, everything, len(distinct), any(alone), breaks)
        if verification.status != "confirmed":
            return verification, ()
        longest = max((fact.path for fact in breaks), key=lambda path: len(path))
        found = suspects.on_the_way(longest, breaks)
        persistent = breaks[0].made.persistent
        if found or persistent or question.warned:
            found += suspects.around(question, persistent, replay.lost_on_other_tape(base, persistent))
        return verification, tuple(found)

    def _traced(self, tensor: int, question: Question) -> str:
        """Why the tape of the question did not record what made a tensor of a graph."""
        for event in self._lineage.makers(tensor):
            if event.kind == j.GRAPH_OP:
                return self._lineage.timeline.region(question.recorder, event)
        return ""

    def _called(self, tensor: int, question: Question) -> str:
        """The same where calls are opened: while a function is called nothing is recorded, and then the call is."""
        region = self._traced(tensor, question)
        recorded = (each for each in self._lineage.makers(tensor) if each.kind == j.RECORDED)
        whole = any(not self._lineage.timeline.region(question.recorder, each) for each in recorded)
        return "" if region == "paused" and whole else region

    def recomputed(self, call: Call) -> bool:
        """Return whether a function was recorded by hand whose gradient is computed by running it again."""
        events = (event for output in call.outputs for event in self._lineage.makers(output))
        return any(event.kind == j.RECORDED and event.index in self._lineage.recomputed for event in events)

    def region(self, call: Call, question: Question) -> str:
        """Why the tape of the question did not record a call; empty when it did."""
        wanted = (j.RECORDED,) if call.kind == "record" else (j.OP,)
        for output in call.outputs:
            for event in self._lineage.makers(output):
                if event.kind in wanted:
                    return self._lineage.timeline.region(question.recorder, event)
        return ""


def _confirmed(
    replay: Replay,
    found: Outcome,
    undo: Undo,
    number: int,
    one_suffices: bool,
    breaks: Sequence[GradientBreak],
) -> Verification:
    if not np.all(np.isfinite(found.gradient)):
        return unverified("without this problem, there is a gradient, but it is not finite")
    change = {1: _changed(undo, breaks), 2: "without both problems"}.get(number, f"without all {number} problems")
    words = f"there is a gradient{replay.where}" + ("" if np.any(found.gradient) else ", but it is zero everywhere")
    if found.whole and not any(gate.way == "past" for gate in undo.gates):
        try:
            slope = finite_differences(replay, found, undo)
        except Impossible:  # in the time that there is
            slope = slopes.Slope(None, "")
        if slope.agrees is False:
            return unverified(f"{change}, {words}{slope.words}")
        words += checked(slope)
    same = ", and the loss is unchanged" if found.same_value else "; the loss differs, because nothing is rounded"
    words = f"{change}, {words}{same}"
    if number > 1:
        words += "; removing one of them is enough" if one_suffices else "; with only one removed, it is still None"
    return Verification(status="confirmed", method="replay", evidence=words)


def _changed(undo: Undo, breaks: Sequence[GradientBreak]) -> str:
    """What is otherwise in a replay, where that is one thing."""
    ways = {gate.way for gate in undo.gates}
    if "past" in ways:
        return f"with a gradient of 1 for {as_written(breaks[0].op, breaks[0].location, Sources())}"
    if "own" in ways:
        return "with TensorFlow's own gradient instead of the custom one"
    if undo.stops:
        return "without `stop_gradient`"
    if undo.casts:
        return "without the rounding"
    if undo.bridge:
        return "with the tensor itself instead of the copied value"
    if undo.regions:
        return "if the tape records this computation"
    return "if the tape watches it" if breaks[0].kind == "not-watched" else "without this problem"


def checked(slope: slopes.Slope) -> str:
    """What finite differences said of a gradient that they do not contradict, to people who need no digits."""
    return " (checked numerically)" if slope.agrees else slope.words


def finite_differences(replay: Replay, found: Outcome, undo: Undo) -> slopes.Slope:
    """What finite differences say: of the step in float64 where its kernels take that, else as it was computed."""
    for arithmetic in (undo._replace(wide=True), undo):
        try:
            there, here = (replay.evaluate(replay.value, each) for each in (arithmetic, undo))
            if np.isclose(there, here, rtol=_SAME_IN_FLOAT64, atol=_SAME_IN_FLOAT64):
                digits = "float64" if arithmetic.wide else replay.narrowest
                function = functools.partial(replay.evaluate, undo=arithmetic)
                return slopes.compared(function, replay.value, found.gradient, replay.narrowest, digits)
        except widening.REFUSALS:
            if not arithmetic.wide:
                raise
    return slopes.Slope(None, "")


def _region(fact: GradientBreak) -> str:
    return fact.region if isinstance(fact, NotRecorded) else ""


def _undo(fact: GradientBreak) -> Undo | None:
    """How to undo a break in a replay; None where that is not possible."""
    passed = fact if isinstance(fact, NotPassed) else None
    if passed is not None and passed.by_question:
        return None  # what repairs this is something else than to undo it
    within = isinstance(fact, (NotPassed, Unused)) and fact.within_gradient
    if (fact.kind == "dtype" and fact.op == "Cast") or (fact.kind == "no-gradient" and fact.op in ROUNDING):
        return Undo(casts=True) if not within else None
    if fact.gate is not None:
        return Undo(gates=frozenset({fact.gate}))
    if within:
        return None
    if fact.kind == "not-watched":
        return Undo(watch=True)
    if _region(fact):
        return Undo(regions=frozenset({_region(fact)}))
    if fact.kind == "stop-gradient":
        return Undo(stops=True)
    if (fact.kind == "left-framework" and fact.path) or (
        fact.kind == "state" and fact.exit is None and passed is not None and not passed.container
    ):
        return Undo(bridge=True)
    return None


def _connected(capture: Capture, source: Source) -> bool:
    """Return whether the source's value gets to a target through calls that a replay executes."""
    wanted = {source.tensor}
    seen: set[int] = set()
    makers: dict[int, list[Call]] = {}
    for call in capture.calls:
        for output in call.outputs:
            makers.setdefault(output, []).append(call)
    stack = list(capture.targets)
    while stack:
        tensor = stack.pop()
        if tensor in wanted:
            return True
        if tensor in seen:
            continue
        seen.add(tensor)
        stack.extend(capture.links[key] for key in (tensor, j.variable(tensor)) if key in capture.links)
        for call in makers.get(tensor, ()):
            if not call.constant or call.name in ("ReadVariableOp", "ResourceGather", *CALLBACKS, *capture.functions):
                stack.extend(call.inputs)
    return False


def _with(
    breaks: tuple[GradientBreak, ...], verification: Verification, ruled_out: tuple[RuledOut, ...] = ()
) -> tuple[GradientBreak, ...]:
    proved = verification.status == "confirmed"
    return tuple(
        msgspec.structs.replace(
            fact,
            tried=Tried(undone=verification, ruled_out=ruled_out if fact is breaks[0] else ()),
            exact=fact.exact or proved,
        )
        for fact in breaks
    )


def _none_for(fact: GradientBreak) -> Verification:
    """Why no replay was made."""
    return Verification(evidence=f"{fact.op or fact.kind} cannot be undone in a replay")


def unverified(evidence: str) -> Verification:
    """An experiment that could not tell, and why."""
    return Verification(status="unverified", method="replay", evidence=evidence)
