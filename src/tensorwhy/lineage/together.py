"""The fewest breaks for all sources of one question: ways that share their breaks, where there is a choice.

The cheapest way of each source by itself can lead through another break than that of its neighbours, though one repair
would have brought them all back. So ways are chosen again, with the breaks of one way already repaired, and the break
that serves the most sources is kept (a greedy cover: the exact one is as hard as covering sets).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.intended import intended
from tensorwhy.lineage.search import repairs, search
from tensorwhy.lineage.steps import Repair, Step
from tensorwhy.model.question import GradientQuestion
from tensorwhy.recording.importing import uncollected

_CANDIDATES = 6
"""So many different sets of breaks are tried: each costs a search through the whole lineage."""


@uncollected()  # what a search keeps is no garbage, and to look through it takes a third as long again
def ways(lineage: Lineage, question: GradientQuestion, sources: Iterable[int]) -> dict[int, list[Step] | None]:
    """One way for each source, in the order of execution; None where its value never got to a target."""
    every = search(lineage, question.recorder, question.targets, question.event, stops=question.stops)
    behind = functools.cache(lambda: lineage.ancestors(question.targets, question.event))
    found = {source: every.path(source, functools.partial(_is_in, source, behind)) for source in sources}
    needed = {source: repairs(steps) for source, steps in found.items() if steps}
    open_ = {source for source, needs in needed.items() if needs}
    candidates = sorted(set(needed.values()) - {frozenset()}, key=lambda needs: (len(needs), sorted(needs)))
    while len({needed[source] for source in open_}) > 1 and len(candidates) <= _CANDIDATES:
        tried = [(needs, *_with_repaired(lineage, question, needs, open_, needed)) for needs in candidates]
        _, served, paths = max(tried, key=lambda each: len(each[1]))
        if len(served) < 2:
            break
        found.update({source: paths[source] for source in served})
        open_ -= served
        candidates = [needs for needs in candidates if any(needed[source] == needs for source in open_)]
    targets = question.targets
    return {source: steps and intended(lineage, every, targets, source, steps) for source, steps in found.items()}


def _is_in(source: int, found: Callable[[], set[int]]) -> bool:
    return source in found()


def _with_repaired(
    lineage: Lineage,
    question: GradientQuestion,
    needs: frozenset[Repair],
    sources: set[int],
    needed: dict[int, frozenset[Repair]],
) -> tuple[set[int], dict[int, list[Step]]]:
    """The sources that some of these repairs bring back, no more than each of them needs at least, and their ways."""
    mended = search(lineage, question.recorder, question.targets, question.event, needs, question.stops)
    paths = {source: steps for source in sources if (steps := mended.path(source))}
    served = {
        source
        for source, steps in paths.items()
        if repairs(steps) <= needs and len(repairs(steps)) <= len(needed[source])
    }
    return served, paths
