"""`tensorwhy explain` prints the catalogue."""

from __future__ import annotations

import os
import shutil
import sys

import pytest
from click.testing import CliRunner

from tensorwhy.integrations.cli.explain import command
from tensorwhy.reasons import catalogue


def test_the_list_has_every_reason_on_a_line_of_its_own() -> None:
    lines = CliRunner().invoke(command, ["--list"]).output.splitlines()
    assert [line.split()[:2] for line in lines] == [[each.meta.code, each.meta.slug] for each in catalogue()]


def test_in_a_terminal_no_summary_is_wider_than_it(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda *_, **__: os.terminal_size((80, 24)))
    command.main(["--list"], standalone_mode=False)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("TW") for line in lines) == len(catalogue())


@pytest.mark.skipif(not catalogue(), reason="an empty catalogue")
def test_a_reason_is_found_by_code_in_any_case_and_by_slug() -> None:
    meta = catalogue()[0].meta
    outputs = {CliRunner().invoke(command, [name]).output for name in (meta.code, meta.code.lower(), meta.slug)}
    (text,) = outputs
    assert meta.code in text or meta.slug in text


def test_a_page_has_no_links_that_lead_nowhere() -> None:
    pages = [CliRunner().invoke(command, [each.meta.code]).output for each in catalogue()]
    assert not any("](../" in page for page in pages)
    assert any("pages of TW106 and TW119" in page for page in pages)
