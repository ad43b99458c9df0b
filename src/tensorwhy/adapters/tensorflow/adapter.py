"""TensorFlow, as the pipeline sees it. Loaded before the user's program: imports no framework."""

from __future__ import annotations

import sys

from tensorwhy.adapters.protocol import RecordMode, Session
from tensorwhy.recording.locations import UserCode


class TensorFlowAdapter:
    """Comes to life when the user's program imports `tensorflow`."""

    name = "tensorflow"
    modules = ("tensorflow",)

    def applies(self, module: str) -> bool:
        return hasattr(sys.modules[module], "Tensor")

    def versions(self) -> dict[str, str]:
        return {"tensorflow": str(sys.modules["tensorflow"].__version__)}

    def attach(self, user: UserCode, record: RecordMode) -> Session:
        from tensorwhy.adapters.tensorflow.session import TensorFlowSession

        session = TensorFlowSession(user, record)
        session.start()
        return session


ADAPTER = TensorFlowAdapter()
