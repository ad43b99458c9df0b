"""What a session tells of its progress, and what it hands to a trace. No framework types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import msgspec

from tensorwhy.model.optable import OpFacts, Vocabulary
from tensorwhy.model.question import Function, GradientQuestion, Variable
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

    `variables` are by the ids of their handles; `dtypes` by the numbers that the journal uses. The rest is what an
    explanation needs where the framework is not:

    - `facts` tells of an operation with so many inputs;
    - `by_row` are `custom_none`, `call_none` and `padded` of the lineage;
    - `warned` and `refused` are variables whose None the optimizer warned of, or refused;
    - from row `gap` on, and between two ids of `left_out`, rows may be missing.
    """

    journal: Journal
    questions: Sequence[GradientQuestion]
    variables: Mapping[int, Variable]
    dtypes: Mapping[int, str]
    vocabulary: Vocabulary | None = None
    facts: Callable[[str, int], OpFacts] | None = None
    functions: Mapping[str, Function] = {}
    by_row: Mapping[str, Mapping[int, Any]] = {}
    warned: Set[int] = frozenset()
    refused: Set[int] = frozenset()
    gap: int | None = None
    left_out: Sequence[tuple[int, int]] = ()
