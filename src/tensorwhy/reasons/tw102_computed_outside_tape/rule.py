"""TW102 computed-outside-tape: a part of the path ran while the tape was not recording."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import AND_MORE, Case, Evidence, about
from tensorwhy.model.facts.gradient import ConstantTerm, NotRecorded
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import _recorders

META = about(
    __name__,
    summary="Part of the computation ran before the tape started recording, after it stopped, or on another thread.",
    keeps_value=True,
)

_WHEN = {
    "before": "before {recorder} started recording",
    "after": "after {recorder} stopped recording",
    "between": "while {recorder} was closed",
    "other-thread": "on another thread than {recorder}",
    "dataset": "in a dataset function, where no {noun} records",
}


def match(case: Case) -> Evidence | None:
    """Holds when operations on the path ran while this tape was not on their thread's stack."""
    fact = case.fact
    if isinstance(fact, ConstantTerm):
        return _term(case, fact)
    if not isinstance(fact, NotRecorded) or fact.kind != "not-recorded":
        return None
    once = _recorders.once(fact)
    if fact.region not in _WHEN and not once:
        return None
    if fact.region == "dataset" and fact.role == "elements":
        return _held(case, fact)
    noun = fact.question.recorder_noun
    recorder = _recorders.called(case, fact.made.recorder, noun)
    when = f"in `{once}`, where no {noun} records" if once else _WHEN[fact.region].format(recorder=recorder, noun=noun)
    fixes = (_IN_THE_STEP,) if fact.region == "dataset" else ()
    return evidence(
        case,
        fact,
        why=f"part of the computation ran {when}",
        label=f"computed here, {when}",
        related=[
            *marked(fact.last, "... and everything through here", "last of it"),
            *marked(fact.called, "by this call", "called"),
            *marked(fact.made.recorder, _recorders.starts(case, fact.made.recorder, noun), "tape opened"),
            *marked(fact.recorder_closed, f"{recorder} is closed when this ends", "tape closed"),
        ],
        fixes=fixes,
    )


def _term(case: Case, fact: ConstantTerm) -> Evidence:
    """One term of the loss, while the others have a gradient."""
    refs = tuple(TensorRef(name=each.name, kind="variable", location=each.created) for each in fact.sources)
    recorder = _recorders.called(case, fact.opened, fact.recorder)
    when = _WHEN["before"].format(recorder=recorder)
    marks = (
        (fact.opened, _recorders.starts(case, fact.opened, fact.recorder), "tape opened"),
        (fact.asked, "the gradient of the sum is asked for here", "asked"),
    )
    return Evidence(
        message=f"a term of the loss is a constant to its gradient: it ran {when}, and depends on "
        f"`{refs[0].name}`{AND_MORE}",
        primary=Marked.at(fact.made, f"this term of the loss is computed here, {when}"),
        related=tuple(Marked.at(place, label, role) for place, label, role in marks if place is not None),
        severity="warning",
        source=refs[0],
        also=refs[1:],
        fixes=(
            Fix(
                summary=f"compute this term inside the `with` of {recorder}",
                caveat="unless this term is meant to be a constant; then nothing needs to change",
            ),
        ),
    )


def _held(case: Case, fact: NotRecorded) -> Evidence:
    """The value was put into a dataset, and what that gives is new."""
    recorder = fact.question.recorder_noun
    return evidence(
        case,
        fact,
        why=f"it went into a dataset, whose elements are new tensors that no {recorder} connects to it",
        label="put into a dataset here",
        related=marked(fact.made.recorder, _recorders.starts(case, fact.made.recorder, recorder), "tape opened"),
        fixes=(_AS_IT_IS,),
    )


_AS_IT_IS = Fix(
    summary="split the tensor without a dataset: slice it, `tf.unstack` it, or shuffle indices and take rows of "
    "it with `tf.gather`",
    caveat="unless the value is meant to be a constant; then None is correct",
)
_IN_THE_STEP = Fix(
    summary="keep variables out of the dataset function, and call the layer inside the `with` of the tape",
    caveat="unless it should stay fixed; then do not ask for the gradient of its variables",
)
