"""The command that begins a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.reasons import catalogue, scaffold


def test_it_writes_a_folder_that_the_catalogue_can_load(tmp_path: Path) -> None:
    folder = scaffold.scaffold("tw199", "Some-Slug", tmp_path)
    assert folder.name == "tw199_some_slug"
    assert {path.name for path in folder.iterdir()} == {
        "__init__.py", "rule.py", "reason.md", "broken_tensorflow.py", "fixed_tensorflow.py",
    }  # fmt: skip
    scope: dict[str, object] = {"__name__": f"tensorwhy.reasons.{folder.name}.rule"}
    exec((folder / "rule.py").read_text(), scope)
    assert scope["META"].code == "TW199" and scope["META"].family == "gradient"  # type: ignore[attr-defined]


def test_a_page_begins_with_empty_headings(tmp_path: Path) -> None:
    page = (scaffold.scaffold("TW199", "some-slug", tmp_path) / "reason.md").read_text()
    assert page.count("\n## ") == 6


@pytest.mark.parametrize(
    ("code", "slug", "complaint"),
    [
        ("TW12", "some-slug", "three digits"),
        ("TW099", "some-slug", "the first one of"),
        ("XX123", "some-slug", "three digits"),
        ("TW199", "some_slug", "joined by hyphens"),
        ("TW199", "../evil", "joined by hyphens"),
    ],
)
def test_a_bad_code_or_slug_is_refused(tmp_path: Path, code: str, slug: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        scaffold.scaffold(code, slug, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_code_or_slug_is_never_given_twice(tmp_path: Path) -> None:
    taken = catalogue()[0].meta
    with pytest.raises(ValueError, match="taken"):
        scaffold.scaffold(taken.code, "some-slug", tmp_path)
    with pytest.raises(ValueError, match="taken"):
        scaffold.scaffold("TW199", taken.slug, tmp_path)
