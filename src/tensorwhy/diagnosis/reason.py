"""The protocol that every reason in the catalogue keeps."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, get_args

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.failure import Failure
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Certainty, Edit, Family, Fix, PathStep, Severity, Symptom, TensorRef
from tensorwhy.source.files import Sources

AND_MORE: Final = "{and more}"
"""Stands in a message behind its source: the engine, which joins sources, writes ` and 5 more variables` or nothing."""


class ReasonMeta(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a reason without any program: stable names and a one-sentence summary.

    `since` is the tensorwhy version that first had it. `severity` is what it has unless the evidence says otherwise.
    `keeps_value`: none of its edits changes the value of the target that the gradient is asked for.
    """

    code: str
    slug: str
    family: Family
    summary: str
    severity: Severity = "error"
    since: str = "0.1"
    keeps_value: bool = False


FAMILIES: Final[dict[str, Family]] = {str(digit): family for digit, family in enumerate(get_args(Family), 1)}
"""By the first digit of a code."""


def about(rule: str, *, summary: str, severity: Severity = "error", keeps_value: bool = False) -> ReasonMeta:
    """What is known of the reason with this rule, a module: the folder's name has its code, slug and family."""
    code, _, slug = rule.split(".")[-2].partition("_")
    return ReasonMeta(
        code=code.upper(),
        slug=slug.replace("_", "-"),
        family=FAMILIES[code[2]],
        summary=summary,
        severity=severity,
        keeps_value=keeps_value,
    )


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One observed fact, with what a rule may look at beside it.

    `others` are the further facts of the same question or failure. `sources` reads the user's source text.
    """

    fact: Fact
    symptom: Symptom
    failure: Failure | None = None
    others: tuple[Fact, ...] = ()
    sources: Sources


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Why a reason holds here: what the engine turns into a Diagnosis by adding code, slug and family.

    `doubt` names what keeps it from being proved.
    """

    message: str
    primary: Marked | None
    related: tuple[Marked, ...] = ()
    certainty: Certainty = "proved"
    doubt: str = ""
    severity: Severity | None = None
    target: TensorRef | None = None
    source: TensorRef | None = None
    also: tuple[TensorRef, ...] = ()
    path: tuple[PathStep, ...] = ()
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()


Match = Callable[[Case], Evidence | None]
Fixes = Iterable[Fix]
Propose = Callable[[Case, Evidence], Fixes]
"""All fixes, in the place of those that the rule said in words; nothing where the words are all there is."""


def worded(evidence: Evidence, *edits: tuple[Edit, ...], caveat: str = "") -> Iterator[Fix]:
    """The fixes that a rule said in words: the first of them with the first edits, and so on.

    `caveat` says when an edit is wrong, for those whose words do not.
    """
    for fix, found in itertools.zip_longest(evidence.fixes, edits[: len(evidence.fixes)], fillvalue=()):
        if isinstance(fix, Fix):
            words = fix.caveat or (caveat if found else "")
            yield msgspec.structs.replace(fix, edits=found or fix.edits, caveat=words)


class Reason(msgspec.Struct, frozen=True):
    """A reason as discovered: its metadata, its rule, its optional source edits, and the folder with its documents."""

    meta: ReasonMeta
    match: Match
    propose: Propose | None
    folder: Path

    def page(self) -> str:
        """What is written about it, in Markdown; links to the folders of others, which lead nowhere here, are words."""
        return _LINK_TO_A_FOLDER.sub(r"\1", (self.folder / "reason.md").read_text(encoding="utf-8"))


_LINK_TO_A_FOLDER = re.compile(r"\[([^\]]+)\]\(\.\./[^)]+\)")
