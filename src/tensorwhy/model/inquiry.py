"""What an adapter says of the one thing that somebody asked about: facts without words.

A question names a variable, a tensor or a line. An adapter lists the subjects that it knows, and tells for one of them
what it saw in each gradient question that the program itself asked.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.location import Location
from tensorwhy.model.report import PathStep, TensorRef

SubjectKind = Literal["variable", "tensor", "gradient", "update"]
Norm = float | Literal["nan", "inf"] | None


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be asked about.

    - `key`: what the adapter knows it by. `names`: all names that people use for it, the best one first.
    - `places`: the lines that a question may name, innermost first: where it was made, or where it was called.
    - `kind`: `gradient` is a call that asks for gradients, `update` one that applies them.
    """

    key: int
    kind: SubjectKind
    names: tuple[str, ...] = ()
    places: tuple[Location, ...] = ()


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A place where the program asked for gradients.

    - `target`: what was differentiated, as the user wrote it. `recorder`: what recorded the computation, in words.
    - `recorder_at`: where that was opened. `steps`: how often the gradient was computed in this place.
    - `traced`: the step is compiled, so that its values were not seen while it ran.
    """

    at: Location | None = None
    target: str = "the target"
    recorder: str = "the recorder"
    recorder_at: Location | None = None
    steps: int = 0
    traced: bool = False


class Gradient(msgspec.Struct, frozen=True, kw_only=True):
    """What the gradient was. `arrives` is None where that is not known.

    - `state`: what the values say, where they were seen. `steps` and `norms`: step numbers and norms, in order.
    - `path`: the operations from the subject to the target, in the order of execution.
    - `groups`: why it is missing, where it is.
    """

    arrives: bool | None = None
    state: Literal["flows", "zero", "none", "unknown"] = "unknown"
    steps: tuple[int, ...] = ()
    norms: tuple[Norm, ...] = ()
    path: tuple[PathStep, ...] = ()
    groups: tuple[CaseGroup, ...] = ()


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """What an optimizer did with the gradient, and whether the value changed. None: it is not known.

    `until` is the last step after which the value was compared.
    """

    optimizer: str = ""
    at: Location | None = None
    given: bool | None = None
    changed: bool | None = None
    until: int = 0


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """One subject in one gradient question.

    - `used`: its value went into the target. `requested`: it is one of the sources of the question.
    - `watched`: the recorder follows it. `made_from`: the question's sources that a tensor was computed from;
      `lost_from`: those of them that got no gradient.
    """

    subject: TensorRef
    asked: Asked | None = None
    trainable: bool | None = None
    used: bool | None = None
    requested: bool = True
    watched: bool | None = None
    made_from: tuple[str, ...] = ()
    lost_from: tuple[str, ...] = ()
    gradient: Gradient = Gradient()
    update: Update | None = None
