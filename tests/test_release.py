"""What a release rests on: one version, addresses that are real, a recipe that asks for what the package asks for."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import tensorwhy

ROOT = Path(__file__).parents[1]


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/release.py."""
    spec = importlib.util.spec_from_file_location("release_script", ROOT / "scripts" / "release.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "release_script", script)
    spec.loader.exec_module(script)
    return script


@pytest.fixture
def ready(release: ModuleType, tmp_path: Path) -> Path:
    """A repository from which the version of this package can be released."""
    for name in release.ADDRESSED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace("OWNER", "someone"), encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changes\n\n## {tensorwhy.__version__} (2026-01-02)\n\n### Added\n\n- One thing.\n\n"
        "## 0.0.1 (2026-01-01)\n\n- Another thing.\n",
        encoding="utf-8",
    )
    return tmp_path


def test_a_prepared_version_can_be_released(release, ready) -> None:
    assert release.problems(f"v{tensorwhy.__version__}", ready) == []


def test_a_tag_of_another_version_is_refused(release, ready) -> None:
    assert any("the tag is v9.9.9" in each for each in release.problems("v9.9.9", ready))


def test_a_version_without_a_section_in_the_changelog_is_refused(release, ready) -> None:
    (ready / "CHANGELOG.md").unlink()
    assert ["towncrier" in each for each in release.problems(f"v{tensorwhy.__version__}", ready)] == [True]


def test_changes_that_are_not_in_the_changelog_yet_are_refused(release, ready) -> None:
    (ready / "changelog.d").mkdir()
    (ready / "changelog.d" / "+words.added.md").touch()
    assert ["+words.added.md" in each for each in release.problems(f"v{tensorwhy.__version__}", ready)] == [True]


def test_a_placeholder_in_an_address_is_refused(release, ready) -> None:
    (ready / "pyproject.toml").write_text('Homepage = "https://github.com/OWNER/tensorwhy"', encoding="utf-8")
    found = release.problems(f"v{tensorwhy.__version__}", ready)
    assert len(found) == 1 and found[0].startswith("pyproject.toml ")


def test_the_placeholder_is_only_in_files_that_are_looked_at(release) -> None:
    files = [*ROOT.glob("*.*"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "packaging").rglob("*.yaml")]
    holding = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.is_file() and release.PLACEHOLDER in path.read_text(encoding="utf-8", errors="replace")
    }
    assert holding <= set(release.ADDRESSED)


def test_the_notes_of_a_release_are_its_own_section(release, ready) -> None:
    assert release.notes(f"v{tensorwhy.__version__}", ready) == "### Added\n\n- One thing."
    assert release.notes("v0.0.1", ready) == "- Another thing."


def test_the_conda_recipe_agrees_with_the_package() -> None:
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text(encoding="utf-8"))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = re.search(r"^dependencies = \[(.*?)\]", project, re.MULTILINE | re.DOTALL)
    assert dependencies is not None
    wanted = {line.partition(";")[0].strip(' ",') for line in dependencies[1].splitlines() if line.strip()}
    assert {each.replace(" ", "") for each in recipe["requirements"]["run"]} - {"python"} == wanted
    assert recipe["context"]["version"] == tensorwhy.__version__
