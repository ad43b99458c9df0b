"""TW110 left-tensorflow: the value went through NumPy or Python."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.facts.recorder import FedWhileRecording
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _recorders
from tensorwhy.reasons import keras_words as words

META = about(
    __name__,
    summary="The value was converted to NumPy or Python (.numpy(), float(), np.*, a list of floats), "
    "where no tape can follow.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when the value left as an array or number and came back as a new tensor, or failed on the way."""
    fact = case.fact
    if isinstance(fact, FedWhileRecording):
        return _fed(fact)
    if not isinstance(fact, GradientBreak) or fact.kind != "left-framework":
        return None
    lost = fact.question.error and fact.entry is None
    recorder = _recorders.called(case, fact.made.recorder, fact.question.recorder_noun)
    way = (
        "to NumPy or Python and never came back"
        if lost
        else f"to NumPy or Python and back, so {recorder} sees a constant"
    )
    return evidence(
        case,
        fact,
        why=f"it was converted {way}",
        label="converted to a NumPy or Python value here",
        related=marked(fact.entry, "and back to a tensor here, as a constant", "comes back"),
    )


def _fed(fact: FedWhileRecording) -> Evidence:
    call = words.code(f"{fact.call}(...)")
    return Evidence(
        message=f"{call} copies its input into a dataset and its output into an array, and an open tape cannot follow:"
        f" {words.code(fact.op)} has no gradient",
        primary=Marked.at(fact.location, "the value leaves TensorFlow here", "left"),
        related=words.marks((fact.opened, "this tape is recording", "tape opened"), primary=fact.location),
        notes=("outside a tape, this call works and returns arrays without a gradient",),
        fixes=(
            Fix(
                summary=f"call the model itself: `{fact.model}(x, training=False)` returns the same values as a "
                f"tensor, with a gradient"
            ),
        ),
    )
