"""Facts of the zero-gradient family that need no values: a second gradient that is zero whatever they are."""

from __future__ import annotations

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion


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
