"""Facts about Keras history: what a Keras call received, and what it needed.

`symbolic Keras tensor` is what `keras.Input` and layer calls give while a model is being assembled; it has a shape and
a dtype and no values.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location
from tensorwhy.model.report import PathStep, TensorRef


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A value as it reached a Keras call.

    `sort` says what it is ("eager tensor", "array", "layer", ...), `name` is the user's name for it, `made` the
    expression that made it, `written` the argument in the call, `parameter` the argument's name there ("inputs").
    """

    sort: str
    name: str = ""
    made: Location | None = None
    written: Location | None = None
    parameter: str = ""
    tensor: TensorRef | None = None


class NotSymbolic(Fact, frozen=True, kw_only=True):
    """An eager tensor, array or variable where a symbolic Keras tensor is needed.

    `needed_by` is the call that needed it, as the user would write it. `others` are further values like it.
    """

    given: Given
    needed_by: str
    used: Location
    others: tuple[Given, ...] = ()


class OutputNotFromLayer(Fact, frozen=True, kw_only=True):
    """An output of a functional model that no layer and no Keras operation produced."""

    given: Given
    needed_by: str
    used: Location


Uncalled = Literal["layer", "sequential model", "subclassed model"]


class NeverCalled(Fact, frozen=True, kw_only=True):
    """A layer or model was asked for the tensors of a symbolic call, and no symbolic Keras tensor ever entered it.

    `calls` are the calls on symbolic Keras tensors that it does have, where a later one was asked for.

    `attribute` is what was asked ("output"), `ran` whether it was built or called on values, `graph` whether it is a
    Sequential model that keeps symbolic inputs and outputs of its own. `shape` is that of the one tensor that it was
    called on, without the batch axis, where that is known.
    """

    given: Given
    layer: str
    attribute: str
    used: Location
    sort: Uncalled = "layer"
    ran: bool = False
    graph: bool = False
    shape: tuple[int, ...] | None = None
    calls: tuple[Location | None, ...] = ()


class NotATensor(Fact, frozen=True, kw_only=True):
    """A layer, model, function, container or nothing at all where one tensor is needed.

    `receiver` is the layer or model that was called. `call` is True when calling the thing is
    likely meant (a layer that was created and not called); `length` is the number of tensors in a list, and `returned`
    the layer that gave the whole list, if one did. `called` says that the layer was called on Keras tensors before,
    `entry` that it is the layer of an input, `forgot` is the
    user's function that gave None. `others` are further things like it.
    """

    given: Given
    receiver: str
    used: Location
    call: bool = False
    length: int | None = None
    returned: str = ""
    certain: bool = True
    called: bool = False
    entry: bool = False
    forgot: str = ""
    others: tuple[Given, ...] = ()


class TensorsToConstructor(Fact, frozen=True, kw_only=True):
    """A layer's constructor that was given tensors, which only the finished layer takes: `Add([x, y])`.

    `layer` is the class and `arguments` what it was given, as the user wrote them.
    """

    layer: str
    arguments: str
    used: Location
    tensors: tuple[TensorRef, ...] = ()


class SeparateTensors(Fact, frozen=True, kw_only=True):
    """A layer that takes all its tensors in one list, called with one after the other: `Multiply()(x, y)`.

    `layer` describes it, `call` is what the user wrote in front of the tensors, "" when that is not known.
    """

    layer: str
    call: str
    used: Location
    tensors: tuple[TensorRef, ...]


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """A layer that was called more than once: its output was `taken` from one call, and another one was `wanted`.

    `given` is an input of the model. `instead` is the tensor that stands in its place in the call that was taken.
    """

    layer: str
    taken: Location | None
    wanted: Location | None
    instead: TensorRef
    given: TensorRef


class Disconnected(Fact, frozen=True, kw_only=True):
    """A functional model whose outputs need an input that is not among its inputs.

    `missing` are the inputs that the outputs depend on; `given` the model's inputs, `unused` those of them that the
    outputs do not need, `twice` those that are listed more than once. `path` leads from the first missing input to an
    output. `owner` is a model whose own input that is, and `fed` what a model made before gives on that path. `shared`
    says that `owner` has inputs among the given ones, too. `replaced` is the tensor of `owner` that the path leaves it
    by, where one unused input has its shape and dtype. `recalled`: an output is of another call of its layer.
    """

    used: Location
    missing: tuple[TensorRef, ...]
    given: tuple[TensorRef, ...] = ()
    unused: tuple[TensorRef, ...] = ()
    path: tuple[PathStep, ...] = ()
    model: str = ""
    owner: TensorRef | None = None
    twice: tuple[TensorRef, ...] = ()
    fed: TensorRef | None = None
    shared: bool = False
    replaced: TensorRef | None = None
    recalled: Recalled | None = None


Operation = Literal[
    "framework",
    "backend",
    "decorated",
    "numpy",
    "method",
    "truth",
    "iteration",
    "unpacking",
    "conversion",
    "variable",
    "membership",
    "assignment",
    "other",
]


class RawOp(Fact, frozen=True, kw_only=True):
    """A TensorFlow, NumPy or Python operation that a symbolic Keras tensor cannot go through.

    `function` is written as the user wrote it ("tf.reduce_sum"), `kind` says whose it is. `equivalents` are names that
    the installed Keras really has and that mean the same. `own` says that a layer of the user's class gave the tensor
    which was taken apart. `generation` is the Keras major version.
    """

    function: str
    kind: Operation
    used: Location
    tensor: TensorRef
    equivalents: tuple[str, ...] = ()
    own: bool = False
    generation: int = 3


class AtRuntime(Fact, frozen=True, kw_only=True):
    """A symbolic Keras tensor used where values are needed.

    `context` names what was running ("a loss function that `fit` calls"), `called` where the user started it.
    `asked` is what was asked of the tensor (".numpy()"), "" when it was used in arithmetic. `configured` is the
    class of the layer that has it in its configuration.
    """

    tensor: TensorRef
    used: Location
    context: str = ""
    called: Location | None = None
    asked: str = ""
    configured: str = ""


class PackagedObject(msgspec.Struct, frozen=True, kw_only=True):
    """One object with the Keras package it comes from, where it was made, and the import that gave it its name.

    `private` says that the package is internal to another one, and meant for nobody. `peers` is the number of layers
    and models of that package in the program.
    """

    package: str
    private: bool = False
    peers: int = 0
    kind: str
    name: str = ""
    made: Location | None = None
    imported: Location | None = None


class MixedPackages(Fact, frozen=True, kw_only=True):
    """Objects of two Keras packages met in one call. `receiver` is the one that was called."""

    receiver: PackagedObject
    stranger: PackagedObject
    used: Location
