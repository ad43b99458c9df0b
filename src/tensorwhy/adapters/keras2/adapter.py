"""Keras 2 (`keras` before version 3 and `tf_keras`), as the pipeline sees it. Imports no framework."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import RecordMode
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.report import Coverage
from tensorwhy.recording.locations import UserCode


class Keras2Session:
    """Nothing is recorded: stamps remember lines, and probes and audits read live objects."""

    def facts(self) -> Iterable[CaseGroup]:
        return ()

    def resume(self) -> None:
        pass

    def coverage(self) -> Coverage:
        return Coverage()

    def close(self) -> None:
        pass


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
        return Keras2Session()


ADAPTER = Keras2Adapter()
