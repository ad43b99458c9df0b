"""Keras 2 (`keras` before version 3 and `tf_keras`), as the pipeline sees it. Imports no framework."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common import fitting, packages
from tensorwhy.adapters.keras_common.training import TrainingWatch
from tensorwhy.adapters.protocol import Asked, RecordMode
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.report import Coverage
from tensorwhy.recording.locations import UserCode


class Keras2Session:
    """Watches which variables training asks gradients for; everything else is read from live objects later."""

    def __init__(self, user: UserCode) -> None:
        self.training = TrainingWatch(user, generation=2)

    def facts(self) -> Iterable[CaseGroup]:
        return ()

    def about(self, thing: Any) -> Iterable[CaseGroup]:
        return ()

    def ask(self, target: Any, sources: list[Any], tape: Any) -> Asked | None:
        return None

    def pause(self) -> None:
        self.training.pause()

    def resume(self) -> None:
        self.training.resume()

    def coverage(self) -> Coverage:
        failures = [f"which variables are trained: {self.training.failure}"] if self.training.failure else []
        failures += [f"calls of `fit`: {failure}" for failure in fitting.failure]
        return Coverage(unobserved=tuple(failures))

    def close(self) -> None:
        self.training.stop()


class Keras2Adapter:
    """Comes to life when a package that holds Keras 2 has been imported."""

    name = "keras2"
    modules = ("keras", "tf_keras")

    def applies(self, module: str) -> bool:
        return packages.package(module).generation == 2

    def versions(self) -> dict[str, str]:
        return {
            name: packages.version(name)
            for name in self.modules
            if name in sys.modules and packages.package(name).generation == 2
        }

    def attach(self, user: UserCode, record: RecordMode) -> Keras2Session:
        session = Keras2Session(user)
        if record != "off":
            session.training.start()
        return session


ADAPTER = Keras2Adapter()
