"""Gradient questions about graphs: `tf.gradients`, and the optimizers and Keras functions that are built on it.

They have no tape. Everything in the graph counts as recorded, so what is lost is lost by the operations themselves.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from tensorwhy.adapters.tensorflow.gradients.rules import trainable
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.questions.asked import Questions
from tensorwhy.adapters.tensorflow.questions.tapes import Tapes
from tensorwhy.adapters.tensorflow.tensor_ids import dtype_name, resource, static_shape
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.frames import locals_of

_ASKING = "ops/gradients_impl.py"
_OPTIMIZER = "training/optimizer.py"
_STOPS, _UNCONNECTED = 5, 6
"""The positions of `stop_gradients` and `unconnected_gradients` behind the targets and sources."""
_VARIABLES = ("Variable", "VariableV2")


class GraphQuestions:
    """A hook on the one function that builds gradients of graphs; keeps the questions whose answer held a None."""

    def __init__(self, recorder: Recorder, tapes: Tapes, questions: Questions) -> None:
        self._recorder = recorder
        self._tapes = tapes
        self._questions = questions

    def install(self) -> None:
        """Replace the entry point. TensorFlow's own functions call it as well: theirs are no questions."""
        from tensorflow.python.ops import gradients_util

        self._recorder.patches.replace(gradients_util, "_GradientsHelper", self._wrap)

    def _wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self._recorder

        def _GradientsHelper(ys: Any, xs: Any, *args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            if not recorder.active or not _ends(frame, _ASKING):
                return original(ys, xs, *args, **kwargs)
            event = recorder.journal.position
            place = recorder.place(frame)
            stops = kwargs.get("stop_gradients", args[_STOPS] if len(args) > _STOPS else None)
            fills = kwargs.get("unconnected_gradients", args[_UNCONNECTED] if len(args) > _UNCONNECTED else None)
            thread, before = threading.get_ident(), recorder.places.within.get(threading.get_ident())
            recorder.places.within[thread] = place
            self._mark(j.GRADIENT, place)
            error = "unfinished"
            try:
                result = original(ys, xs, *args, **kwargs)
                error = ""
            except LookupError as raised:
                error = type(raised).__name__
                raise
            finally:
                recorder.places.leave(thread, before)
                self._mark(j.GRADIENT_END, -1)
                if error == "LookupError":
                    self._ask(event, place, ys, xs, None, frame, error, stops)
            self._ask(event, place, ys, xs, result, frame, stops=stops, filled=_fills(fills))
            return result

        return _GradientsHelper

    def _mark(self, kind: int, place: int) -> None:
        try:
            self._recorder.journal.add(kind, "", place, ())
        except Exception as error:
            self._recorder.fail(error)

    def _ask(
        self,
        event: int,
        place: int,
        ys: Any,
        xs: Any,
        result: Any,
        frame: FrameType,
        error: str = "",
        stops: Any = None,
        filled: bool = False,
    ) -> None:
        recorder, journal = self._recorder, self._recorder.journal
        if not recorder.active:
            return
        try:
            targets, sources = _flat(ys), _flat(xs)
            answers = [None] * len(sources) if result is None else list(result)
            lost = [i for i, answer in enumerate(answers) if answer is None or filled]
            if not lost:
                return
            found = [self._source(each, i) for i, each in enumerate(sources)]
            if any(source is None for source in found) or not all(hasattr(each, "_id") for each in targets):
                return
            question = GradientQuestion(
                recorder_noun="tape",
                event=event,
                place=place,
                recorder=0,
                targets=tuple(target._id for target in targets),
                sources=tuple(source for i in lost if (source := found[i]) is not None),
                asked=len(sources),
                all_sources=tuple(source.tensor for source in found if source is not None),
                stops=stopped(stops),
                error=error,
                filled=filled,
                chosen=not _all_of_the_graph(frame),
                location=journal.location(place),
                callers=tuple(frame.location for frame in journal.chain(place)[1:]),
            )
            if filled:
                self._questions.filled.append(question)
                return
            self._tapes.optimizers.install()
            self._questions.asked.append(question)
            journal.add(j.QUESTION, "", place, (len(self._questions.asked) - 1,))
        except Exception as failure:
            recorder.fail(failure)

    def _source(self, given: Any, position: int) -> Source | None:
        """A source of either kind of variable, or a tensor; None for anything else."""
        handle = resource(given)
        if handle is not None:
            self._tapes.know(given)
        reference = getattr(given, "_ref", None)  # a variable of TensorFlow 1 is a tensor itself
        tensor = handle if handle is not None else reference() if callable(reference) else given
        key = getattr(tensor, "_id", None)
        if type(key) is not int or not hasattr(given, "dtype"):
            return None
        variable = handle is not None or tensor.op.type in _VARIABLES
        return Source(
            tensor=key,
            variable=variable,
            trainable=bool(getattr(given, "trainable", True)) if variable else None,
            name=str(given.name) if variable else "",
            dtype=dtype_name(given),
            differentiable_dtype=trainable(dtype_name(given)),
            shape=static_shape(given),
            position=position,
        )


def stopped(stops: Any) -> tuple[int, ...]:
    """What `stop_gradients` ends: TensorFlow takes whole operations, so all outputs of those that made the tensors."""
    made = (getattr(each, "op", None) for each in (() if stops is None else _flat(stops)))
    return tuple(output._id for op in made if op is not None for output in op.outputs)


def _flat(values: Any) -> list[Any]:
    return list(values) if isinstance(values, (list, tuple)) else [values]


def _fills(unconnected: Any) -> bool:
    """Return whether zeros were asked for where there is no connection: as the option, or as its name."""
    return bool(getattr(unconnected, "value", unconnected) == "zero")


def _ends(frame: FrameType | None, file: str) -> bool:
    return frame is not None and frame.f_code.co_filename.replace("\\", "/").endswith(file)


def _all_of_the_graph(frame: FrameType | None) -> bool:
    """Return whether an optimizer of TensorFlow 1 asks for whatever is trainable in the graph, because nobody chose.

    Then it is no loss that some of it takes no part.
    """
    while _ends(frame, _ASKING) and frame is not None:
        frame = frame.f_back
    asking = frame
    while frame is not None and _ends(frame, _OPTIMIZER):
        if frame.f_code.co_name == "minimize":
            return locals_of(frame).get("var_list") is None
        frame = frame.f_back
    if asking is None or not _ends(asking, _OPTIMIZER):
        return False
    from tensorflow.python.ops.variables import trainable_variables

    return {id(each) for each in locals_of(asking).get("var_list") or ()} >= {
        id(each) for each in trainable_variables()
    }
