"""One recording of one program: the hooks that write the journal, and the questions read from it afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tensorwhy.adapters import turns
from tensorwhy.adapters.inquiries import Inquired
from tensorwhy.adapters.protocol import RecordMode, Rehearsal
from tensorwhy.adapters.tensorflow.gradients.rules import UNNAMED, dtype_names, facts_without_dtypes, rules
from tensorwhy.adapters.tensorflow.hooks import callbacks, entry_points
from tensorwhy.adapters.tensorflow.hooks.attention import ROOM, Attention
from tensorwhy.adapters.tensorflow.hooks.earlier import Earlier
from tensorwhy.adapters.tensorflow.hooks.functions import Functions
from tensorwhy.adapters.tensorflow.hooks.installed import InstalledRecorder
from tensorwhy.adapters.tensorflow.hooks.window import Window
from tensorwhy.adapters.tensorflow.questions.asked import Questions
from tensorwhy.adapters.tensorflow.questions.forward_mode import ForwardMode
from tensorwhy.adapters.tensorflow.questions.graph_questions import GraphQuestions
from tensorwhy.adapters.tensorflow.questions.tapes import Tapes
from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.adapters.tensorflow.variables import answered
from tensorwhy.adapters.tensorflow.variables.late_freezing import LateFreezing
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.questions import distinct
from tensorwhy.lineage.rules import Rules
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import Coverage, VariableView
from tensorwhy.model.tracing import Trace
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.stepped import Recorded, Stepped

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.experiments.experiments import Experiments
    from tensorwhy.adapters.tensorflow.inquiry import Inquiry
    from tensorwhy.adapters.tensorflow.replays.called import Called
    from tensorwhy.model.inquiry import Seen


class TensorFlowSession(Inquired):
    """Records from `start` until `close`."""

    def __init__(self, user: UserCode, record: RecordMode) -> None:
        self.user = user
        self.journal = j.Journal()
        self.recorder = InstalledRecorder(self.journal, user)
        self.attention = Attention(self.recorder.arm, self.recorder.rest, always=record == "full")
        self.tapes = Tapes(self.recorder, self.attention)
        answered.recorded_by(self.tapes)
        self.questions = Questions(self.recorder, self.tapes)
        self.recorder.also_armed.append(self.tapes.arm)
        self.recorder.on_trace = self._traced
        self.journal.limit, self.journal.on_limit = ROOM, self.attention.room
        self.window: Window | None = None
        self.skipped: dict[int, frozenset[int]] = {}
        self.forward = ForwardMode(self.recorder, self.tapes, self.questions)
        self.functions = Functions(self.recorder, user)
        self.late_freezing = LateFreezing(self.recorder, self.tapes.updates)
        self.recorder.kept.opens = self._opens
        self.recording = record != "off"
        self.late = _has_run()
        self._lineage: tuple[int, Lineage] | None = None
        self._asking: tuple[int, Inquiry] | None = None
        self._answered = self._counted = self._ops = 0
        self._experimenter: Experiments | None = None
        self.told: set[Location] = set()

    def start(self) -> None:
        """Install the hooks."""
        if self.recording:
            self.recorder.install()
            callbacks.install(self.recorder)
            self.tapes.install()
            self.questions.install()
            GraphQuestions(self.recorder, self.tapes, self.questions).install()
            self.forward.install()
            self.functions.install()
            self.late_freezing.install()
            if self.late:
                earlier = Earlier(self.recorder, self.functions)
                self.recorder.on_function, self.functions.on_calls = earlier.called, earlier.calls
            if not entry_points.are_seen():
                entry_points.use_callbacks(self.recorder)
                self.recorder.unseen[entry_points.LIMITS] = None

    @property
    def traced(self) -> bool:
        """Whether a graph was built; True as well when nobody looked."""
        return self._may_have_missed or bool(self.functions.by_name)

    def met(self, operation: str) -> bool:
        """Whether such an operation was run or traced; True as well when nobody looked."""
        return self._may_have_missed or self.journal.knows(operation)

    @property
    def _may_have_missed(self) -> bool:
        return self.late or not self.recording or self.recorder.failure is not None

    def rules(self) -> Rules:
        """What the lineage must know of this TensorFlow."""
        return rules(self.functions.by_name, self.tapes.variables, _assembled, _part, _collected)

    def facts(self) -> Iterable[CaseGroup]:
        self.recorder.stop()
        from tensorwhy.adapters.tensorflow.ledger import filled
        from tensorwhy.adapters.tensorflow.variables import mispaired

        yield from filled.empty_lists(self)
        yield from mispaired.groups(self)
        if self.tapes.by_hand.miscounted is not None or self.tapes.by_hand.ignored:
            from tensorwhy.adapters.tensorflow.failures import refused_backward

            yield from refused_backward.groups(self)
        questions, self._answered = self.questions.asked[self._answered :], len(self.questions.asked)
        if questions:
            yield from self._explained(distinct(questions, self.attention.sites), experiments=True)
        yield from self.questions.unrecorded.groups({q.place for q in self.questions.asked}, UNNAMED)
        unconnected, self.questions.filled = self.questions.filled, []
        if unconnected:
            yield from self._explained(self._unconnected(unconnected))

    def about(self, thing: Any) -> Iterable[CaseGroup]:
        questions = self.questions.asked
        if thing is not None:
            tensor = self.recorder.handle_of(thing) if resource(thing) is not None else getattr(thing, "_id", None)
            asked = [q for q in questions if any(source.tensor == tensor for source in q.sources)]
            questions = asked or [q for q in questions if tensor in q.targets]
        yield from self._explained(questions[-1:])

    def attend(self) -> None:
        from tensorwhy.adapters.tensorflow.questions.step_norms import StepNorms

        self.tapes.norms.every = True
        if self.recording:
            self.tapes.updates.on_due = StepNorms(self.recorder, self.tapes.stalled, self.tapes.norms).after

    def _inquiry(self) -> Inquiry:
        from tensorwhy.adapters.tensorflow.inquiry import Inquiry

        end, known = self.journal.position, self._asking
        if known is None or known[0] != end:
            self.tapes.updates.last_look()
            known = self._asking = end, Inquiry(self, lambda question: self._explained([question]))
        return known[1]

    def traces(self) -> Iterable[Trace]:
        from tensorwhy.adapters.tensorflow.tracing import frozen

        for watch in frozen.CURRENT:
            yield from watch.traces(whole=True)

    def would(self, target: Any, sources: list[Any], recorder: Any) -> Iterable[Seen] | None:
        question = self.questions.hypothetical(target, sources, recorder)
        return None if question is None else self._inquiry().would(question)

    def _unconnected(self, filled: list[GradientQuestion]) -> Iterable[GradientQuestion]:
        """Questions that were answered with zeros instead of None, about the sources that are not connected."""
        from tensorwhy.lineage.prediction import Prediction

        for question in distinct(filled):
            prediction = Prediction(self.lineage(), question)
            lost = tuple(source for source in question.sources if not prediction.arrives(source.tensor))
            if lost:
                yield msgspec.structs.replace(question, sources=lost)

    def lineage(self) -> Lineage:
        """The index over everything that was recorded so far."""
        end, known = self.journal.position, self._lineage
        if known is None or known[0] != end:
            known = self._lineage = end, self._indexed()
        return known[1]

    def loops_skipped(self, name: str, arrays: Sequence[Any]) -> set[int]:
        """The loops of a traced function that did not run for these inputs."""
        from tensorwhy.adapters.tensorflow.questions.skipped_loops import skipped

        graph = self.functions.graph(name)
        if graph is None:
            return set()
        return skipped(graph, {each.name: array for each, array in zip(graph.inputs, arrays) if array is not None})

    def _opens(self, name: str) -> tuple[Called, dict[int, Any], tuple[int, ...]] | None:
        """What experiments need of a traced function, while its graph is there."""
        from tensorwhy.adapters.tensorflow.replays.called import called

        graph = self.functions.graph(name)
        if graph is None:
            return None
        try:
            function, values = called(graph, self.functions.by_name[name])
        except Exception:  # TensorFlow may refuse in many ways to tell of a graph: then it is called as a whole
            return None
        return function, values, function.drawn

    def _indexed(self) -> Lineage:
        by_hand = self.tapes.by_hand
        known = by_hand.custom_none, by_hand.call_none, by_hand.padded
        return Lineage(self.journal, self.rules(), *known, self.forward.tangents, by_hand.recomputed)

    def _explained(self, questions: Iterable[GradientQuestion], experiments: bool = False) -> Iterable[CaseGroup]:
        from tensorwhy.adapters.tensorflow import explaining

        return explaining.groups(self, questions, experiments)

    def experiments(self) -> Experiments | None:
        """What makes the experiments of this run; None when there is nothing to make them with."""
        captures = {**self.questions.traced, **self.recorder.kept.captures}
        if not self.tapes.stalled.keeps or not _no_tape():
            return None
        from tensorwhy.adapters.tensorflow.experiments.experiments import Experiments

        if self._experimenter is None:
            self._experimenter = Experiments(captures, self.lineage())
        self._experimenter.on(captures, self.lineage())
        return self._experimenter

    def keep_steps(self, steps: int) -> None:
        self.window = self.tapes.window = Window(self.journal, steps, self._dropping)

    def _dropping(self, start: int, end: int) -> None:
        self._ops += self.journal.operations(max(start, self._counted), max(end, self._counted))
        self.tapes.by_hand.forget(start, end)
        self.forward.forget(start, end)

    def _traced(self) -> None:
        self.attention.news()
        if self.tapes.updates.run.running:  # in a call: not what a dataset traces for `map`, in each `fit` anew
            self.recorder.write_all()
        if self.window is not None:
            self.window.traced()

    def keep_for_experiments(self) -> None:
        if self.recording:
            self.recorder.kept.start()
            self.tapes.stalled.keeps = True

    def recorded(self) -> Recorded:
        by_hand, optimizers = self.tapes.by_hand, self.tapes.optimizers
        return Recorded(
            self.journal,
            self.questions.asked,
            self.tapes.variables,
            dtype_names(),
            vocabulary=self.rules(),
            facts=facts_without_dtypes,
            functions=self.functions.by_name,
            by_row={
                "custom_none": by_hand.custom_none,
                "call_none": by_hand.call_none,
                "padded": by_hand.padded,
            },
            warned=optimizers.reached,
            refused=optimizers.refused,
            gap=self.gap(),
            left_out=self.recorder.left_out,
        )

    def gap(self) -> int | None:
        """The row from which on something may have been left out of the journal."""
        return 0 if self.late or self.journal.forgot else self.recorder.gap

    def tell_steps(self, take: Callable[[Stepped], None]) -> None:
        def step(place: int, number: int, lost: bool, whole: bool) -> None:
            now = time.time_ns() // 1000
            take(Stepped(place, number, self.journal.position, lost, whole, now))

        self.tapes.tell_steps(step)
        self.journal.unread = 0

    def rehearse(self, rehearsal: Rehearsal) -> None:
        if self.recording:
            from tensorwhy.adapters.tensorflow.questions.rehearsals import Answers

            answers = Answers(rehearsal, self.journal, self.tapes.zeros.questions)
            self.questions.on_answer, self.tapes.updates.on_step = answers.answered, answers.ran

    def pause(self) -> None:
        self.recorder.stop()

    def resume(self) -> None:
        if self.recorder.failure is None:
            self.recorder.active = True
            self.start()
            if not self.attention.armed:
                self.recorder.disarm()

    def coverage(self) -> Coverage:
        self.tapes.updates.run.settle()
        # Asked after every notebook cell: only what is new is counted.
        end = self.journal.position
        self._ops += self.journal.operations(self._counted, end)
        self._counted = end
        unobserved = [*self.recorder.unseen, *(self._experimenter.refuted if self._experimenter is not None else ())]
        if not self.recording:
            unobserved.append("recording was off: gradients were not observed")
        if self.recorder.kept.failure:
            unobserved.append(
                f"no experiment was possible, because keeping a step failed: {self.recorder.kept.failure}"
            )
        if self.recorder.failure:
            unobserved.append(f"recording stopped early, because a hook failed: {self.recorder.failure}")
        if self.window is not None and self.window.dropped:
            unobserved.append(
                f"{self.window.dropped} recorded steps without a lost gradient were dropped to limit memory "
                "(`--keep-steps` sets how many are kept)"
            )
        many = len(self.tapes.updates.watched)
        if many > turns.MOST:
            unobserved.append(turns.said(many))
        missed = self.attention.in_words()
        if missed:
            unobserved.append(missed)
        return Coverage(
            recorded_ops=self._ops,
            steps=self.attention.steps,
            steps_recorded=self.attention.steps_recorded,
            unobserved=tuple(unobserved),
        )

    def variable_histories(self) -> Iterable[VariableView]:
        from tensorwhy.adapters.tensorflow.drawing import variable_views

        self.tapes.updates.last_look()
        return tuple(variable_views(self))

    def close(self) -> None:
        self.recorder.stop()
        self.recorder.kept.close()
        self.questions.traced.clear()
        self.tapes.stalled.kept.clear()


def _assembled(tensor: int) -> Location | None:
    from tensorwhy.adapters.keras_common.learning import calls

    return calls.assembled_at(tensor)


def _part(tensor: int) -> tuple[str, Location] | None:
    from tensorwhy.adapters.keras_common.learning import calls

    return calls.part_of_model(tensor)


def _collected(tensor: int) -> Location | None:
    from tensorwhy.adapters.keras_common.learning import collected

    return collected.place(tensor)


def _has_run() -> bool:
    """Whether operations ran before recording began: then tensors may come from where nobody looked."""
    from tensorflow.python.eager import context

    known = context.context_safe()
    return known is not None and bool(getattr(known, "_initialized", True))


def _no_tape() -> bool:
    """Whether no tape of the program is open here: one would record what experiments do."""
    from tensorflow.python import pywrap_tfe

    return bool(pywrap_tfe.TFE_Py_TapeSetIsEmpty())
