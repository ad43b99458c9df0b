"""Training calls whose data end before their epochs do: a generator, or what is made of one, gives its batches once.

How many batches an epoch had is counted where Keras tells its callbacks of them: the optimizer counts a step too many
where the data end in the middle of a compiled one.
"""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.keras_common.learning import certain
from tensorwhy.adapters.patches import replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording.around import around

_MOST = 10_000
"""So many epochs of a call are counted."""


class _Running:
    """A call of `fit`: its data, if they are a generator, and how many batches each epoch had; `last` is the newest."""

    def __init__(self, at: Location, given: dict[str, Any]) -> None:
        self.at = at
        self.data = _Generator(given.get("x"))
        self.validation = _Generator(given.get("validation_data"))
        epochs, first = given.get("epochs", 1), given.get("initial_epoch", 0)
        self.epochs = epochs - first if isinstance(epochs, int) and isinstance(first, int) else 0
        self.steps = given.get("validation_steps")
        self.made: dict[int, int] = {}
        self.last = -1


class _Generator:
    """What is known of a generator without keeping it alive; of anything else, nothing."""

    def __init__(self, data: Any) -> None:
        self._own = weakref.ref(data) if isinstance(data, types.GeneratorType) else None
        self.code = data.gi_code if isinstance(data, types.GeneratorType) else None

    @property
    def ended(self) -> bool:
        """Whether it has given all that it will ever give."""
        own = self._own() if self._own is not None else None
        return own is not None and own.gi_frame is None

    @property
    def place(self) -> Location | None:
        if self.code is None:
            return None
        return Location(file=self.code.co_filename, line=self.code.co_firstlineno, function=self.code.co_name)


_RUNNING: list[_Running] = []
_ended = 0
"""How many batches `fit` has trained on."""


def clear() -> None:
    """Forget what was seen."""
    _RUNNING.clear()


def batches() -> int:
    """Return how many batches `fit` has trained on so far: the optimizer counts none while nothing is trained."""
    return _ended


def watch(callback_list: Any) -> Callable[[], None]:
    """Count the steps of each epoch, once even with several hooks. Returns what takes the hook out."""

    def batch_ends(_: Any, batch: Any, *args: Any, **kwargs: Any) -> None:
        global _ended
        if _RUNNING:
            _ended += _RUNNING[-1].last != batch
            _RUNNING[-1].last = batch

    def epoch_ends(_: Any, epoch: Any, *args: Any, **kwargs: Any) -> None:
        running = _RUNNING[-1] if _RUNNING else None
        if running is not None and epoch not in running.made and len(running.made) < _MOST:
            running.made[epoch], running.last = running.last + 1, -1

    ends = {"on_train_batch_end": batch_ends, "on_epoch_end": epoch_ends}
    undo = [
        replaced(callback_list, name, functools.partial(around, before=end, after=_over)) for name, end in ends.items()
    ]

    def all_back() -> None:
        for each in undo:
            each()

    return all_back


def _over(*_: Any) -> None:
    """Nothing to do."""


def begins(at: Location, given: dict[str, Any]) -> None:
    """A call of `fit` begins."""
    _RUNNING.append(_Running(at, given))


def ends(model: Any, returned: bool) -> None:
    """It is over; `returned` says that it raised nothing."""
    running = _RUNNING.pop()
    made = [*running.made.values()]
    if not returned:
        return
    short = [steps for steps in made[1:] if steps < made[0]]
    early = len(made) < running.epochs and not getattr(model, "stop_training", False)
    ended = running.data.ended
    if made and made[0] and ((ended and (short or early)) or 0 in short):
        certain.keep(_fact(running, made, ended), model, "ran out", running.at, False)
    elif running.validation.ended and running.steps is None and len(made) > 1:
        certain.keep(_unvalidated(running), model, "ran out", running.at, True)


def _fact(running: _Running, made: list[int], generator: bool) -> Observed:
    total, later = sum(made), len(made) - 1
    least, most = min(made[1:], default=0), max(made[1:], default=0)
    steps = f"{least}" if least == most else f"{least} to {most}"
    rest = f"{steps} in each later one" if later else "training ends there"
    name = f"`{running.data.code.co_name}`" if running.data.code is not None else "the data"
    what = f"{name} is a generator, which gives its batches only once" if generator else f"{name} can be read only once"
    return _observed(
        running.at,
        running.data,
        f"`fit` makes {made[0]} steps in the first of {running.epochs} epochs, and {rest}: {what}",
        f"{total} steps are made here in all",
        "steps_per_epoch" if generator else "",
        "unless the epochs after the first are meant to see less data",
    )


def _unvalidated(running: _Running) -> Observed:
    code = running.validation.code
    name = f"`{code.co_name}`" if code is not None else "it"
    return _observed(
        running.at,
        running.validation,
        f"only the first of {len(running.made)} epochs is validated with all data: {name} is a generator, which gives "
        "its batches only once",
        "its validation data are at an end after the first epoch",
        "validation_steps",
        "unless the later epochs need no validation",
    )


def _observed(at: Location, data: _Generator, message: str, label: str, steps: str, caveat: str) -> Observed:
    """`steps` is the argument that says how many batches of the generator an epoch takes; "" where there is none."""
    return Observed(
        slug="data-misfit",
        message=message,
        severity="warning",
        label=label,
        location=at,
        related=(Marked.at(data.place, "the generator", "made"),) if data.place is not None else (),
        fixes=(
            Fix(
                summary="let the generator begin anew, with `while True:` around all that it does, and tell `fit` the "
                f"`{steps}`"
                if steps
                else "give `from_generator` a function that returns a new iterator at each call",
                caveat=caveat,
            ),
        ),
    )
