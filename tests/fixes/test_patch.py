"""Edits change what they say and nothing else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tensorwhy.fixes.patch import Conflict, SourceFile, applied, between, unified
from tensorwhy.model.report import Edit, Position


def edit(line: int, column: int, end_line: int, end_column: int, text: str) -> Edit:
    start, end = Position(line=line, column=column), Position(line=end_line, column=end_column)
    return Edit(file="a.py", start=start, end=end, replacement=text)


def test_edits_are_made_at_the_places_of_the_unchanged_text() -> None:
    edits = [edit(2, 0, 3, 0, ""), edit(1, 4, 1, 5, "10"), edit(4, 0, 4, 0, "b = 2\n")]
    assert applied("a = 1\nb = 2\nc = 3\nd = 4\n", edits) == "a = 10\nc = 3\nb = 2\nd = 4\n"


def test_what_is_inserted_at_one_place_keeps_its_order() -> None:
    assert applied("c\n", [edit(1, 0, 1, 0, "a\n"), edit(1, 0, 1, 0, "b\n")]) == "a\nb\nc\n"


def test_an_edit_that_two_diagnoses_share_is_made_once() -> None:
    assert applied("x\n", [edit(1, 0, 1, 0, "a\n"), edit(1, 0, 1, 0, "a\n")]) == "a\nx\n"


@pytest.mark.parametrize(
    "edits",
    [
        [edit(1, 0, 1, 3, "a"), edit(1, 2, 1, 4, "b")],
        [edit(7, 0, 7, 0, "a")],
        [edit(1, 40, 1, 40, "a")],
        [edit(1, 3, 1, 1, "a")],
    ],
)
def test_edits_that_do_not_fit_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(Conflict):
        applied("one two\n", edits)


def test_encoding_and_line_ends_stay() -> None:
    data = "# coding: latin-1\r\nname = 'é'\r\n".encode("latin-1")
    changed = SourceFile.decoded(data).with_edits([edit(3, 0, 3, 0, "more = 1\n")])
    assert changed.encoded() == data + b"more = 1\r\n"


def test_a_diff_says_when_the_last_line_has_no_end() -> None:
    assert unified("a\nb", "a\nc", "x.py").splitlines()[-4:] == [
        "-b",
        "\\ No newline at end of file",
        "+c",
        "\\ No newline at end of file",
    ]
    assert unified("a\n", "a\n", "x.py") == ""


TEXTS = ("", "a\n", "a", "a\nb\nc\n", "a\nx\nc", "x\nb\nc\nd\n", "c\n", "\n\na\n", "a\r\nb\r\n", "x\r\nb\r\nc")


@pytest.mark.parametrize("before", TEXTS)
@pytest.mark.parametrize("after", TEXTS)
def test_edits_between_two_texts_make_one_of_the_other(before: str, after: str) -> None:
    end = "\r\n" if "\r\n" in before else "\n"
    plain = after.replace("\r\n", "\n")
    assert applied(before, between("a.py", before, after), end) == plain.replace("\n", end)


@pytest.mark.parametrize(
    "name", ["a b.py", "x\n+++ b.py", "\x1b[31m.py", '"quoted".py', "back\\slash.py", "\u202eé.py"]
)
def test_a_diff_names_one_file_whatever_its_name_is(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("a\n")
    diff = unified("a\n", "b\n", name)
    assert len(diff.splitlines()) == 5
    assert all(character == "\t" or character.isprintable() for line in diff.splitlines() for character in line)
    subprocess.run(["git", "apply"], cwd=tmp_path, input=diff.encode(), check=True)
    assert (tmp_path / name).read_text() == "b\n"
