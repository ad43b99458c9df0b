"""The lines of a program while it is written, and the names that may be used in them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from fuzz.templates import READS


@dataclass
class Scope:
    """The names that may be used at one place, and whether the place is inside a traced function."""

    tensors: list[str]
    variables: list[str] = field(default_factory=list)
    integers: list[str] = field(default_factory=list)
    tapes: list[str] = field(default_factory=list)
    watched: list[str] = field(default_factory=list)
    matrices: list[tuple[str, str]] = field(default_factory=list)
    traced: bool = False

    def inner(self, **changes: object) -> Scope:
        """A scope inside this one: what is made there stays there."""
        copies = {name: list(value) if isinstance(value, list) else value for name, value in vars(self).items()}
        return Scope(**{**copies, **changes})  # type: ignore[arg-type]


class Lines:
    """Collects lines, and picks names and operands."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.functions: list[tuple[str, int]] = []
        self.layers: list[str] = []
        self.count = 0
        self.questions = 0

    def name(self, prefix: str) -> str:
        """A new name."""
        self.count += 1
        return f"{prefix}{self.count}"

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def pick(self, names: list[str]) -> str:
        """A name: the newest more often, so that programs get deep, and the oldest, which are watched more often."""
        kind = self.random.random()
        if kind < 0.5:
            return names[-1]
        return self.random.choice(names[:2] if kind < 0.7 else names[-4:] if kind < 0.9 else names)

    def operand(self, scope: Scope) -> str:
        if scope.variables and self.random.random() < 0.25:
            return self.random.choice(READS).format(self.random.choice(scope.variables))
        return self.pick(scope.tensors)

    def keep(self, scope: Scope, inner: Scope) -> None:
        """What was made in a block of Python stays visible after it."""
        scope.tensors, scope.variables, scope.integers = inner.tensors, inner.variables, inner.integers
