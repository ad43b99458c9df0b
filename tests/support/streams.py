"""What a program with TensorFlow in it wrote, without what differs between any two runs of it."""

from __future__ import annotations

import re

CHANCE = (
    (r'^ *File "<fork server>".*\n\n?', ""),  # frames below the program, which plain python does not have
    (r"0x[0-9a-f]+|\bp?id=\d+", "ID"),
    (r"__autograph_generated_file\w+", "GENERATED"),
    (r"__(forward|inference|backward)_(\w+?)_\d+", r"__\1_\2"),
    (r"^.*([IWE]0000|\d\d:\d\d:\d\d).*\n", ""),  # TensorFlow's log has the time in it
    (r"\d+(ms|us|s)\b(/step)?", "TIME"),
)


def scrubbed(text: str) -> str:
    """The text with everything that is left to chance replaced."""
    for pattern, replacement in CHANCE:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text
