"""Leaves a layer trainable, asks for what was left out, or only for what can be trained."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import training
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.facts.training import NotAsked, StaleTrainable
from tensorwhy.model.report import Edit
from tensorwhy.source.answers.lists import sources_made

_WRONG = "unless the variables that were left out should also be trained by these gradients"
_ANEW = "the optimizer state is reset, and fine-tuning often needs a smaller learning rate"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """Where `trainable` freezes all there is, what was meant is not told by the program."""
    fact = case.fact
    edits: tuple[Edit, ...] = ()
    if isinstance(fact, GradientBreak):
        edits = training.only_trainable(sources_made(case.sources, fact.question.location), case.sources)
    elif isinstance(fact, NotAsked) and fact.problem == "nothing-asked":
        edits = training.unfrozen(fact.frozen, case.sources)
    elif isinstance(fact, NotAsked) and (fact.freed is not None or fact.again):
        return
    elif isinstance(fact, NotAsked) and fact.problem == "left-out":
        edits = training.asked_too(fact.asked, [each.created for each in fact.variables], case.sources)
    elif isinstance(fact, StaleTrainable) and fact.traced:
        return
    elif isinstance(fact, StaleTrainable) and not fact.running:
        yield from worded(evidence, training.compiled_again(fact.trained_at, case.sources), caveat=_ANEW)
        return
    yield from worded(evidence, edits, caveat=_WRONG)
