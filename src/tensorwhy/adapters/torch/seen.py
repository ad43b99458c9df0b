"""What the explanations read of a session."""

from __future__ import annotations

from typing import Protocol

from tensorwhy.adapters.torch.asking import Asking
from tensorwhy.adapters.torch.modules import Modules
from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.adapters.torch.replaced import Replaced
from tensorwhy.adapters.torch.training import Training
from tensorwhy.lineage.graph import Lineage
from tensorwhy.recording.journal import Journal


class Recording(Protocol):
    """One recording of one program."""

    journal: Journal
    recorder: Recorder
    asking: Asking
    training: Training
    modules: Modules
    replaced: Replaced

    def lineage(self) -> Lineage:
        """The index over everything that was recorded so far."""
        ...
