"""What was observed, in neutral words: the only thing that rules read.

A fact is a frozen value without framework types. One module per family; adapters and the lineage produce facts,
reasons turn them into evidence. A field that was not observed is None ("unknown"), never False.
"""

from __future__ import annotations

import msgspec

from tensorwhy.model.report import LineageView


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Base of all facts. `tag=True`: a saved fact names its own class, so that it can be loaded again.

    `lineage` is the picture of what was lost, of facts that are a picture of their own; those of one gradient question
    share the picture of that question.
    """

    lineage: LineageView | None = None
