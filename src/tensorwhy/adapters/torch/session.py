"""One recording of one program that uses PyTorch: the hooks that write, and the questions read from it afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping
from typing import Any

import torch

from tensorwhy.adapters import turns
from tensorwhy.adapters.inquiries import Inquired
from tensorwhy.adapters.protocol import RecordMode
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.explaining.constants import Constants
from tensorwhy.adapters.torch.explaining.findings import Findings
from tensorwhy.adapters.torch.explaining.lost_signals import LostSignals
from tensorwhy.adapters.torch.inquiry import Inquiry
from tensorwhy.adapters.torch.operations.kinds import DTYPE_NAMES
from tensorwhy.adapters.torch.operations.rules import rules
from tensorwhy.adapters.torch.questions.asking import Asking
from tensorwhy.adapters.torch.questions.traced import Traces
from tensorwhy.adapters.torch.recording import compiled, indexing
from tensorwhy.adapters.torch.recording.modules import Modules
from tensorwhy.adapters.torch.recording.recorder import ROOM, Recorder
from tensorwhy.adapters.torch.recording.switches import Switches
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.training.replaced import Replaced
from tensorwhy.adapters.torch.training.steps import WINDOW, Training
from tensorwhy.adapters.torch.training.ties import Ties
from tensorwhy.adapters.torch.training.unheld import Unheld
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.rules import Rules
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.inquiry import Seen
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Coverage
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.stepped import Recorded, Stepped
from tensorwhy.source.files import Sources

_LOOKS = 16
"""So many optimizers have parameters that are left out looked for as they run, and not only at the end."""
_SHARDED = ("torch.distributed.fsdp", "deepspeed")


class _Later(Mapping[int, Variable]):
    """The variables, looked up once somebody wants them."""

    def __init__(self, look: Callable[[], dict[int, Variable]]) -> None:
        self._look = look

    def __getitem__(self, number: int) -> Variable:
        return self._look()[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._look())

    def __len__(self) -> int:
        return len(self._look())

    def items(self) -> ItemsView[int, Variable]:
        return self._look().items()


class TorchSession(Inquired):
    """Records from `start` until `close`."""

    def __init__(self, user: UserCode, record: RecordMode) -> None:
        self.user = user
        self.recording = record != "off"
        self.journal = j.Journal()
        self.recorder = Recorder(self.journal, user)
        self.asking = Asking(self.recorder)
        if record != "full":
            self.journal.limit, self.journal.on_limit = ROOM, self.recorder.enough
        self.training = Training(self.recorder, self.asking, always=record == "full")
        self.modules = Modules(self.recorder)
        self.unheld = Unheld(self.recorder, self.modules, self.training.undone.has_state)
        self.replaced = Replaced(self.recorder, self.modules, self.training.given)
        self.ties = Ties(self.recorder, self.modules)
        self.switches = Switches(self.recorder)
        self.jit_traces = Traces(self.recorder)
        self.training.on_step = self._stepped
        self.training.asleep = self.modules.asleep
        self.asking.pairs.buffers = self.modules.buffers
        self._lineage: tuple[int, Lineage] | None = None
        self._explained: set[int] = set()
        self._ops = self._counted = self._looks = 0

    def start(self) -> None:
        """Install the hooks."""
        if self.recording:
            self.asking.install()
            self.training.install()
            self.modules.install()
            self.ties.install()
            self.switches.install()
            compiled.install(self.recorder)
            self.jit_traces.install()
            indexing.install(self.recorder)
            self.recorder.arm()
        current.know(self)

    def _stepped(self, state: State) -> int:
        """Learn of modules while they are alive; return the next step to look at."""
        if state.steps <= 1:
            self.modules.learn()
        elif not state.steps & (state.steps - 1):
            self.modules.stepped()
        elif state.steps == WINDOW and self._looks < _LOOKS:
            self._looks += 1
            with self.recorder.hidden():
                given = self.training.given()
                self.modules.look(given)
                self.unheld.look(self.training.fates.leaves, given)
        self.ties.look()
        return self.replaced.stepped(state)

    # -- what was recorded ---------------------------------------------------------------------------------------

    def variables(self) -> dict[int, Variable]:
        """The leaf tensors and parameters, by number."""
        recorder, found = self.recorder, dict[int, Variable]()
        names = self._names()
        for number, reference in {**recorder.parameters, **recorder.leaves}.items():
            tensor = reference()
            place = recorder.made.get(number, -1)
            found[number] = Variable(
                tensor=number,
                name=names.get(number, ""),
                dtype=str(tensor.dtype).removeprefix("torch.") if tensor is not None else "",
                shape=tuple(tensor.shape) if tensor is not None else None,
                trainable=number in recorder.leaves and number not in recorder.frozen,
                created=self.journal.location(place),
            )
        return found

    def _names(self) -> dict[int, str]:
        """What the parameters are called; those of modules that were made before the recording, too."""
        self.modules.learn()
        leaves = ((number, reference()) for number, reference in self.recorder.leaves.items())
        if any(isinstance(leaf, torch.nn.Parameter) and number not in self.modules.names for number, leaf in leaves):
            self.modules.adopt()
            self.modules.learn()
        return self.modules.named(Sources())

    def rules(self) -> Rules:
        """What the lineage must know."""
        return rules(self.variables(), frozenset(self.recorder.stores))

    def lineage(self) -> Lineage:
        """The index over everything that was recorded so far."""
        end, known = self.journal.position, self._lineage
        if known is None or known[0] != end:
            known = self._lineage = end, Lineage(self.journal, self.rules(), self.asking.custom.none)
        return known[1]

    # -- what is asked of it -------------------------------------------------------------------------------------

    def facts(self) -> Iterable[CaseGroup]:
        self.recorder.stop()
        self.modules.learn()
        explaining = Explaining(self)
        found = list(explaining.groups())
        yield from found
        findings = Findings(self, explaining.sources)
        refused = list(self.jit_traces.groups(explaining.sources))
        yield from refused
        if not any(group.symptom.kind == "exception" for group in [*found, *refused]):
            yield from findings.groups()
            yield from Constants(self, explaining).groups()
            yield from LostSignals(self, explaining).groups()

    def about(self, thing: Any) -> Iterable[CaseGroup]:
        number = self.recorder.serials.known(thing) if thing is not None else None
        asked = [each for each in self.asking.questions if number is None or number in (*each.sources, *each.targets)]
        explaining = Explaining(self)
        if self.asking.refused is not None and number is None:
            yield from explaining.refused(self.asking.refused)
        elif asked:
            yield from explaining.explained(asked[-1])
        else:
            for group in explaining.stepped():
                fact = group.facts[0] if group.facts else None
                if number is None or (isinstance(fact, GradientBreak) and fact.sources[0].tensor == number):
                    yield group
            for group in LostSignals(self, explaining).groups():
                of = {each.tensor for fact in group.facts if isinstance(fact, SignalBreak) for each in fact.sources}
                if number is None or number in of:
                    yield group

    # -- questions of somebody else ------------------------------------------------------------------------------

    def attend(self) -> None:
        self.training.attended = True

    def _inquiry(self) -> Inquiry:
        return Inquiry(self)

    def would(self, target: Any, sources: list[Any], recorder: Any) -> Iterable[Seen] | None:
        return self._inquiry().would(target, sources)

    # -- a trace -------------------------------------------------------------------------------------------------

    def recorded(self) -> Recorded:
        """What is written of it. A killed run is not explained: only the end tells what was lost in all steps."""
        return Recorded(self.journal, (), _Later(self.variables), DTYPE_NAMES, gap=self.recorder.gap)

    def tell_steps(self, take: Callable[[Stepped], None]) -> None:
        recorder = self.recorder

        def told(state: State) -> None:
            now = time.time_ns() // 1000
            take(Stepped(state.place, 0, self.journal.position, bool(state.nones), recorder.armed, now))

        self.training.tell = told
        self.journal.unread = 0

    def pause(self) -> None:
        self.recorder.stop()

    def resume(self) -> None:
        if self.recorder.failure is None:
            self.recorder.active = self.recorder.writing = True
            self.start()

    def coverage(self) -> Coverage:
        end = self.journal.position
        self._ops += self.journal.operations(self._counted, end)
        self._counted = end
        unobserved = []
        if not self.recording:
            unobserved.append("recording was off: gradients were not observed")
        if self.recorder.failure:
            unobserved.append(f"recording stopped early, a hook failed: {self.recorder.failure}")
        unobserved += self.recorder.unseen
        if any(type(each).__module__.startswith(_SHARDED) for each in self.modules.alive()):
            unobserved.append("parameters that are sharded over processes (FSDP, DeepSpeed)")
        states = self.training.states.values()
        many = max((len(state.members) for state in states), default=0)
        if many > turns.MOST:
            unobserved.append(turns.said(many))
        steps = sum(state.steps for state in states)
        return Coverage(
            recorded_ops=self._ops,
            steps=steps or self.asking.number,
            steps_recorded=sum(state.recorded for state in states) if steps else self.asking.recorded,
            unobserved=tuple(unobserved),
        )

    def close(self) -> None:
        self.recorder.stop()
