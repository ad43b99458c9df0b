"""Print what the project and some of its extras require, one requirement a line: `requirements.py test,tf28`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

try:
    import tomllib
except ImportError:  # before Python 3.11
    from pip._vendor import tomli as tomllib

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def required(extras: str) -> Iterator[str]:
    """What these extras require, and those that they name."""
    for extra in extras.split(","):
        for each in PROJECT["optional-dependencies"][extra]:
            own = re.fullmatch(rf"{PROJECT['name']}\[([\w,]+)\]", each)
            yield from required(own[1]) if own else [each]


if __name__ == "__main__":
    print(*dict.fromkeys([*PROJECT["dependencies"], *required(sys.argv[1])]), sep="\n")
