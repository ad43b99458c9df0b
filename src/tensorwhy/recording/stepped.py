"""What a session tells of its progress, and what it hands to a trace. No framework types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from tensorwhy.model.question import GradientQuestion, Variable
from tensorwhy.recording.journal import Journal


class Stepped(NamedTuple):
    """A gradient was asked for at `place`, in the replica of this number; `event` is the journal's position then.

    `lost`: a None was among the answers. `recorded`: everything since the opening of the tape was. `time` is in
    microseconds since 1970.
    """

    place: int
    replica: int
    event: int
    lost: bool
    recorded: bool
    time: int


class Recorded(msgspec.Struct, frozen=True):
    """A view of what a session holds. It grows while the program runs, and only at its end.

    `variables` are by the ids of their handles; `dtypes` by the numbers that the journal uses.
    """

    journal: Journal
    questions: Sequence[GradientQuestion]
    variables: Mapping[int, Variable]
    dtypes: Mapping[int, str]
