"""Targets that are NaN or infinite although no gradient is: a limit, a mask or an operation's own rule hides it."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import target_words
from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.signal import Break, Walk
from tensorwhy.lineage.signal_facts import Surroundings
from tensorwhy.model.facts.signal import Numbers
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import Fix
from tensorwhy.source.files import Sources

_FIX = Fix(
    summary="check what goes in there: a row that is masked everywhere, 0/0, a mean of nothing",
    caveat="what is not finite is left out of the gradients, so that a part of the data has no effect",
)
_ALIGNED = Fix(
    summary="give the samples with an infinite loss more frames, or drop them: a label of n symbols needs n frames, "
    "and one more for each two equal neighbors",
    caveat="such samples have no gradient now",
)
"""For a loss that aligns labels with frames, and for which there may be no way to do so."""


def origins(step: Executed | None) -> list[Break]:
    """Return the operations at which what is not finite begins, on the way to the targets."""
    return Walk(step, step.sources).origins(step.targets, frozenset(step.sources)) if step is not None else []


def told(
    around: Surroundings,
    question: GradientQuestion,
    step: Executed | None,
    seen: tuple[int, int],
    sources: Sources,
    label: str = "",
) -> Observed:
    """Say where it begins. `seen`: in how many looks the target was not finite, and how many there were."""
    found, asked, (lost, looks) = origins(step), question.location, seen
    node = step.nodes[found[0].node] if step is not None and found else None
    made, layer = around.place(node) if node is not None else (None, "")
    if not label and made is not None:
        held = step.value(node.outputs[0]) if step is not None and node is not None and node.outputs else None
        whose = f"the result of layer `{layer}` is the first" if layer else "the first result"
        label = f"{whose} that is not finite{_counted(held)}"
    in_all = f"in all {looks} recorded steps" if looks > 1 else "here"
    return Observed(
        slug="not-finite",
        message=f"{target_words(sources, question)} is NaN or infinite "
        f"{in_all if lost == looks else f'in {lost} of {looks} recorded steps'}, although no gradient is",
        label=label or "this is not finite",
        location=made or asked,
        related=_asked(asked) if made is not None else (),
        severity="warning",
        fixes=(_ALIGNED if node is not None and node.trait == "align" else _FIX,),
    )


def _counted(numbers: Numbers | None) -> str:
    if numbers is None or numbers.size < 2:
        return ""
    kinds = [f"{count} {kind}" for count, kind in ((numbers.nans, "NaN"), (numbers.infinite, "infinite")) if count]
    return f": of {numbers.size} numbers, {' and '.join(kinds)}" if kinds else ""


def _asked(at: Location | None) -> tuple[Marked, ...]:
    return (Marked.at(at, "the gradient is computed here", "asked"),) if at is not None else ()
