"""Facts about shapes and data that no exception speaks of: the program goes on, and means something else."""

from __future__ import annotations

from typing import Literal

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location

Shape = tuple[int | None, ...]


class OuterResult(Fact, frozen=True, kw_only=True):
    """An operation of two operands with as many elements each, whose result has one for each pair.

    `operation` is its kernel, `sign` the operator that stands for it, `low` the position of the operand that has fewer
    axes. None in a shape is a size that tracing does not know.
    `asked` is where the gradient was asked for.
    """

    operation: str
    sign: str = ""
    shapes: tuple[Shape, Shape]
    result: Shape
    low: int
    location: Location
    asked: Location | None = None


class MissingName(Fact, frozen=True, kw_only=True):
    """A callback looks up a name in the results of each epoch, and no epoch has it.

    `names` are those that the epochs have. `made` is where the callback was made, `trained` the call that runs it.
    Without a `callback`, the program itself looks it up, at `used`.
    """

    callback: str
    name: str
    names: tuple[str, ...]
    epochs: int
    made: Location | None = None
    trained: Location | None = None
    used: Location | None = None


class ReshuffledSplit(Fact, frozen=True, kw_only=True):
    """Two parts of one dataset that is shuffled anew each time somebody goes through it: they are no fixed parts.

    `cuts` are where the two parts were cut off, the one that is trained on first, `operations` by what. `used` is the
    call that is given the other part, `trained` the one that trains.
    """

    shuffled: Location
    cuts: tuple[Location | None, Location | None] = (None, None)
    operations: tuple[str, str]
    used: Location
    trained: Location


class FedData(Fact, frozen=True, kw_only=True):
    """Data for a model that do not fit its inputs.

    `call` is the method that was given them, `text` what stands there for them, and `validation` says that it is the
    data for validation that training was given.
    """

    call: str
    text: str
    used: Location
    made: Location | None = None
    model: Location | None = None
    validation: bool = False
    dataset: bool = False


class Misshapen(FedData, frozen=True, kw_only=True):
    """Data of another shape than the model's `input`.

    - "unbatched": single samples, without the axis of the batch;
    - "batch": another number of samples than the model is made for;
    - "shape": any other shape.

    `given` and `wanted` are shapes with the axis of the batch. `chosen`: the size of the batch was not asked for, it is
    what the method takes by itself.
    """

    kind: Literal["unbatched", "batch", "shape"]
    input: str = ""
    given: Shape = ()
    wanted: Shape = ()
    chosen: bool = False


class Misnamed(FedData, frozen=True, kw_only=True):
    """Data under other names (`keys`) than the model has `inputs`. `taken` is what was taken for `input` unrefused.

    `targets`: it is the targets that have these names, and `inputs` are those of the model's outputs.
    """

    keys: tuple[str, ...]
    inputs: tuple[str, ...]
    input: str = ""
    taken: str = ""
    targets: bool = False
