"""TW101 not-watched: the tape never learned that the source is one."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_made
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotWatched, OtherRecorder
from tensorwhy.model.location import Location
from tensorwhy.reasons import _recorders

META = about(
    __name__,
    summary="The tape never watched the source: a plain tensor, a variable that it does not watch automatically, or "
    "one that it was asked to watch too late.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when the source was not tracked by the tape when it was first used on the path."""
    fact = case.fact
    if not isinstance(fact, NotWatched) or fact.kind != "not-watched" or fact.was is not None:
        return None
    recorder = fact.question.recorder_noun
    why, label, place = _words(case, fact) if fact.watched_by is None else _another(case, fact, fact.watched_by)
    return evidence(
        case,
        fact,
        location=place,
        why=why,
        label=label,
        related=[
            *source_made(case, fact),
            *marked(fact.made.recorder, _recorders.starts(case, fact.made.recorder, recorder), "tape opened"),
            *marked(fact.watched_by.told if fact.watched_by else None, f"the other {recorder} watches it", "watched"),
            *marked(fact.watched_at, "watches the tensor that represents it while tracing", "watched"),
        ],
    )


def _another(case: Case, fact: NotWatched, other: OtherRecorder) -> tuple[str, str, Location | None]:
    """Say which of two recorders watches the source, by the names that the program gave them."""
    asked, watching = _recorders.name(case, fact.made.recorder), _recorders.name(case, other.opened)
    recorder = fact.question.recorder_noun
    own = f"`{asked}`" if asked else f"the {recorder} that is asked"
    if asked == watching:
        watching, own = "", f"the {recorder} that is asked"
    which = f"only `{watching}` watches it" if watching else f"only another {recorder} watches it"
    return f"{which}, and {own} does not", f"{own} never watches it", fact.made.recorder


def _words(case: Case, fact: NotWatched) -> tuple[str, str, Location | None]:
    """Why the recorder did not watch it, the words at the place to look at, and that place."""
    source, recorder = fact.sources[0], fact.question.recorder_noun
    own, this = (_recorders.called(case, fact.made.recorder, recorder, article) for article in ("the", "this"))
    if fact.watched == "late":
        return f"{own} started watching it after it was used", "too late: it was used before", fact.watched_at
    if source.tensor < 0:
        return (
            f"it is a `{source.dtype}`, a copy of values that no {recorder} can watch",
            f"of class `{source.dtype}`, not a tensor or variable",
            fact.made.source,
        )
    if not source.variable:
        refused = ", nor can an optimizer update it" if fact.updated else ""
        return (
            f"it is a plain tensor, and {own} does not watch it{refused}",
            "a plain tensor, not watched",
            fact.made.source,
        )
    if fact.stored is not None:
        return (
            f"only the result of an assignment to it is used, but {recorder}s watch a variable only when it is read "
            "itself",
            "what this returns is not watched",
            fact.stored,
        )
    if source.trainable is False:
        why = f"it is not trainable, and a {recorder} watches only variables that are"
        return why, "not trainable", fact.made.source
    return (
        f"{this} watches only what `watch` is called with, which does not include it",
        f"{this} watches no variable by itself",
        fact.made.recorder,
    )
