"""One row per trainable variable: every link from its creation to its survival in a saved file.

A gradient that flows trains nothing when a later link breaks, and a broken early link explains all later ones. So a row
keeps every link that is broken, and the diagnosis is the first of them.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.question import Variable

Link = Literal["tracked", "asked", "gradient", "handed", "update", "kept", "moved", "finite"]
"""In the order in which a training step passes them.

- `tracked`: the model lists the variable among its own;
- `asked`: the step asks for the variable's gradient;
- `gradient`: the gradient has a value other than zero;
- `handed`: an optimizer is given that gradient for that variable;
- `update`: the optimizer computes a change that the variable's dtype can hold;
- `kept`: the changed value is still there in the next step;
- `moved`: all changes together are more than a trace of its size;
- `finite`: the value is still a finite number when training is over.
"""
LINKS: tuple[Link, ...] = get_args(Link)

Cause = NotTrained | Untracked


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A link that is broken, and why. A link that holds, or that nobody looked at, has no entry."""

    link: Link
    cause: Cause


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The broken links of one variable, as they were found."""

    variable: Variable
    entries: tuple[Entry, ...] = ()
