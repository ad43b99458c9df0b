"""Builds the documentation: `python scripts/docs.py` writes build/docs/html, and fails on any warning.

The pages under docs/ are copied to build/docs/source, beside pages that are made here: one for each reason of the
catalogue, from its folder, and the page of folklore, from its experiments and their verdicts. Nothing is fetched.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from collections import defaultdict
from pathlib import Path

from sphinx.cmd.build import main as sphinx

from tensorwhy.diagnosis.reason import Reason
from tensorwhy.reasons import catalogue
from tensorwhy.rendering import links

ROOT = Path(__file__).resolve().parents[1]
DOCS, BUILD = ROOT / "docs", ROOT / "build" / "docs"
SOURCE = BUILD / "source"
FAMILIES = {
    "gradient": "The gradient is None",
    "zero-gradient": "The gradient is exactly zero",
    "keras-history": "Keras histories",
    "graph": "Graphs",
    "loop": "Loops and shapes",
    "variable": "Variables and training",
    "refusal": "What a library refused",
    "data": "Data and shapes",
    "unexplained": "Unexplained",
}
_FOLDER_LINK = re.compile(r"\]\(\.\./(tw\d+)_([a-z0-9_]+)/reason\.md\)")


def stage() -> None:
    """Copy what is written by hand, and make the rest."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(DOCS, SOURCE, ignore=shutil.ignore_patterns("__pycache__", "folklore"))
    _write("architecture.md", _beside_docs((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    _write("benchmarks.md", _benchmarks())
    reasons = catalogue()
    for reason in reasons:
        _write(f"catalogue/{page_of(reason)}.md", reason_page(reason))
    _write("catalogue/index.md", catalogue_page(reasons))
    _write("folklore.md", folklore_page({reason.meta.code: reason for reason in reasons}))


def page_of(reason: Reason) -> str:
    """The name of a reason's page."""
    return links.page(reason.meta.code, reason.meta.slug)


def reason_page(reason: Reason) -> str:
    """What is written about a reason, then its two programs, and what the tool says of the first."""
    text = (reason.folder / "reason.md").read_text(encoding="utf-8").rstrip()
    text = _FOLDER_LINK.sub(lambda found: f"]({found[1]}-{found[2].replace('_', '-')}.md)", text)
    meta = reason.meta
    parts = [text, "", f"Family: {FAMILIES[meta.family]}. Severity: {meta.severity} at most.", ""]
    for name, title in (
        ("broken_tensorflow.py", "A program that has it"),
        ("explanation.txt", "What tensorwhy says of it"),
        ("fixed_tensorflow.py", "The same program, repaired"),
    ):
        file = reason.folder / name
        if file.exists():
            language = "python" if file.suffix == ".py" else "text"
            parts += [f"## {title}", "", _code(language, file.read_text(encoding="utf-8"))]
    return "\n".join(parts)


def catalogue_page(reasons: tuple[Reason, ...]) -> str:
    """All reasons, by family."""
    families: dict[str, list[Reason]] = defaultdict(list)
    for reason in reasons:
        families[reason.meta.family].append(reason)
    parts = [
        "# The catalogue",
        "",
        "Each reason has a code that never changes. `tensorwhy explain CODE` prints the same page in a terminal.",
        "",
    ]
    for family, title in FAMILIES.items():
        if family in families:
            parts += [f"## {title}", "", "| code | reason | in one sentence |", "| --- | --- | --- |"]
            parts += [
                f"| [{r.meta.code}]({page_of(r)}.md) | [{r.meta.slug}]({page_of(r)}.md) | {_cell(r.meta.summary)} |"
                for r in families[family]
            ]
            parts.append("")
    entries = "\n".join(page_of(reason) for reason in reasons)
    return "\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{entries}\n```", ""])


def folklore_page(reasons: dict[str, Reason]) -> str:
    """Every claim with its experiment, and the verdict of each TensorFlow that it was tried on."""
    script = DOCS / "folklore" / "claims.py"
    verdicts = {
        path.stem.partition("-")[2]: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((DOCS / "folklore" / "verdicts").glob("*.json"), key=lambda path: _number(path.stem))
    }
    claims = list(_claims(script.read_text(encoding="utf-8")))
    head = (DOCS / "folklore" / "head.md").read_text(encoding="utf-8").rstrip()
    versions = list(verdicts)
    rows = [f"| claim | {' | '.join(versions)} |", "| --- " * (len(versions) + 1) + "|"]
    sections = []
    for name, said, instead, see, source in claims:
        found = [verdicts[version][name] for version in versions]
        marks = " | ".join("holds" if each["holds"] else "**false**" for each in found)
        rows.append(f"| [{_cell(said)}](#{name}) | {marks} |")
        link = f" See [{see} {reasons[see].meta.slug}](catalogue/{page_of(reasons[see])}.md)." if see else ""
        seen = defaultdict(list)
        for version, each in zip(versions, found, strict=True):
            seen[each["seen"]].append(version)
        words = [f"On TensorFlow {', '.join(where)}: {what}." for what, where in seen.items()]
        sections += [f"({name})=", f"## {said}", "", f"{instead}{link}", "", *words, "", _code("python", source)]
    return "\n".join([head, "", *rows, "", *sections])


def _claims(script: str) -> list[tuple[str, str, str, str, str]]:
    """Name, claim, what is so instead, code of the catalogue, and the text of the experiment, from the source."""
    lines = script.splitlines()
    found = []
    for node in ast.parse(script).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list and isinstance(node.decorator_list[0], ast.Call):
            said, instead, *see = (ast.literal_eval(value) for value in node.decorator_list[0].args)
            source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found.append((node.name.replace("_", "-"), said, instead, see[0] if see else "", source))
    return found


def _benchmarks() -> str:
    """What was measured, from the folder of the benchmarks."""
    folder = ROOT / "benchmarks"
    text = (folder / "README.md").read_text(encoding="utf-8")
    results = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("results/*.md"))]
    return _beside_docs("\n\n".join([text, *(re.sub(r"^# ", "## ", each, flags=re.MULTILINE) for each in results)]))


def _beside_docs(text: str) -> str:
    """Links to files of the repository that are no page here become plain names."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]*\)", r"\1", text)


def _code(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _number(stem: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", stem)]


def _write(name: str, text: str) -> None:
    path = SOURCE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    stage()
    sys.exit(sphinx(["-W", "--keep-going", "-q", "-j", "auto", str(SOURCE), str(BUILD / "html")]))
