"""Facts about what a training loop does with its gradients, and about variables that it never changes."""

from __future__ import annotations

from typing import Literal

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable

Problem = Literal[
    "nothing-asked",
    "left-out",
    "frozen",
    "never-applied",
    "dropped",
    "crossed",
    "never-changed",
    "rebound",
    "swapped",
    "unpaired",
    "misfit",
]


class NotTrained(Fact, frozen=True, kw_only=True):
    """Variables that take part in what is trained, and that training does not reach.

    - "nothing-asked": the gradient was asked for an empty list, while these variables were read;
    - "left-out": the target depends on them by way of what is trained, and nobody asked for their gradients;
    - "frozen": the target depends on them, others are trained, and the program made these untrainable;
    - "never-applied": gradients were computed in several steps, and nothing was ever done with them;
    - "dropped": gradients were computed together with others, which alone were given to the optimizer;
    - "crossed": the optimizer was given the gradient of one variable (`instead`) for another (`twice`: after that was
      applied to its own, while nothing uses those of the others);
    - "never-changed": a gradient was applied in each step, and the value stayed as it was;
    - "rebound": an update was computed from the gradient, and only a name was given to it (`summed`: a sum of
      gradients, while the optimizer was given what was there before);
    - "swapped": an optimizer was given pairs of a variable and its gradient, instead of a gradient and its variable;
    - "unpaired": an optimizer was given no pairs: gradients alone, or with their variables (these) in another list, or
      one of each, and no list, or `keys` of a dict in the place of gradients or variables, or a list of variables
      (these) in the place of one (`nested`);
    - "misfit": an optimizer was given gradients that have not the shape of their variables. `given` is that of the
      first, `instead` the variable whose gradient it is, where that is known.

    `asked` is where the gradient was asked for, `applied` where an optimizer was given gradients or an update was
    lost; `frozen` where the program made the variables untrainable. `refused` says that the framework raised for
    it. `others` counts the variables that were trained beside them, `steps` the steps that were seen. `behind`:
    what is trained comes before them, not after; `of_model`: a model's own training step leaves out these of the
    model's variables; `freed`: where they were made trainable, when the step had been traced; `taken`: they were made
    after their model's list had been taken, there. Of gradients that were never applied, `condition` is what decided so
    while the step was traced, `shown` says that the program looked at them, and trained others, `copies` is where they
    were taken from copies of the weights, and `stored` where they went into variables that keep them.

    Of what never changed, `optimizer` is where that was made, `rate` its learning rate at the end, `nonzero` says that
    gradients other than zero were seen (False: nothing but zeros), and `restored` where the former value is stored
    after the new one was read, `over` where a value is stored over the new one, unread. `applied` is there where the
    optimizer was given zeros instead of these, and `zeroed` where they were made or stored; `lowered` is where a
    learning rate of 0 was set. `underflow`: the gradients are too small for float16, and come back where the target is
    multiplied by this number.
    """

    problem: Problem
    variables: tuple[Variable, ...]
    asked: Location | None
    applied: Location | None = None
    frozen: Location | None = None
    layer: str = ""
    instead: Variable | None = None
    given: tuple[int | None, ...] | None = None
    others: int = 0
    steps: int = 0
    refused: bool = False
    behind: bool = False
    of_model: str = ""
    freed: Location | None = None
    taken: Location | None = None
    unreached: tuple[Location, ...] = ()
    again: tuple[Location, ...] = ()
    optimizer: Location | None = None
    rate: float | None = None
    nonzero: bool | None = None
    restored: Location | None = None
    over: Location | None = None
    zeroed: Location | None = None
    lowered: Location | None = None
    condition: Location | None = None
    shown: bool = False
    copies: Location | None = None
    stored: Location | None = None
    underflow: int = 0
    summed: bool = False
    twice: bool = False
    keys: bool = False
    nested: bool = False


class EmptyWeights(Fact, frozen=True, kw_only=True):
    """Weights of samples or classes that were handed to Keras's training, and that are all zero.

    `argument` is the name of the parameter, `given` the call, `made` where the weights got their name.
    """

    argument: str
    given: Location | None
    made: Location | None = None
    count: int = 0


class StaleTrainable(Fact, frozen=True, kw_only=True):
    """`trainable = value` was set when what training goes by had been settled, and the values show that it did nothing.

    `said` is that statement, `trained_at` the first training after it. `at_compile` tells when it is settled: by
    `compile`, or with the training function that the first `fit` after it makes; None when the model is gone.
    `running` says that it was set while that training ran: by a callback. `traced`: what is trained was settled when a
    step of the program's own was traced, `trained_at` is where that asks for gradients. Without `variables` those of
    `layer` are meant, which nobody has seen.
    """

    value: bool
    said: Location
    variables: tuple[Variable, ...]
    layer: str = ""
    model: str = ""
    trained_at: Location
    at_compile: bool | None = None
    running: bool = False
    traced: bool = False


class OverruledTrainable(Fact, frozen=True, kw_only=True):
    """`trainable = True` was said of layers inside of a model that stays untrainable, and they were not trained.

    `said` is that statement, `outer_said` the earlier one about the layer around them, `trained_at` the training.
    """

    said: Location
    outer_said: Location
    variables: tuple[Variable, ...]
    outer: str = ""
    layer: str = ""
    trained_at: Location


class NothingTrainable(Fact, frozen=True, kw_only=True):
    """A model was told to train while all of its variables were untrainable, by the program's own doing.

    `said` is the last statement that made some of them so; `warned` says that the framework itself noticed.
    `overruled`: it is about the model as a whole, and some of its layers are trainable by themselves.
    """

    said: Location
    variables: tuple[Variable, ...]
    model: str = ""
    trained_at: Location
    overruled: bool = False
    warned: bool = False


class NothingToOptimize(Fact, frozen=True, kw_only=True):
    """An optimizer refused to begin, because it has no variable to optimize.

    `asked` is the call, `chosen` tells whether it was given a list of variables, `made` where that got its name.
    `variables` are those that the loss is computed from: the trainable ones, or all of them when none is.
    """

    asked: Location
    chosen: bool = False
    made: Location | None = None
    variables: tuple[Variable, ...] = ()


class UnheardUpdate(Fact, frozen=True, kw_only=True):
    """A pair of a variable and its new value was given to what only takes functions: the variable stays as it is."""

    variable: str
    layer: str
    given: Location
    made: Location | None = None


class UpdatedTensor(Fact, frozen=True, kw_only=True):
    """An optimizer was given a plain tensor to update, which nothing can change in place.

    `name` is what holds it there, `several` whether that is a list of such tensors. It came as an argument of the
    traced `function`, if one is named, at the call `handed`: as `text`, which stood for variables if `variables` says
    so. `owner` is the variable whose value that reads.
    """

    used: Location
    name: str = ""
    several: bool = False
    function: str = ""
    handed: Location | None = None
    text: str = ""
    variables: bool = False
    owner: str = ""
