"""TensorFlow, as the pipeline sees it. Loaded before the user's program: imports no framework."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tensorwhy.adapters.protocol import RecordMode
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.report import Coverage
from tensorwhy.recording.locations import UserCode


class TensorFlowSession:
    """Observes nothing while the program runs: failures are explained from live objects afterwards."""

    def facts(self) -> Iterable[CaseGroup]:
        return ()

    def coverage(self) -> Coverage:
        return Coverage()

    def close(self) -> None:
        pass


class TensorFlowAdapter:
    """Comes to life when the user's program imports `tensorflow`."""

    name = "tensorflow"
    modules = ("tensorflow",)

    def applies(self, module: str) -> bool:
        return hasattr(sys.modules[module], "Tensor")

    def versions(self) -> dict[str, str]:
        return {"tensorflow": str(sys.modules["tensorflow"].__version__)}

    def attach(self, user: UserCode, record: RecordMode) -> TensorFlowSession:
        return TensorFlowSession()


ADAPTER = TensorFlowAdapter()
