"""Makes a fact of a row of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensorwhy.adapters.torch.words.found_words import WORDS
from tensorwhy.adapters.torch.words.refused_words import REFUSED
from tensorwhy.adapters.torch.words.value_words import VALUES
from tensorwhy.adapters.torch.words.words import marked
from tensorwhy.diagnosis.reason import AND_MORE
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Fix, TensorRef

_ROWS = WORDS | VALUES | REFUSED


def say(
    key: str,
    location: Location | None,
    lines: Mapping[str, Location | None] = {},
    about: Sequence[TensorRef] = (),
    edits: tuple[Edit, ...] = (),
    fixes: tuple[Fix, ...] = (),
    **seen: object,
) -> Observed:
    """The fact for a row, at a line, with those of its further lines that are known, about some tensors.

    `fixes` come before what the row advises, which may be nothing else.
    """
    words = _ROWS[key]
    one = len(about) == 1
    seen |= {
        "more": AND_MORE,
        "get": "gets" if one else "get",
        "are": "is" if one else "are",
        "them": "it" if one else "them",
    }
    if words.fix:
        fixes += (Fix(summary=words.fix.format(**seen), edits=edits, caveat=words.caveat.format(**seen)),)
    if words.other:
        fixes += (Fix(summary=words.other.format(**seen)),)
    return Observed(
        slug=words.slug,
        message=words.message.format(**seen),
        label=words.label.format(**seen),
        location=location,
        related=tuple(
            mark for role, label in words.marks.items() for mark in marked(lines.get(role), label.format(**seen), role)
        ),
        severity=words.severity,
        certainty=words.certainty,
        source=about[0] if about else None,
        also=tuple(about[1:]),
        noun=words.noun,
        notes=(words.note.format(**seen),) if words.note else (),
        fixes=fixes,
    )
