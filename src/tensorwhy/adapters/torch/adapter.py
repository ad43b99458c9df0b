"""PyTorch, as the pipeline sees it. Loaded before the user's program: imports no framework."""

from __future__ import annotations

import sys

from tensorwhy.adapters.protocol import RecordMode, Session
from tensorwhy.recording.locations import UserCode


class TorchAdapter:
    """Comes to life when the user's program imports `torch`."""

    name = "torch"
    modules = ("torch",)

    def applies(self, module: str) -> bool:
        torch = sys.modules[module]
        return hasattr(torch, "Tensor") and hasattr(getattr(torch, "overrides", None), "TorchFunctionMode")

    def versions(self) -> dict[str, str]:
        return {"torch": str(sys.modules["torch"].__version__)}

    def attach(self, user: UserCode, record: RecordMode) -> Session:
        from tensorwhy.adapters.torch.session import TorchSession

        session = TorchSession(user, record)
        session.start()
        return session


ADAPTER = TorchAdapter()
