"""Facts of the signal walk: the operation at which a gradient that flows becomes zero or stops being finite."""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Fix, Verification

Trait = Literal[
    "", "multiply", "divide", "add", "select", "limit", "rectify", "saturate", "normalize", "steep", "stationary",
    "reduce", "index", "cast", "round", "custom", "stop", "callback", "move", "compare", "read", "random", "slope",
    "factorize", "align",
]  # fmt: skip
"""What an operation does to a gradient, whatever it is called: the adapter says it of each operation that it knows.

`steep` has an infinite slope somewhere (a square root at 0), `stationary` a slope of zero somewhere (a square at 0),
`slope` is an operation of an earlier gradient, `move` only moves elements or repeats them. `factorize` gives singular
values or eigenvalues with their vectors, and has an infinite slope where two of the values are equal. `align` is a
loss that aligns labels with frames, and is infinite where there is no way to do so.
"""

Why = Literal[
    "one-element", "saturated", "outside", "inside", "rectified", "other-zero", "selected-away", "at-rest", "flat",
    "cancelled", "constant", "itself", "balanced", "straight", "initial", "infinite-slope", "masked-infinity",
    "undefined", "overflow", "given", "summed", "infinite", "vanished", "unused-output", "untaken", "skipped",
    "unknown",
]  # fmt: skip
"""What the numbers at a break say.

- Of zeros: `inside`: no element is beyond the limits, so nothing is left for the limits themselves; `other-zero`: what
  it is multiplied with; `at-rest`: the slope is zero at this very value; `straight`: the slope of a slope;
  `initial`: it is multiplied with a variable that is zero, and gets only zeros itself;
  `itself`: a value is compared with itself; `balanced`: what comes in is the same for all that is normalized together;
  `constant`: over one element, it gives the same for every input, although it hands a gradient back;
  `summed`: each element of the target hands back a gradient, and in the gradient of their sum these cancel;
  `infinite`: an input is infinite, and the result is finite all the same;
  `unused-output`, `untaken`, `skipped`: a graph fills in zeros for an output, a branch or a loop of no use.
- Of what is not finite: `masked-infinity`: an infinite slope, times a gradient that is zero; `undefined`: the result
  itself is no number, `overflow`: it is infinite, from finite inputs; `given`: what came in was not finite already;
  `vanished`: a number that should keep an input away from zero is itself rounded to zero.
"""


HIGHEST = {"float16": 65_504}
SMALLEST = {"float16": 6e-8}
"""The largest number of a dtype, and the smallest one above zero, where common values are beyond them."""


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers that a tensor holds: `low` and `high` of those that are finite."""

    shape: tuple[int, ...]
    size: int
    zeros: int = 0
    nans: int = 0
    infinite: int = 0
    low: float = 0.0
    high: float = 0.0
    digits: str = ""

    @property
    def all_zero(self) -> bool:
        """Return whether there are elements, and all of them are zero."""
        return 0 < self.size == self.zeros

    @property
    def finite(self) -> bool:
        """Return whether each element is a finite number."""
        return not self.nans and not self.infinite

    @property
    def largest(self) -> float:
        """Return the largest absolute value among the finite elements."""
        return max(abs(self.low), abs(self.high))


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """The operation that made zeros, with the numbers that it was given.

    `rounded`: the dtype that has no number as small as the result of these. `source`: the source that holds the zeros.
    `unseen`: the text of the program says so, and nothing saw it happen.
    """

    op: str
    location: Location | None
    inputs: tuple[Numbers | None, ...] = ()
    limits: tuple[float | None, float | None] = (None, None)
    rounded: str = ""
    source: Source | None = None
    unseen: bool = False


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """What a framework calls what the advice is about.

    - `straight_through`: an expression that hands on a gradient where `step` has none.
    - `stop`: the function that makes a value a constant; `select` the one that chooses between two.
    - `checking`: how to find the first value that is not finite; `checked_data` the same of the data.
    - `wide`: how to compute a part of a model in float32.
    - `each`: what differentiates each element of a target.
    - `hides_infinity`: arguments with which a function gives zeros, and zero gradients, where its result is infinite;
      and when it is.
    """

    straight_through: str
    stop: str
    select: str
    checking: str
    checked_data: str
    wide: str
    each: str
    hides_infinity: tuple[tuple[str, str], ...] = ()


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """What an operation was given, and what it gave; `at`: which of its inputs gets nothing.

    `name`: as the framework calls it; `layer`: the ready-made layer that ran it. `limits` is the range of what it lets
    through.
    """

    name: str = ""
    layer: str = ""
    trait: Trait = ""
    at: int = 0
    inputs: tuple[Numbers | None, ...] = ()
    output: Numbers | None = None
    limits: tuple[float | None, float | None] = (None, None)

    @property
    def given(self) -> Numbers | None:
        """Return the numbers of the input that gets nothing."""
        return self.inputs[self.at] if self.at < len(self.inputs) else None

    @property
    def others(self) -> list[Numbers]:
        """Return those of its other inputs, as far as they are known."""
        return [each for at, each in enumerate(self.inputs) if at != self.at and each is not None]

    @property
    def has_number(self) -> bool:
        """Return whether a plain number is the other factor of a product, on whichever side that is written."""
        plain = len(self.others) == 1 and self.others[0].shape == () and self.at == 0
        return plain and self.given is not None and self.others[0].digits != self.given.digits


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """In so many `steps` the answer was the same.

    - `copy`: it was seen in a copy of a traced step: "given" what the program gave it, "made-up" arguments, "fresh":
      other numbers in variables that are NaN by now, "earlier": the last finite values of these, "last": all values as
      they are when training is over.
    - `skipped`: the optimizer left out every step for it.
    - `span`: the variables were finite at the first of these steps, and not at the second. `epoch`: the first whose
      loss was not finite, from 1.
    - `rate`: the learning rate, and `optimizer` where that was made, where the gradient was lost only in training.
    """

    steps: int = 1
    copy: Literal["", "given", "made-up", "fresh", "earlier", "last"] = ""
    skipped: bool = False
    span: tuple[int, int] | None = None
    epoch: int = 0
    rate: float = 0.0
    optimizer: Location | None = None


class SignalBreak(Fact, frozen=True, kw_only=True):
    """One operation at which the gradient of `sources` is lost, in a step that was executed again.

    - `state`: what goes on toward the sources from here.
    - `operation`: what it is called, and its numbers. `seen`: how it was seen.
    - `location`: the user's line of it, or the one that made the layer which ran it.
    - `held_by`: the numbers that each of the sources holds, where they are known.
    - `uses`: of ways that cancel, where the last of them begins; they come together at `location`.
      Beside a product with the number 0: where the same values reach the target without a gradient.
    - `zeros`: where a factor of zero was made, an infinity put in for what is masked, or an infinite input computed.
    - `trained`: the program means these sources to change.
    - `gates`: what lets the gradient through again, when all of it is opened; `experiment`: what came of that.
    - `element`: which number of its result is the first that is not finite, in words; `fixes`: what the adapter knows
      to do about that.
    - `wording`: what the framework calls what the advice is about.
    """

    state: Literal["zero", "non-finite"]
    why: Why
    question: GradientQuestion
    sources: tuple[Source, ...]
    held_by: tuple[Numbers | None, ...] = ()
    operation: Operation = Operation()
    location: Location | None = None
    uses: tuple[Location, ...] = ()
    zeros: Made | None = None
    trained: bool = False
    seen: Seen = Seen()
    gates: tuple[Gate, ...] = ()
    experiment: Verification | None = None
    element: str = ""
    fixes: tuple[Fix, ...] = ()
    wording: Wording

    @property
    def held(self) -> Source | None:
        """Return the source that holds the zeros."""
        return self.zeros.source if self.zeros is not None else None

    @property
    def explained(self) -> set[int]:
        """The tensors whose gradient this explains: a variable of zeros that holds others keeps its own at zero."""
        held = {self.held.tensor} if self.held is not None else set()
        return {source.tensor for source in self.sources} | held
