"""What the first page shows is what the tool says."""

from __future__ import annotations

import re
from pathlib import Path

from support import marks
from support.chance import steady
from support.runner import Runner
from tensorwhy import rendering

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = "examples/frozen_by_accident.py"


def test_the_picture_in_the_readme_is_the_answer_to_the_demo(runner: Runner, request) -> None:
    readme = ROOT / "README.md"
    result = runner.run(ROOT / EXAMPLE)
    assert result.exit_code == 0 and result.report is not None, result.account()
    if marks.snapshots_hold():
        shown = rendering.renderer("terminal")(result.report, rendering.Options(width=100, base=str(ROOT)))
        shown = shown.partition("\n\ntensorwhy:")[0]  # the summary counts ops, which differ with versions of Keras
        text = readme.read_text(encoding="utf-8")
        picture = re.compile(r"(```\n\$ tensorwhy run " + re.escape(EXAMPLE) + r"\n)(.*?)(```\n)", re.DOTALL)
        expected = picture.sub(lambda found: found[1] + shown.strip() + "\n" + found[3], text)
        if request.config.getoption("--update-explanations"):
            readme.write_text(expected, encoding="utf-8")
            text = expected
        assert picture.search(text) and words(text) == words(expected), "run `make explanations`"
    assert [d.code for d in result.grave()] == ["TW102"], result.account()


def words(text: str) -> list[str]:
    """The words of a text whose measured numbers are left to chance, and with them where its lines end."""
    return steady(text).split()
