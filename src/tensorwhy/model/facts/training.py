"""Facts about what a training loop does with its gradients, and about variables that it never changes."""

from __future__ import annotations

from typing import Literal

import msgspec

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
    "rebound",
    "swapped",
    "unpaired",
    "misfit",
    "never-changed",
    "hardly-moved",
    "ignored-setting",
    "not-finite",
    "statistics",
]


class NotTrained(Fact, frozen=True, kw_only=True):
    """Variables that take part in what is trained, and that training does not reach.

    `asked` is where the gradient was asked for, `others` counts the variables that were trained beside them, `steps`
    the steps that were seen. `refused` says that the framework raised for it.
    """

    problem: Problem
    variables: tuple[Variable, ...] = ()
    asked: Location | None = None
    others: int = 0
    steps: int = 0
    refused: bool = False


class NotAsked(NotTrained, frozen=True, kw_only=True):
    """The training step asks for no gradient of these variables.

    - "nothing-asked": the gradient was asked for an empty list, while these variables were read;
    - "left-out": the target depends on them by way of what is trained, and nobody asked for their gradients;
    - "frozen": the target depends on them, others are trained, and the program made these untrainable.

    `frozen` is where the program made them untrainable. `behind`: what is trained comes before them, not after;
    `of_model`: a model's own training step leaves out these of the model's variables; `freed`: where they were made
    trainable, when the step had been traced; `taken`: they were made after their model's list had been taken, there.
    """

    frozen: Location | None = None
    layer: str = ""
    behind: bool = False
    of_model: str = ""
    freed: Location | None = None
    taken: Location | None = None
    unreached: tuple[Location, ...] = ()
    again: tuple[Location, ...] = ()


class NotHanded(NotTrained, frozen=True, kw_only=True):
    """The gradients of these variables were computed, and no optimizer was given them for these variables.

    - "never-applied": nothing was ever done with them, in several steps;
    - "dropped": they were computed together with others, which alone were given to the optimizer;
    - "crossed": the optimizer was given the gradient of one variable (`instead`) for another (`twice`: after that was
      applied to its own, while nothing uses those of the others);
    - "rebound": an update was computed from the gradient, and only a name was given to it (`summed`: a sum of
      gradients, while the optimizer was given what was there before).

    `applied` is where an optimizer was given gradients, or the update was lost. Of gradients that were never applied,
    `condition` is what decided so while the step was traced, `shown` says that the program looked at them, and trained
    others, `copies` is where they were taken from copies of the weights, and `stored` where they went into variables.
    Without `computed` not even the gradients are in the graph, and `asked` is the call that trains.
    """

    applied: Location | None = None
    instead: Variable | None = None
    twice: bool = False
    summed: bool = False
    condition: Location | None = None
    shown: bool = False
    copies: Location | None = None
    stored: Location | None = None
    computed: bool = True


class Mispaired(NotTrained, frozen=True, kw_only=True):
    """An optimizer was given something else than pairs of a gradient and its variable.

    - "swapped": pairs of a variable and its gradient;
    - "unpaired": no pairs: gradients alone, or with their variables (these) in another list, or one of each, and no
      list, or `keys` of a dict in the place of gradients or variables, or a list of variables (these) in the place of
      one (`nested`);
    - "misfit": gradients that have not the shape of their variables. `given` is that of the first, `instead` the
      variable whose gradient it is, where that is known.
    """

    applied: Location | None = None
    instead: Variable | None = None
    given: tuple[int | None, ...] | None = None
    keys: bool = False
    nested: bool = False


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A learning rate that is computed: by what, from which numbers, and what it was at which step."""

    name: str
    inputs: tuple[tuple[str, str], ...] = ()
    step: int = 0
    first: float | None = None


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """One update of a variable, computed again: in its own dtype, where nothing moves, and in a wider one.

    `operation` is the first intermediate that is lost, as the optimizer's source has it, at `place`: it has `value` in
    `dtype` and `wide_value` in `wide`. `operands` are the numbers it was computed from, in each. Without an operation
    the update itself is lost when it is added: it is at most `value`, and the numbers next to the variable's are
    `spacing` apart. `constraint` names what puts the former value back; then the dtype is not to blame. `any_gradient`
    says that the gradient was not seen, and that ones of very different sizes all gave the same. `remedy` names the
    framework's setting for variables in a wider dtype; `moves_in_float32`: there the same update changes the value.
    """

    dtype: str
    wide: str = "float64"
    optimizer: str = ""
    operation: str = ""
    place: Location | None = None
    value: float = 0.0
    wide_value: float = 0.0
    operands: tuple[str, str] = ("", "")
    spacing: float | None = None
    constraint: str = ""
    any_gradient: bool = False
    remedy: str = ""
    moves_in_float32: bool = False


class NotMoved(NotTrained, frozen=True, kw_only=True):
    """ "never-changed": an optimizer was given a gradient for these variables in each step, and no value changed.

    What is known of why: `optimizer` is where that was made, `rate` its learning rate at the end, `schedule` what
    computed that, and `lowered` where it was set to 0. `nonzero` says that gradients other than zero were seen (False:
    nothing but zeros; `comes_back` says in words at which other value the gradient is not zero). `underflow`: the
    gradients are too small for float16, and come back where the target is multiplied by this number. `applied` is there
    where the optimizer was given zeros instead of these, and `zeroed` where they were made or stored. `replayed` is an
    update that was computed again, and lost. `skipped`: the optimizer counted no update at all, since gradients were
    not finite. `restored` is where the former value is stored after the new one was read, `over` where a value is
    stored over the new one, unread.
    """

    optimizer: Location | None = None
    rate: float | None = None
    schedule: Schedule | None = None
    lowered: Location | None = None
    nonzero: bool | None = None
    comes_back: str = ""
    underflow: int = 0
    applied: Location | None = None
    zeroed: Location | None = None
    replayed: Replayed | None = None
    skipped: bool = False
    restored: Location | None = None
    over: Location | None = None


class HardlyMoved(NotTrained, frozen=True, kw_only=True):
    """ "hardly-moved": each step changed these variables, and all steps together by next to nothing.

    `moved` is how far the one went that went furthest, relative to its size. `optimizer` is where that was made, `rate`
    its learning rate at the end. `scale`: it divides gradients by this, and the loss was not multiplied by it.
    """

    moved: float
    optimizer: Location | None = None
    rate: float | None = None
    scale: float | None = None


class IgnoredSetting(NotTrained, frozen=True, kw_only=True):
    """ "ignored-setting": an attribute was set that no code of the object's classes reads, beside an option like it.

    `of_class` is the class of the object, `option` what it reads instead, `value` and `used` what the two hold.
    `set_at` is the line that set it, `made` where the object was made.
    """

    attribute: str
    option: str
    of_class: str
    value: str
    used: str
    set_at: Location | None = None
    made: Location | None = None


VainKind = Literal["loss-weights", "epoch", "state", "closure", "threshold", "logits", "optimizer", "equality", "empty"]


class VainSetting(Fact, frozen=True, kw_only=True):
    """A setting of a training that takes no effect.

    - "loss-weights": the training step of the program at `step` never asks for the loss that `compile` made;
    - "epoch": a schedule called `name`, which gets epoch 0 each time that the training call begins anew;
    - "state": the layer called `name` hands its state on to the next batch, which has other samples;
    - "closure": so many functions read the variable `name` of the loop that made them, which is `value` by now;
    - "optimizer": so many calls from one line trained the same model, each with a new optimizer of the class `name`;
    - "equality": the metric called `name` asks whether outputs are equal to labels; `value` is one that cuts them;
    - "empty": the share `value` of the one-hot targets have no class, and the metric `name` counts them as well;
    - "threshold": the metric called `name` cuts at 0.5, and what it gets are logits;
    - "logits": the loss `value` takes probabilities, and the last layer, called `name`, gives any number.

    `set_at` is where it is set, `used` the training call or the one that decides; `times` counts its calls.
    """

    kind: VainKind
    set_at: Location
    used: Location
    step: Location | None = None
    name: str = ""
    value: str = ""
    times: int = 0


class UnmovedStatistics(NotTrained, frozen=True, kw_only=True):
    """ "statistics": layers that were trained still have the statistics that they were made with.

    A copy of each layer moves them when it is called in training mode, and leaves them otherwise. `variables` are the
    statistics, `layers` the names of the layers, the first is one of the class `of_class`, made at `made`. `called` is
    where the step calls it. `loaded`: these statistics are from an earlier training or a file.
    """

    layers: tuple[str, ...]
    of_class: str
    made: Location | None = None
    called: Location | None = None
    loaded: bool = False


class NotFinite(NotTrained, frozen=True, kw_only=True):
    """ "not-finite": these variables are NaN or infinite when training is over. Without `variables`: the loss is.

    `span`: they were finite at the first of these steps, and not at the second. `epoch`: the first whose loss was not
    finite, from 1, of `epochs`. `grown`: how many times larger the last finite value was than the first. `decay`: with
    a gradient of zero, a replayed update multiplies them by this; `rate` and `decays` are the optimizer's learning rate
    and weight decay. `optimizer` is where that was made. `scaled`: lines of the program that change them by a multiple
    of themselves, beside the optimizer. `warned` is the first line that computed such a number with NumPy before, and
    `warning` what that said. `fed`: these arguments of the training call hold NaN or infinity, each with how many.
    """

    warned: Location | None = None
    warning: str = ""
    fed: tuple[tuple[str, int], ...] = ()
    span: tuple[int, int] | None = None
    epoch: int = 0
    epochs: int = 0
    scaled: tuple[Location, ...] = ()
    grown: float | None = None
    decay: float | None = None
    decays: float | None = None
    rate: float | None = None
    optimizer: Location | None = None


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
