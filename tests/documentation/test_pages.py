"""What the documentation shows is what happens: its programs, commands and recipes are run."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest

from documentation.blocks import Block, Command, blocks, commands, matches
from support import marks
from support.chance import steady
from support.runner import Runner
from tensorwhy import rendering
from tensorwhy.integrations.cli.main import group

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUNNABLE = {"python", "console", "yaml", "sql"}  # SQL: tests/traces/test_documented.py
SHOWN = {"html", "json", "toml"}  # to copy into other files, with nothing in it that could be run
NOTEBOOK = DOCS / "howto" / "notebook.md"


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


HERE = [page for page in PAGES if "import torch" not in page.read_text(encoding="utf-8")]
"""The pages whose programs run here; tests/pytorch has the others."""


def having(*languages: str) -> list[Path]:
    return [page for page in HERE if any(block.language in languages for block in blocks(page))]


def test_every_block_is_of_a_kind_that_is_run() -> None:
    others = {(name(page), block.language) for page in PAGES for block in blocks(page)}
    assert {each for each in others if each[1] not in RUNNABLE | SHOWN} == set()


@pytest.mark.parametrize("page", [page for page in having("python") if page != NOTEBOOK], ids=name)
def test_the_programs_of_a_page_run(page: Path, runner: Runner, tmp_path: Path) -> None:
    parts = [block.text for block in blocks(page) if block.language == "python" and not block.file]
    if not parts:
        pytest.skip("this page has files only")
    program = tmp_path / "page.py"
    program.write_text("\n".join(parts), encoding="utf-8")
    result = runner.run(program, plain=True)
    assert result.exit_code == 0, result.account()


@pytest.mark.parametrize("page", having("console"), ids=name)
def test_the_commands_of_a_page_show_what_it_says(
    page: Path, runner: Runner, python: str, tmp_path: Path, request
) -> None:
    if not marks.snapshots_hold():
        pytest.skip("what it says is of another version")
    update = request.config.getoption("--update-explanations")
    found: list[tuple[Command, str]] = []
    for block in blocks(page):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        for command in commands(block) if block.language == "console" else ():
            real = shown_by(command, tmp_path, runner, python)
            if command.words[:2] == ("tensorwhy", "run"):
                if "--output" in command.words:
                    assert (tmp_path / command.words[command.words.index("--output") + 1]).stat().st_size
                else:
                    found.append((command, real))
                    same = matches(steady(command.shown), steady(real))
                    assert update or same, f"run `make explanations`; it shows\n{real}"
            else:
                assert matches(command.shown, real), f"{' '.join(command.words)} shows\n{real}"
    if update:
        rewrite(page, found)


def shown_by(command: Command, folder: Path, runner: Runner, python: str) -> str:
    """What a command writes; of `tensorwhy run`, the explanation."""
    first, *rest = command.words
    if [first, *rest[:1]] == ["tensorwhy", "run"]:
        if "--output" in rest:
            return plain([python, "-m", "tensorwhy", *rest], folder)
        result = runner.run(folder / rest[-1], options=tuple(rest[1:-1]), cwd=folder)
        assert result.report is not None, result.account()
        options = rendering.Options(width=100, base=str(folder))
        text = rendering.renderer("terminal")(result.report, options)
        return text.partition("\n\ntensorwhy:")[0]  # the summary counts ops, which differ with versions of Keras
    program = {"tensorwhy": ["-m", "tensorwhy"], "python": [], "pytest": ["-m", "pytest", *plugin()]}[first]
    return plain([python, *program, *rest], folder)


def plugin() -> list[str]:
    """The plugin is registered by the installation; a checkout that is only on the path has to name it."""
    points = importlib.metadata.entry_points(group="pytest11")
    return [] if any(point.name == "tensorwhy" for point in points) else ["-p", "tensorwhy.integrations.pytest_plugin"]


def plain(argv: list[str], folder: Path) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "COLUMNS": "100",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout if done.stdout.strip() else done.stderr


def rewrite(page: Path, found: list[tuple[Command, str]]) -> None:
    text = page.read_text(encoding="utf-8")
    for command, real in reversed(found):
        if not matches(steady(command.shown), steady(real)):
            text = text[: command.start] + real.strip("\n") + "\n" + text[command.start + len(command.shown) :]
    page.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", having("yaml"), ids=name)
def test_the_recipes_of_a_page_are_valid(page: Path) -> None:
    yaml = pytest.importorskip("yaml")
    for block in blocks(page):
        if block.language == "yaml":
            recipe = yaml.safe_load(block.text)
            assert isinstance(recipe, dict), block.text
            lines = list(spoken(recipe))
            assert any("tensorwhy" in line for line in lines), block.text
            for step in mappings(recipe):
                if "/tensorwhy@" in str(step.get("uses")):
                    assert set(step["with"]) <= set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
                if "/tensorwhy" in str(step.get("repo")):
                    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
                    assert {hook["id"] for hook in step["hooks"]} <= {hook["id"] for hook in hooks}
            for line in lines:
                if line.startswith("tensorwhy "):
                    understood(line.split()[1:])


def mappings(value: object) -> list[dict[str, Any]]:
    """All mappings in a recipe."""
    if isinstance(value, list):
        return [each for item in value for each in mappings(item)]
    return [value, *(each for item in value.values() for each in mappings(item))] if isinstance(value, dict) else []


def spoken(value: object) -> list[str]:
    """All texts in a recipe."""
    if isinstance(value, dict):
        return [line for each in value.values() for line in spoken(each)]
    if isinstance(value, list):
        return [line for each in value for line in spoken(each)]
    return [value] if isinstance(value, str) else []


def understood(arguments: list[str]) -> None:
    """The command line takes these arguments."""
    command = group.get_command(click.Context(group), arguments[0])
    assert command is not None, arguments
    command.make_context(arguments[0], arguments[1:])


def test_every_command_in_the_text_exists() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"`(?:python -m )?tensorwhy ([a-z]+)\b", text):
            assert found[1] in group.list_commands(click.Context(group)), (name(page), found[0])
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        for found in re.finditer(r"`make ([a-z-]+)|^    make ([a-z-]+)", text, re.MULTILINE):
            assert (found[1] or found[2]) in targets, (name(page), found[0])


def test_the_cells_of_the_notebook_page_are_explained() -> None:
    nbclient = pytest.importorskip("nbclient", reason="executing notebooks needs nbclient")
    pytest.importorskip("ipykernel", reason="executing notebooks needs ipykernel")
    nbformat = pytest.importorskip("nbformat")
    cells = [nbformat.v4.new_code_cell(block.text) for block in blocks(NOTEBOOK) if block.language == "python"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TF_CPP_MIN_LOG_LEVEL": "3"}
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute(env=environment)
    shown = [str([each for each in cell.outputs if "text/html" in each.get("data", {})]) for cell in notebook.cells]
    assert ["TW102" in each for each in shown] == [False, False, True, False]
    assert "In[2]:4" in shown[2]
    assert "No problems found" in shown[3]


def test_every_fixed_file_of_a_page_is_named_once() -> None:
    for page in PAGES:
        files = [block.file for block in blocks(page) if block.file]
        assert len(files) == len(set(files)), name(page)


def test_a_block_knows_its_file() -> None:
    assert Block("python", "# train.py\nx = 1\n", 0).file == "train.py"
    assert Block("python", "x = 1\n", 0).file == ""


def test_dots_stand_for_what_is_left_out() -> None:
    assert matches("one\n...\nlast ...\n", "one\ntwo\nthree\nlast of all\n")
    assert not matches("one\n", "one\ntwo\n")
