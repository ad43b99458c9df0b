"""What the adapters of Keras 2 and Keras 3 have in common: all but the generation. Imports no framework."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.adapters.keras_common.learning.training import TrainingWatch
from tensorwhy.adapters.keras_common.survival import loads
from tensorwhy.adapters.protocol import RecordMode
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.report import Coverage
from tensorwhy.recording.locations import UserCode

_AUDITS = (
    "survival.adapted",
    "survival.by_order",
    "survival.copies",
    "survival.effects",
    "learning.weighing",
    "learning.certain",
    "learning.collected",
    "learning.fed",
    "learning.fresh_lists",
    "learning.late_names",
    "learning.loss_inputs",
    "learning.loss_shapes",
    "learning.looked_up",
    "learning.trainability",
    "learning.unheard_updates",
    "learning.unreset_metrics",
    "learning.untracked",
    "learning.read_once",
)
_FAILURES = (
    ("constructors", "tensors"),
    ("fed", "misfits"),
    ("feeding", "under_tape"),
    ("file_keys", "unmatched"),
    ("lambda_variables", "created"),
    ("late", "states"),
    ("layers", "misfits"),
    ("missing_results", "lookups"),
    ("mixing", "meetings"),
    ("models", "construction"),
    ("uncalled", "lookups"),
    ("uses", "uses"),
)


class KerasSession:
    """Watches which variables training asks gradients for; everything else is read from live objects later."""

    def __init__(self, user: UserCode, generation: int) -> None:
        self.training = TrainingWatch(user, generation)

    def facts(self) -> Iterable[CaseGroup]:
        return ()

    def about(self, thing: Any) -> Iterable[CaseGroup]:
        return ()

    def pause(self) -> None:
        self.training.pause()

    def resume(self) -> None:
        self.training.resume()

    def coverage(self) -> Coverage:
        failures = [f"which variables are trained: {self.training.failure}"] if self.training.failure else []
        failures += [f"calls of `fit`: {fitting.guarded.failure}"] if fitting.guarded.failure else []
        failures += [f"what is saved and loaded: {loads.guarded.failure}"] if loads.guarded.failure else []
        return Coverage(unobserved=tuple(failures))

    def close(self) -> None:
        self.training.stop()
        if self.training.begins in fitting.begun:
            fitting.begun.remove(self.training.begins)
        if self.training.fitted in fitting.trained:
            fitting.trained.remove(self.training.fitted)


class KerasAdapter:
    """Comes to life when one of the packages has been imported, and holds a Keras of this generation."""

    def __init__(self, name: str, modules: tuple[str, ...], generation: int) -> None:
        self.name = name
        self.modules = modules
        self.generation = generation
        self.shared = "keras_common"

    def applies(self, module: str) -> bool:
        return packages.package(module).generation == self.generation

    def versions(self) -> dict[str, str]:
        return {
            name: packages.version(name)
            for name in self.modules
            if name in sys.modules and packages.package(name).generation == self.generation
        }

    def shared_probes(self) -> Iterable[tuple[str, str]]:
        yield from ((f"keras_common.failures.{module}", function) for module, function in _FAILURES)

    def shared_audits(self) -> Iterable[tuple[str, str]]:
        return ((f"keras_common.{module}", "facts") for module in _AUDITS)

    def attach(self, user: UserCode, record: RecordMode) -> KerasSession:
        session = KerasSession(user, self.generation)
        if record != "off":
            session.training.start()
            fitting.begun.append(session.training.begins)
            fitting.trained.append(session.training.fitted)
        return session
