"""Facts of a recorder that refused to answer."""

from __future__ import annotations

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location


class ConsumedRecorder(Fact, frozen=True, kw_only=True):
    """A non-persistent recorder was asked a second time.

    - `name`: what the program calls the recorder; `location`: the question that was refused.
    - `opened`: the `with` that opened it; `first`: an earlier question to a recorder of that name, where one is
      visible.
    - `hidden`: a `with` around it that gave another recorder the same name, which can no longer be asked.
    """

    name: str
    location: Location
    opened: Location | None = None
    first: Location | None = None
    hidden: Location | None = None


class FedWhileRecording(Fact, frozen=True, kw_only=True):
    """A method that feeds a model from a dataset and gives out arrays was called while a recorder was watching, and
    failed.

    - `call`: how the user wrote the method (`model.predict`); `model` the object in front of it.
    - `location`: the call; `opened`: the `with` of the recorder, where one is visible.
    - `op`: the operation that reads from the dataset, which has no gradient.
    """

    call: str
    model: str
    location: Location
    op: str
    opened: Location | None = None
