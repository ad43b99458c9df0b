"""The table `[tool.tensorwhy]` of a project: defaults for the options of all commands.

The file belongs to whatever project the command is called in, so it is read as anybody's input: only options that
choose what is looked at and what is told can be set there, none that writes a file or runs anything.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import click
import msgspec

from tensorwhy.integrations.cli.errors import BadInput

_NAME = "pyproject.toml"
_LARGEST = 1 << 20
_LONG = 1 << 13
"""Characters from which on time is watched: a name of so many parts takes Python's reader a tenth of a second."""
_SECONDS = 1.0
_Positive = Annotated[int, msgspec.Meta(ge=1)]
_Pattern = Annotated[str, msgspec.Meta(max_length=500)]
_Patterns = Annotated[list[_Pattern], msgspec.Meta(max_length=500)]
"""Each file is compared with all of them."""


class Config(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True, omit_defaults=True):
    """What a project can set. The names are those of the options."""

    select: _Patterns | None = None
    ignore: _Patterns | None = None
    exclude: _Patterns | None = None
    fail_on: Literal["error", "warning"] | None = None
    record: Literal["auto", "full", "off"] | None = None
    keep_steps: _Positive | None = None
    time_limit: Annotated[float, msgspec.Meta(ge=1)] | None = None
    verbose: bool | None = None


def defaults(command: click.Command) -> dict[str, Any]:
    """Return what the nearest project sets for the options of a command. Raise BadInput."""
    names = {parameter.name for parameter in command.params} & set(Config.__struct_fields__)
    file = _nearest() if names else None
    if file is None:
        return {}
    config = _read(file)
    if config.exclude is not None:  # patterns are relative to the file that they stand in
        here = [os.path.relpath(os.path.join(os.path.dirname(file), each)) for each in config.exclude]
        config = msgspec.structs.replace(config, exclude=here)
    return {name: value for name in sorted(names, key=str) if (value := getattr(config, str(name))) is not None}


def _nearest() -> str | None:
    """The file of this folder, or of the nearest one above it that has one; a repository ends the search."""
    for folder in _above(os.getcwd()):
        path = os.path.join(folder, _NAME)
        if os.path.isfile(path):
            return path
        if os.path.exists(os.path.join(folder, ".git")):
            break
    return None


def _above(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _read(file: str) -> Config:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    from tensorwhy.pipeline.budget import Spent, limited
    from tensorwhy.recording import regular_files

    try:
        text = regular_files.read(file, _LARGEST).decode()
        if "tensorwhy" not in text:
            return Config()
        with limited(_SECONDS) if len(text) > _LONG else contextlib.nullcontext():
            table = tomllib.loads(text).get("tool", {})
    except Spent:
        raise BadInput(
            f"{file}: reading it takes more than {_SECONDS:g} s; shorten it, or run the command in another folder"
        ) from None
    except OSError as error:
        raise BadInput(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: is not TOML ({error}); correct it, or run the command in another folder") from None
    try:
        return msgspec.convert(table.get("tensorwhy", {}) if isinstance(table, dict) else table, Config)
    except msgspec.ValidationError as error:
        known = ", ".join(field.encode_name for field in msgspec.structs.fields(Config))
        raise BadInput(f"{file}: [tool.tensorwhy]: {error}; known settings: {known}") from None
