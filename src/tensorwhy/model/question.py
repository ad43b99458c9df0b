"""A question that the program itself asked: a gradient of a target with respect to sources."""

from __future__ import annotations

import msgspec

from tensorwhy.model.location import Location


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One source of a gradient question. `tensor` is the journal's id (for a variable: of its resource handle).

    `made` is where something that is no tensor at all got its name. `left_out`: it got None in every recorded step
    although it was meant to get a gradient: for a variable, the program trains others of the same question, and nothing
    in the whole run trained or changed this one. `beside`: of the values of a composite (sparse, ragged), the tensors
    that are its other parts. `layer_made`: where the layer was created that a variable belongs to.
    """

    tensor: int
    variable: bool = False
    trainable: bool | None = None
    name: str = ""
    dtype: str = ""
    differentiable_dtype: bool = True
    shape: tuple[int | None, ...] | None = None
    position: int = 0
    made: Location | None = None
    left_out: bool = False
    beside: tuple[int, ...] = ()

    @classmethod
    def of(cls, variable: Variable, position: int) -> Source:
        """Return a variable as the source of a question, at its position among the others."""
        return cls(
            tensor=variable.tensor,
            variable=True,
            trainable=variable.trainable,
            name=variable.name,
            dtype=variable.dtype,
            shape=variable.shape,
            position=position,
        )

    layer_made: Location | None = None


class GradientQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One call that asks for a gradient whose answer held a None or a zero.

    `event` is its row in the journal, `place` the journal's number of the user's line, `recorder` the recorder's serial
    number. `sources` are those that got None, and `all_sources` are the tensors of all `asked` ones. `error` is the
    exception's type, when there was no answer at all. `warned` says that the framework itself warned of the None, or
    refused it: `refused` then, by an exception. `filled`: the program asked for zeros where there is no connection, and
    got them. `in_callback`: TensorFlow asked, for what a `tf.py_function` was given, and takes zeros for each None; it
    did so to answer the program's own question of `outer_recorder`, about the tensors `outer` (0: of which nothing is
    known). `callers` are the user's calls that led to the question, innermost first. `chosen` is False when nobody
    named the sources: an optimizer took whatever is trainable. Without a recorder (0) it is a question about a graph,
    and `stops` are the tensors behind which the call itself told the gradient to end (`stop_gradients`). `replicas`: on
    how many devices a strategy runs the step at once. `times`: how often it was asked, in so many recorded `steps` (0:
    unknown); one that repeats another counts 0 times. `target` is what the program calls the target, where the call
    does not say, `noun` what the framework calls a variable, `recorder_noun` what it calls that which records for a
    gradient. What ran before the row `since` belongs to an earlier step.
    """

    event: int
    place: int = -1
    recorder: int
    targets: tuple[int, ...]
    sources: tuple[Source, ...]
    asked: int
    all_sources: tuple[int, ...] = ()
    stops: tuple[int, ...] = ()
    error: str = ""
    location: Location | None
    callers: tuple[Location, ...] = ()
    warned: bool = False
    refused: bool = False
    filled: bool = False
    in_callback: bool = False
    outer_recorder: int = 0
    outer: tuple[int, ...] = ()
    chosen: bool = True
    replicas: int = 1
    times: int = 1
    steps: int = 0
    since: int = 0
    target: str = ""
    noun: str = "variable"
    recorder_noun: str = "recorder"


class Variable(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a variable, by its handle's id; -1 for several together, by the expression that names them."""

    tensor: int
    name: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    trainable: bool | None = None
    created: Location | None = None


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """A traced function by the name that calls use: the ids of its inputs and outputs inside its graph, in order."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
