"""What a program with TensorFlow in it wrote, without what differs between any two runs of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from support.runner import Result, Runner

CHANCE = (
    (r'^ *File "<fork server>".*\n\n?', ""),  # frames below the program, which plain python does not have
    (r"0x[0-9a-f]+|\bp?id=\d+", "ID"),
    (r"__autograph_generated_file\w+", "GENERATED"),
    (r"__(forward|inference|backward)_(\w+?)_\d+", r"__\1_\2"),
    (r"^.*([IWE]0000|\d\d:\d\d:\d\d).*\n", ""),  # TensorFlow's log has the time in it
    (r"\d+(ms|us|s)\b(/step)?", "TIME"),
)


NUMBERS = r"[\s\[]*(-?(\d+\.\d*|\.\d+)(e[-+]?\d+)?[\s\[\],]*)+"
"""Decimal numbers with the brackets and the white space around them: how wide they are changes where lines end."""


def scrubbed(text: str, numbers: bool = False) -> str:
    """The text with everything that is left to chance replaced; with `numbers`, decimal numbers too."""
    for pattern, replacement in CHANCE:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return re.sub(NUMBERS, " NUMBERS ", text) if numbers else text


def left_to_chance(program: Path, runner: Runner, written: Callable[[Result], str], once: str) -> bool:
    """Whether plain Python alone writes something else the next time: a program without a seed has other weights."""
    return any(written(runner.run(program, plain=True)) != once for _ in range(5))
