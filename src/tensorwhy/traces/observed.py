"""What an explanation needs beside the tables: written while the program runs, and read where it did not end.

A program that ends explains itself, and knows more than its trace. One that was killed could not: whoever reads its
trace explains it, from what is written here, without the framework and without the program's files.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import thread_time  # the program may replace it in its module
from typing import Any

import msgspec

from tensorwhy.model import source_text
from tensorwhy.model.optable import OpFacts, Vocabulary
from tensorwhy.model.question import Function, GradientQuestion, Variable
from tensorwhy.recording.stepped import Recorded

PREFIX = "observed-"
Form = tuple[str, int]
"""The name of an operation, and how many inputs it has."""
_WAIT = 0.01
"""Seconds that reading the tables of a framework may hold up a step."""
_LONGEST = 1 << 20
"""Characters of a source file that is kept."""


class Observed(msgspec.Struct, kw_only=True):
    """What one flush adds. `sources` are the texts of the program's files, by name; the rest is as in `Recorded`."""

    questions: list[GradientQuestion] = []
    variables: list[Variable] = []
    functions: list[Function] = []
    operations: list[tuple[str, int, OpFacts]] = []
    vocabulary: Vocabulary | None = None
    custom_none: dict[int, tuple[int, ...]] = {}
    call_none: dict[int, tuple[int, ...]] = {}
    padded: dict[int, int] = {}
    warned: list[int] = []
    refused: list[int] = []
    gap: int | None = None
    left_out: list[tuple[int, int]] = []
    sources: dict[str, str] = {}

    def add(self, later: Observed) -> None:
        """Take in what a later flush adds."""
        self.questions += later.questions
        self.variables += later.variables
        self.functions += later.functions
        self.operations += later.operations
        self.vocabulary = self.vocabulary or later.vocabulary
        self.custom_none |= later.custom_none
        self.call_none |= later.call_none
        self.padded |= later.padded
        self.warned, self.refused, self.gap, self.left_out = later.warned, later.refused, later.gap, later.left_out
        self.sources |= later.sources


class Observing:
    """Tells what is new since the last flush."""

    def __init__(self) -> None:
        self._vocabulary = False
        self._questions = 0
        self._variables: dict[int, Variable] = {}
        self._functions: set[str] = set()
        self._forms: dict[Form, bool] = {}
        self._files: set[str] = set()

    def new(
        self, known: Recorded, start: int, files: Iterable[str], forms: Iterable[Form], whole: bool
    ) -> Observed | None:
        """What was not told yet, `whole` or as much as a step can wait for.

        `start` is the first new row, `files` are those that new places name, `forms` the operations of new rows.
        """
        if known.vocabulary is None or known.facts is None:
            return None
        for form in forms:
            self._forms.setdefault(form, False)
        found = list(self._facts(known.facts, sys.float_info.max if whole else _WAIT))
        told = Observed(
            questions=list(known.questions[self._questions :]),
            variables=[each for handle, each in list(known.variables.items()) if self._variables.get(handle) != each],
            functions=[each for name, each in list(known.functions.items()) if name not in self._functions],
            operations=found,
            vocabulary=None if self._vocabulary else _plain(known.vocabulary),
            custom_none=_since(known.by_row.get("custom_none", {}), start),
            call_none=_since(known.by_row.get("call_none", {}), start),
            padded=_since(known.by_row.get("padded", {}), start),
            warned=sorted(known.warned),
            refused=sorted(known.refused),
            gap=known.gap,
            left_out=list(known.left_out),
            sources={file: text for file in files if file not in self._files and (text := _text(file))},
        )
        self._vocabulary = True
        self._questions += len(told.questions)
        self._variables.update((each.tensor, each) for each in told.variables)
        self._functions.update(each.name for each in told.functions)
        self._files.update(told.sources)
        return told

    @property
    def is_behind(self) -> bool:
        """Whether there are operations of which nothing was told yet: no step could wait for that."""
        return not all(self._forms.values())

    def _facts(self, facts: Callable[[str, int], OpFacts], wait: float) -> Iterator[tuple[str, int, OpFacts]]:
        began = thread_time()
        for form in [each for each, is_told in self._forms.items() if not is_told]:
            if thread_time() - began > wait:
                return
            yield (*form, facts(*form))
            self._forms[form] = True


def _plain(known: Vocabulary) -> Vocabulary:
    return Vocabulary(**{name: getattr(known, name) for name in Vocabulary.__struct_fields__})


def _since(rows: Mapping[int, Any], start: int) -> dict[int, Any]:
    return {row: rows[row] for row in itertools.takewhile(lambda row: row >= start, _latest(rows))}


def _latest(rows: Mapping[int, object]) -> Iterator[int]:
    return reversed(list(rows))


def _text(file: str) -> str:
    text = "".join(source_text.lines(file))
    return text if len(text) <= _LONGEST else ""
