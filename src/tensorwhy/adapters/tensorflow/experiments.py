"""Checks explanations by replay: undo what is blamed, and see whether the gradient comes back.

A replay without any change has to lose the gradient as the program did; else the replay is no image of the step and
says nothing. Then all breaks of the explanation are undone, then each alone. A gradient that came back is compared with
finite differences along random directions.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.kept import Call, Capture
from tensorwhy.adapters.tensorflow.replay import Impossible, Outcome, Replay, Undo
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Verification
from tensorwhy.recording import journal as j

SECONDS = 15.0
"""All experiments of a program together stop after this long."""
SOURCES = 2
"""Sources of one question that are lost for the same reasons are tried this often."""
_TOLERANCE = {"float32": 2e-2, "float64": 1e-5}
"""How far finite differences may be from the gradient, relative to its norm: half the digits, less what kinks cost."""
_STEPS = {"float32": (3e-2, 1e-2, 1e-3), "float64": (1e-4, 1e-6)}
"""Step lengths in units of the values' own size."""


class Experiments:
    """All experiments of one run. `refuted` gets a line for each explanation that did not hold."""

    def __init__(self, captures: Mapping[int, Capture | str], lineage: Lineage) -> None:
        self._captures = captures
        self._lineage = lineage
        self._until = time.monotonic() + SECONDS
        self._tried: dict[object, int] = {}
        self.refuted: list[str] = []

    def checked(
        self, question: GradientQuestion, source: Source, breaks: tuple[GradientBreak, ...]
    ) -> tuple[GradientBreak, ...]:
        """The same breaks with what an experiment said of them; a single unexplained one when it refuted them."""
        capture = self._captures.get(question.event)
        undo = [_undo(fact) for fact in breaks]
        if capture is None or question.error or not any(undo):
            return breaks
        if isinstance(capture, str):
            return _with(breaks, _unverified(capture))
        if not all(undo):
            stays = next(fact for fact, each in zip(breaks, undo) if not each)
            why = f"{stays.op or stays.kind} cannot be undone in a replay, so nothing comes back by this alone"
            return _with(breaks, _unverified(why))
        key = (question.event, tuple((fact.kind, fact.region, fact.location) for fact in breaks))
        self._tried[key] = self._tried.get(key, 0) + 1
        if self._tried[key] > SOURCES:
            return breaks
        if time.monotonic() > self._until:
            return _with(breaks, _unverified("the time for experiments was over"))
        try:
            verification = self._replayed(capture, question, source, [each for each in undo if each])
        except Impossible as error:
            verification = _unverified(str(error))
        except Exception as error:  # a kernel may refuse what it never got before; that is an answer, not a fault
            verification = _unverified(f"the recorded step cannot be executed again ({type(error).__name__})")
        if verification.status == "refuted":
            self.refuted.append(f"an explanation was refuted by experiment and left out ({verification.evidence})")
            return (msgspec.structs.replace(breaks[0], kind="unexplained", exact=False),)
        return _with(breaks, verification)

    def _replayed(self, capture: Capture, question: GradientQuestion, source: Source, undo: list[Undo]) -> Verification:
        if not _connected(capture, source):
            return _unverified("an operation on the way has effects and is not executed again, or was not kept")
        replay = Replay(capture, source.tensor, source.variable, lambda call: self._region(call, question))
        base = Undo() if any(each.watch for each in undo) else Undo(watch=True)
        everything = base
        for each in undo:
            everything = everything | each
        if replay.run(base).gradient is not None:
            return _unverified("a replay of the recorded step does not lose the gradient")
        with_all = replay.run(everything)
        if with_all.gradient is None:
            return Verification(status="refuted", method="replay", evidence="with all of it undone it is still None")
        distinct = list(dict.fromkeys(undo))
        alone = [replay.run(base | each).gradient is not None for each in distinct] if len(distinct) > 1 else []
        return self._confirmed(replay, with_all, everything, len(distinct), any(alone))

    def _confirmed(self, replay: Replay, found: Outcome, undo: Undo, breaks: int, one_suffices: bool) -> Verification:
        if not np.all(np.isfinite(found.gradient)):
            return _unverified("with this undone the gradient is there, but it is not finite")
        norm = float(np.linalg.norm(found.gradient))
        change = {1: "undone", 2: "both undone"}.get(breaks, f"all {breaks} undone")
        gradient = f"has norm {norm:.3g}" if norm else "is there, and zero"
        words = f"{change} in a replay of the recorded step, the gradient {gradient}"
        agrees, difference = _finite_differences(replay, found, undo, norm)
        if agrees is False:
            return _unverified(words + difference)
        words += difference
        if breaks > 1:
            words += "; one alone suffices" if one_suffices else "; with any one alone it is still None"
        words += "; the target did not change" if found.same_value else "; the target changed: nothing is rounded now"
        return Verification(status="confirmed", method="replay", evidence=words)

    def _region(self, call: Call, question: GradientQuestion) -> str:
        """Why the tape of the question did not record a call; empty when it did."""
        wanted = (j.RECORDED,) if call.kind == "record" else (j.OP,)
        for output in call.outputs:
            for event in self._lineage.makers(output):
                if event.kind in wanted:
                    return self._lineage.timeline.region(question.tape, event)
        return ""


def _undo(fact: GradientBreak) -> Undo | None:
    """How to undo a break in a replay; None where that is not possible."""
    if fact.within_gradient or fact.was is not None:
        return None  # what repairs this is something else than to undo it
    if fact.kind == "not-watched":
        return Undo(watch=True)
    if fact.kind == "outside-tape" and fact.region:
        return Undo(regions=frozenset({fact.region}))
    if fact.kind == "stop-gradient":
        return Undo(stops=True)
    if fact.kind == "dtype" and fact.op == "Cast":
        return Undo(casts=True)
    if fact.kind == "left-framework" and fact.path:
        return Undo(bridge=True)
    return None


def _connected(capture: Capture, source: Source) -> bool:
    """Whether the source's value gets to a target through calls that a replay executes."""
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
        if tensor in capture.links:
            stack.append(capture.links[tensor])
        for call in makers.get(tensor, ()):
            if not call.constant or call.name in ("ReadVariableOp", "ResourceGather"):
                stack.extend(call.inputs)
    return False


def _finite_differences(replay: Replay, found: Outcome, undo: Undo, norm: float) -> tuple[bool | None, str]:
    """Whether the gradient is the slope along random directions, in words; None when that cannot be told."""
    dtype = replay.value.dtype.name
    if not found.whole or not norm or dtype not in _STEPS:
        return None, ""
    generator = np.random.default_rng(0)
    size = max(float(np.sqrt(np.mean(np.square(replay.value)))), 0.1)
    function = lambda value: replay.evaluate(value, undo)  # noqa: E731
    here = function(replay.value)
    worst, flat, smooth = 0.0, True, True
    for _ in range(2):
        direction = generator.standard_normal(replay.value.shape)
        expected = float(np.sum(found.gradient * direction))
        best, bend = np.inf, np.inf
        for step in _STEPS[dtype]:
            length = step * size
            ahead = (function(replay.value + length * direction) - here) / length
            back = (here - function(replay.value - length * direction)) / length
            flat = flat and ahead == back == 0.0
            scale = max(abs(expected), norm)
            best = min(best, abs((ahead + back) / 2 - expected) / scale)
            bend = min(bend, abs(ahead - back) / scale)
        worst = max(worst, best)
        smooth = smooth and bend <= _TOLERANCE[dtype]
    if flat:
        return None, "; finite differences are zero: it is constant in steps there, so this is not its slope"
    if worst <= _TOLERANCE[dtype]:
        return True, f" and agrees with finite differences to {max(worst, 1e-7):.0e}".replace("e-0", "e-")
    if not smooth:
        return None, " (finite differences say nothing: there are kinks nearby)"
    return False, f", but finite differences give another slope (off by {worst:.0%} of the norm)"


def _with(breaks: tuple[GradientBreak, ...], verification: Verification) -> tuple[GradientBreak, ...]:
    proved = verification.status == "confirmed"
    return tuple(msgspec.structs.replace(fact, experiment=verification, exact=fact.exact or proved) for fact in breaks)


def _unverified(evidence: str) -> Verification:
    return Verification(status="unverified", method="replay", evidence=evidence)
