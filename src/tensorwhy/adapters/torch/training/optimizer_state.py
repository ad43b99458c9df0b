"""What is known of one optimizer."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.training.between_steps import Closures, Idle
from tensorwhy.adapters.torch.training.fates import Applied
from tensorwhy.adapters.torch.training.groups import Groups
from tensorwhy.adapters.torch.training.updates import Update

_KEYS = itertools.count()


class State:
    """What is known of one optimizer. `nones` counts, by a parameter's number, the steps without a gradient.

    `bad`: those in a row with a gradient of zero ("z"), or one that is not finite ("n"). `fine` is the last step at
    which all was finite, and `finite` has copies of what is small, by number; `lost` that step and the one at which it
    was not. `grown`: so many times the largest weight of the beginning.
    """

    def __init__(self, optimizer: Any, made: int, born: int, gone: Callable[[State], None]) -> None:
        self.optimizer = weakref.ref(optimizer, lambda _: gone(self))
        self.key = next(_KEYS)
        self.kind = type(optimizer).__name__
        self.made = made
        self.born = born
        self.asleep: set[int] = set()
        self.bad: dict[int, tuple[str, int]] = {}
        self.finite: dict[int, Any] = {}
        self.fine = 0
        self.looked: dict[int, int] = {}
        """Those that the last step looked at and found finite, as `members` has them."""
        self.lost: tuple[int, int] | None = None
        self.broken: frozenset[int] = frozenset()
        """The parameters that were not finite when they were looked at last."""
        self.update: Update | None = None
        self.size = self.largest = 0.0
        self.grown = 1.0
        self.changed: dict[int, bool] = {}
        self.moved: set[int] = set()
        self.steps = 0
        self.unfollowed = 0
        """In so many of them it was not followed which gradients they use."""
        self.fresh = False
        """Its next step may use gradients that came before they were followed again."""
        self.told = 0
        self.summed = 0
        """So many steps found all that `backward` had added before the step before."""
        self.repeated = 0
        self.repeating = -1
        """So many steps came after no `backward`, and applied what the step before had applied; and where."""
        self.windows: list[Applied] = []
        """What the recorded steps apply."""
        self.idle = Idle()
        self.closures = Closures()
        self.without_backward = 0
        self.empty = 0
        """So many of these steps found no gradient at all."""
        self.low: dict[int, tuple[Callable[[], Any], Any]] = {}
        """Parameters of low precision with a gradient, and their values at the first step."""
        self.recorded = 0
        self.place = -1
        self.nones: dict[int, int] = {}
        self.last: dict[int, Asked] = {}
        self.members: dict[int, int] = {}
        self.groups = 0
        self.left = Groups(optimizer)
        self.loaded = -1
        """Where it has loaded a state last, once it makes a step."""
        self.first: dict[int, tuple[int, int]] = {}
        self.clears = self.cleared = -1
        """Where it clears gradients, and where those were cleared that a step did not find."""
        self.cleared_steps = 0
        self.rate = self.peak = self.first_rate = 0.0
        self.zero_in_row = self.still = 0
        """So many steps in a row had a rate of 0, and one that is practically 0."""
        self.frozen: dict[int, tuple[float, bool]] = {}
        """Parameters that require no gradient and that a step has changed: by how much, and by an old gradient."""
        self.late = 0
        """So many steps found no gradient of parameters that were frozen in `backward`, and no more at the step."""
        self.thawed: dict[int, int] = {}
        """These parameters, and where they were set free."""
        self.backward = -1
        """Where the last such `backward` was."""
        self.resting = set[int]()
        """Parameters that required no gradient in all steps that were looked at."""
        self.met = self.met_at = 0
        """So many parameters there were in the program when their number was seen to change, and the step of that."""
        self.seen_backward = 0
        self.due = self.stirred = 0
        """At rest, nothing is looked at in the steps before this one, unless something is stirred in the program."""
        self.step_rows: list[int] = []

    @property
    def followed(self) -> int:
        """In so many steps it was followed which gradients they use."""
        return self.steps - self.unfollowed
