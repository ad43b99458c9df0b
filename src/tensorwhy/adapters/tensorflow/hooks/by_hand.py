"""What is recorded on tapes by hand: calls of traced functions, custom gradients.

The tape knows of those only what it was told. What their backward functions are, and for which inputs they give None,
is noted here, because nobody else can see it later.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from tensorwhy.adapters.tensorflow.gradients.backward import none_inputs
from tensorwhy.recording import journal as j

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder


_MOST = 64


class Miscounted(NamedTuple):
    """A user's backward function that returned `got` gradients for `wanted` arguments, when asked at `place`."""

    code: CodeType
    wanted: int
    got: int
    place: int


class ByHand:
    """By the row of each such record: `custom_none` and `call_none`, the inputs whose gradient is None from a custom
    gradient or a traced function; `custom_code`, file and first line of the user's backward function; `padded`, how
    many inputs, the first ones, are no arguments of a custom gradient but its own results; `recomputed`, those whose
    gradient is that of the operations in front of it (`tf.recompute_grad`). `last` is the row of the last record,
    `miscounted` the first backward function whose gradients were not as many as its inputs."""

    def __init__(self, recorder: Recorder) -> None:
        self.custom_code: dict[int, tuple[str, int]] = {}
        self.custom_none: dict[int, tuple[int, ...]] = {}
        self.call_none: dict[int, tuple[int, ...]] = {}
        self.padded: dict[int, int] = {}
        self.recomputed: set[int] = set()
        self.last = -1
        self.miscounted: Miscounted | None = None
        self.ignored: dict[int, tuple[CodeType, str, tuple[str, ...]]] = {}
        """By the place of a call whose arguments are all passed by keyword, so that the tape is told of none: the
        backward function, the name of the function, and those of the arguments."""
        self._recorder = recorder
        self._rows: dict[int, int] = {}

    def forget(self, start: int, end: int) -> None:
        """Rows from `start` up to `end` are taken out of the journal."""
        self._rows = {tensor: row for tensor, row in self._rows.items() if not start <= row < end}
        for known in (self.custom_code, self.custom_none, self.call_none, self.padded):
            for row in [row for row in known if start <= row < end]:
                del known[row]
        self.recomputed = {row for row in self.recomputed if not start <= row < end}

    def wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self._recorder, self._recorder.journal

        def TFE_Py_TapeSetRecordOperation(op_type: Any, outputs: Any, inputs: Any, *args: Any) -> Any:
            if recorder.active and args and sys._getframe(2).f_code.co_filename.endswith("custom_gradient.py"):
                if _recomputes(args[0], sys._getframe(2).f_code.co_filename):
                    self.recomputed.add(journal.position)
                count = len(inputs) if isinstance(inputs, (list, tuple)) else -1
                if count == 0:
                    self._ignored(args[0], sys._getframe(2))
                args = (self._observed(args[0], journal.position, count), *args[1:])
            result = original(op_type, outputs, inputs, *args)
            if recorder.active:
                try:
                    ids: list[int] = []
                    recorder.inputs_of(inputs, ids)
                    outs: list[int] = []
                    recorder.outputs_of(outputs, outs)
                    name = op_type.decode() if isinstance(op_type, bytes) else str(op_type)
                    place = recorder.place(sys._getframe(1))
                    self._note_call(args, journal.position)
                    self._note_padding(args, outs, journal.position)
                    if recorder.kept.on:
                        recorder.kept.call("record", op_type, (outputs, inputs, args), outputs)
                    self.last = journal.position
                    journal.add(j.RECORDED, name, place, tuple(ids), tuple(outs))
                except Exception as error:
                    recorder.fail(error)
            return result

        return TFE_Py_TapeSetRecordOperation

    def _observed(self, backward: Callable[..., Any], row: int, count: int) -> Callable[..., Any]:
        """A backward function that also notes for which inputs it gave None: its code is opaque to everybody else."""

        def backward_function(*gradients: Any) -> Any:
            # The user's own lines again, in the midst of a backward pass.
            thread = threading.get_ident()
            before = self._recorder.places.within.pop(thread, None)
            try:
                result = backward(*gradients)
            finally:
                self._recorder.places.leave(thread, before)
            try:
                if isinstance(result, (list, tuple)):
                    self.custom_none[row] = tuple(i for i, each in enumerate(result) if each is None)
                    code = self._user_code(backward, 3)
                    if code is not None:
                        self.custom_code[row] = code.co_filename, code.co_firstlineno
                    if len(result) != count >= 0:
                        self._miscount(backward, count, len(result))
            except Exception as error:
                self._recorder.fail(error)
            return result

        return backward_function

    def _ignored(self, backward: Any, frame: FrameType) -> None:
        """The tape is told of no input: note tensors that were passed by keyword."""
        try:
            keywords = frame.f_locals.get("kwargs") or {}
            names = tuple(name for name, each in keywords.items() if getattr(each, "dtype", None) is not None)
            code = getattr(_closed_over(backward, "grad_fn"), "__code__", None)
            place = self._recorder.place(frame)
            if names and code is not None and not frame.f_locals.get("args") and len(self.ignored) < _MOST:
                function = getattr(frame.f_locals.get("f"), "__name__", "")
                self.ignored.setdefault(place, (code, function, names))
        except Exception as error:
            self._recorder.fail(error)

    def _user_code(self, function: Any, depth: int) -> CodeType | None:
        """The code of the user's own function behind TensorFlow's wrappers: it is in their closures."""
        code: CodeType | None = getattr(function, "__code__", None)
        if code is None or depth < 0:
            return None
        if self._recorder.files[code.co_filename]:
            return code
        for cell in function.__closure__ or ():
            try:
                found = self._user_code(cell.cell_contents, depth - 1)
            except ValueError:  # an empty cell
                continue
            if found is not None:
                return found
        return None

    def _miscount(self, backward: Callable[..., Any], wanted: int, got: int) -> None:
        given = getattr(_closed_over(backward, "grad_fn"), "__code__", None)
        beside = _closed_over(backward, "flat_result_len") or 0
        beside += len(_closed_over(backward, "variables") or ())
        if given is not None and self.miscounted is None:
            place = self._recorder.place(sys._getframe(2))
            self.miscounted = Miscounted(given, wanted - beside, got - beside, place)

    def looked_up(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Around TensorFlow's look-up of the gradient of a graph's operation: there no tape asks a custom gradient."""

        def get_gradient_function(op: Any) -> Any:
            found = original(op)
            if found is not None and self._recorder.active and op.type == "IdentityN":
                row = self._rows.get(getattr(op.outputs[0], "_id", -1))
                if row is not None:
                    return self._noting(found, row, len(op.inputs))
            return found

        return get_gradient_function

    def _noting(self, gradient: Callable[..., Any], row: int, count: int) -> Callable[..., Any]:
        observed = self._observed(gradient, row, count)
        return lambda op, *gradients: observed(op, *gradients)

    def _note_padding(self, args: tuple[Any, ...], outs: list[int], row: int) -> None:
        """In a graph a custom gradient stands at an `IdentityN` of results and arguments: the results get None."""
        count = _closed_over(args[0], "flat_result_len") if args else None
        if isinstance(count, int) and outs:
            self.custom_none[row] = tuple(range(count))
            self.padded[row] = count
            self._rows[outs[0] >> 8] = row

    def _note_call(self, args: tuple[Any, ...], row: int) -> None:
        found = none_inputs(args[0]) if args else None
        if found:
            self.call_none[row] = found


def _recomputes(backward: Any, file: str) -> bool:
    """Return whether a backward function of TensorFlow's, in this file, computes the forward function once more."""
    given = _closed_over(backward, "grad_fn")
    code = getattr(given, "__code__", None)
    return code is not None and code.co_filename == file and {"f", "current_var_scope"} <= {*code.co_freevars}


def _closed_over(function: Any, name: str) -> Any:
    """What a function, or the one that our own wrapper holds, closes over by this name; None when there is nothing."""
    code = getattr(function, "__code__", None)
    cells = dict(zip(code.co_freevars, function.__closure__ or ())) if code is not None else {}
    if "backward" in cells and name not in cells:
        return _closed_over(cells["backward"].cell_contents, name)
    try:
        return cells[name].cell_contents if name in cells else None
    except ValueError:  # an empty cell
        return None
