"""Facts of the zero-gradient family: where a gradient that exists becomes exactly zero."""

from __future__ import annotations

from typing import Literal

from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.signal import Made
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable, ZeroQuestion
from tensorwhy.model.report import Verification

GateKind = Literal[
    "dead", "saturated", "flat", "masked", "initial", "given", "cancelled", "unused-output", "untaken", "skipped"
]
"""`given`: the data are zero, or a prediction is that is compared with zero."""


class ZeroGradient(Fact, frozen=True, kw_only=True):
    """One place through which no gradient of `sources` passed, in each of several steps.

    - `op`: the operation that gives zero; `location` the user's line of it, or where the zeros were made.
    - `factor`: of "masked": the zeros have no place of their own; `location` is that of the product, and this its
      input that they are.
    - `elements`: how many elements it has, all of them closed; 0 when they were not seen.
    - `layer`: a variable of the layer that ran the operation, when the user called the layer and not the operation;
      `layer_name` is its name.
    - `variable`: for zeros that a variable holds since it was made.
    - `everything`: no variable that the gradient was asked for gets any other gradient than zero.
    - `ways`: of "cancelled": what several operations make of one tensor cancels, and this is one of them.
    - `summed`: of "cancelled": the kind of softmax whose results are added up again.
    - `twice`: of "cancelled": what is compared with itself was computed twice, in the same way.
    - `scalar`: what multiplies by zero is a single number.
    - `at_the_end`: nothing that is trained stands between it and the target.
    - `within_gradient`: the operation is a part of an earlier gradient, which the target was computed from.
    - `differentiated`: another recorder was recording when the gradient was asked for, so that it has one of its own.
    - `trained`: the program updates the sources (an optimizer, an assignment), so it means them to change.
    - `gates`: what lets the gradient through again, when all of it is opened; empty where nothing is known to.
    - `experiment`: what came of opening them. `made`: the operation that made the zeros, with its numbers.
    - `exact`: values or the operation itself prove it; False when it is the only explanation that was left.
    """

    kind: GateKind
    question: ZeroQuestion
    sources: tuple[Source, ...]
    op: str = ""
    location: Location | None = None
    factor: int = -1
    elements: int = 0
    layer: Variable | None = None
    layer_name: str = ""
    variable: Variable | None = None
    everything: bool = False
    ways: bool = False
    summed: str = ""
    twice: bool = False
    scalar: bool = False
    at_the_end: bool = False
    within_gradient: bool = False
    differentiated: bool = False
    trained: bool = True
    exact: bool = True
    gates: tuple[Gate, ...] = ()
    experiment: Verification | None = None
    made: Made | None = None


class NoCurvature(Fact, frozen=True, kw_only=True):
    """The gradient of a gradient is zero whatever the values are: each way passes a function of straight pieces.

    - `straight`: where these functions are; `op` is the first of them, `layer_name` the layer that it follows.
    - `first`: where the first gradient was asked for.
    - `trained`: where the gradient was asked for of what these zeros went into, by which variables are trained.
    """

    question: GradientQuestion
    straight: tuple[Location, ...]
    op: str
    layer_name: str = ""
    first: Location | None = None
    trained: Location | None = None
