"""Keras 3 (`keras` from version 3 on), as the pipeline sees it. Imports no framework."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import RecordMode
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.report import Coverage
from tensorwhy.recording.locations import UserCode


class Keras3Session:
    """Nothing is recorded: stamps remember lines, and probes and audits read live objects."""

    def facts(self) -> Iterable[CaseGroup]:
        return ()

    def resume(self) -> None:
        pass

    def coverage(self) -> Coverage:
        return Coverage()

    def close(self) -> None:
        pass


class Keras3Adapter:
    """Comes to life when a package that holds Keras 3 has been imported."""

    name = "keras3"
    modules = ("keras",)

    def applies(self, module: str) -> bool:
        return packages.package(module).generation == 3

    def versions(self) -> dict[str, str]:
        return {
            name: packages.version(name)
            for name in self.modules
            if name in sys.modules and packages.package(name).generation == 3
        }

    def attach(self, user: UserCode, record: RecordMode) -> Keras3Session:
        return Keras3Session()


ADAPTER = Keras3Adapter()
