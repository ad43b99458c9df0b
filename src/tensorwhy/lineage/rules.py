"""What the lineage must know of the framework, handed in by the adapter as plain values and one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tensorwhy.model.location import Location
from tensorwhy.model.optable import OpFacts, Vocabulary
from tensorwhy.model.question import Function, Variable


class Rules(Vocabulary, frozen=True, kw_only=True):
    """The framework's rules for one recording.

    - `op(name, inputs, outputs)`: the facts of an operation called with flat inputs of these dtypes (None: unknown)
      that gave outputs of these. The name is that of the journal, with all that follows a bar.
    - `functions`, `variables`: what was registered while recording, by name and by handle;
    - `assembled`: for a tensor that a part of a model gave out, the user's line that put this part into the model;
      `part`: where the part is ready-made, its name and the user's line that made it.
    - `collected`: for a tensor that a library was handed to be added to the loss, the user's line that did so.
    """

    op: Callable[[str, tuple[str | None, ...], tuple[str | None, ...]], OpFacts]
    functions: Mapping[str, Function]
    variables: Mapping[int, Variable]
    assembled: Callable[[int], Location | None] = lambda tensor: None
    part: Callable[[int], tuple[str, Location] | None] = lambda tensor: None
    collected: Callable[[int], Location | None] = lambda tensor: None
