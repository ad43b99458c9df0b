"""Answers the questions of a release: `python scripts/release.py check|notes TAG`. See docs/releasing.md.

check TAG   fail unless the tag is the package's version, the changelog has its section, and no address is a placeholder
notes TAG   print that section of the changelog
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACEHOLDER = "OWNER/tensorwhy"
ADDRESSED = ("pyproject.toml", "packaging/conda/recipe.yaml", "docs/howto/ci.md", "docs/howto/check.md")


def version() -> str:
    """The version, from the one place where it is written."""
    module = ast.parse((ROOT / "src/tensorwhy/__init__.py").read_text(encoding="utf-8"))
    for node in module.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(n, ast.Name) and n.id == "__version__" for n in node.targets
        ):
            return str(ast.literal_eval(node.value))
    raise SystemExit("src/tensorwhy/__init__.py has no __version__")


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """What keeps this tag from being released."""
    found = []
    if tag != f"v{version()}":
        found.append(f"the tag is {tag}, and src/tensorwhy/__init__.py says {version()}: the tag must be v{version()}")
    if not notes(tag, root):
        found.append(f"CHANGELOG.md has no section for {tag[1:]}: run `towncrier build`, and commit it before tagging")
    waiting = [path.name for path in root.glob("changelog.d/*.md")]
    if waiting:
        found.append(f"{len(waiting)} changes wait in changelog.d, such as {min(waiting)}: run `towncrier build`")
    for name in ADDRESSED:
        if PLACEHOLDER in (root / name).read_text(encoding="utf-8"):
            found.append(f"{name} still has the placeholder {PLACEHOLDER}: put in the account that hosts the project")
    return found


def notes(tag: str, root: Path = ROOT) -> str:
    """The changelog's section of this tag; empty when there is none."""
    file = root / "CHANGELOG.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    section = re.search(rf"^## {re.escape(tag[1:])}(?: \(.*?\))?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""


def main(arguments: list[str]) -> int:
    """Run one of the commands; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("check", "notes"))
    parser.add_argument("tag")
    given = parser.parse_args(arguments)
    if given.command == "notes":
        text = notes(given.tag)
        print(text)
        return int(not text)
    found = problems(given.tag)
    for each in found:
        print(f"error: {each}", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
