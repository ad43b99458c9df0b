"""Places of syntax tree nodes in source text."""

from __future__ import annotations

import ast
import linecache
from pathlib import Path

import pytest

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

TEXT = """\
def scale(x):
    grüße = x.numpy() * 2  # a comment
    if grüße:
        return grüße
"""


def test_a_place_counts_code_points_and_names_its_function(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(TEXT, encoding="utf-8")
    sources = Sources()
    tree = sources.tree(str(path))
    assert tree is not None
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call))
    place = sources.place(str(path), call)
    assert sources.expression(place) == "x.numpy()"
    assert (place.column, place.end_column, place.function) == (12, 21, "scale")


def test_the_place_of_a_compound_statement_is_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(TEXT, encoding="utf-8")
    sources = Sources()
    tree = sources.tree(str(path))
    assert tree is not None
    condition = next(node for node in ast.walk(tree) if isinstance(node, ast.If))
    assert sources.expression(sources.place(str(path), condition)) == "if grüße"


def test_of_several_statements_on_a_line_the_column_tells_which_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("ä = f(1); b = g(2)\nwith t() as c: d = h(3)\n", encoding="utf-8")
    sources = Sources()

    def bound(line: int, column: int | None) -> str:
        statement = sources.statement(Location(file=str(file), line=line, column=column))
        return ast.unparse(statement).split()[0] if statement is not None else ""

    assert [bound(1, 4), bound(1, 14), bound(1, None)] == ["ä", "b", "b"]
    assert [bound(2, 5), bound(2, 19)] == ["with", "d"]


def test_without_a_column_all_names_that_a_line_binds_are_told(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("a = f(1); b, c = g(\n    2)\nd = 3\n", encoding="utf-8")
    places = [Location(file=str(file), line=1), Location(file=str(file), line=1, column=4)]
    assert [Sources().names(place) for place in places] == [("a", "b", "c"), ("a",)]


FUNCTIONS = """\
import functools

class Shape:
    @functools.wraps(
        len
    )
    def rank(
        self,
    ) -> int:
        \'\'\'A text
that begins anywhere.
\'\'\'
# so does a comment
        if self is None:
            raise ValueError
        return 1

    size = lambda self: (
        2
    )
async def last(): return 3
"""


@pytest.mark.parametrize(("line", "name", "raising"), [(4, "rank", 15), (21, "last", 0)])
def test_a_function_is_read_without_the_rest_of_its_file(tmp_path: Path, line: int, name: str, raising: int) -> None:
    file = tmp_path / "program.py"
    file.write_text(FUNCTIONS)
    tree = Sources().defined(str(file), line)
    assert tree is not None
    (function,) = tree.body
    assert getattr(function, "name", "") == name
    assert [each.lineno for each in ast.walk(tree) if isinstance(each, ast.Raise)] == ([raising] if raising else [])


@pytest.mark.parametrize("line", [1, 18])
def test_for_anything_else_the_whole_file_is_read(tmp_path: Path, line: int) -> None:
    file = tmp_path / "program.py"
    file.write_text(FUNCTIONS)
    tree = Sources().defined(str(file), line)
    assert tree is not None
    assert len(tree.body) == 3


def test_all_who_read_a_file_share_its_tree(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text("x = 1\n")
    assert Sources().tree(str(file)) is Sources().tree(str(file))


def test_a_file_that_was_written_anew_is_parsed_anew(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text("x = 1\n")
    before = Sources().tree(str(file))
    file.write_text("y = 1\nz = 2\n")
    linecache.checkcache(str(file))
    after = Sources().tree(str(file))
    assert before is not None
    assert after is not None
    assert [len(before.body), len(after.body)] == [1, 2]


ASSIGNED = """\
ä, b = f(1), g(2)
self.w = [f(3), g(4)]
table: dict = {"in": f(5), 1: g(6)}
c, d = both(7)
rows = [f(n) for n in range(8)]
e = f(9) + 1
"""


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("g(2)", "b"),
        ("g(4)", "self.w[1]"),
        ("f(5)", "table['in']"),
        ("both(7)", ""),
        ("f(n)", ""),
        ("f(9)", ""),
        ("f(9) + 1", "e"),
    ],
)
def test_a_value_is_called_what_its_own_assignment_calls_it(tmp_path: Path, call: str, name: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(ASSIGNED, encoding="utf-8")
    sources = Sources()
    node = next(each for each in sources.nodes(str(file)) if isinstance(each, ast.expr) and ast.unparse(each) == call)
    assert sources.name(sources.place(str(file), node)) == name


@pytest.mark.parametrize(("line", "name"), [("a = f(1)", "a"), ("a, b = f(1), g(2)", ""), ("a = f(1) + 1", "")])
def test_without_a_column_the_one_call_of_a_line_is_meant(tmp_path: Path, line: str, name: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(line, encoding="utf-8")
    assert Sources().name(Location(file=str(file), line=1)) == name


_HERE = Path(__file__)
_FILES = [_HERE, *sorted((_HERE.parents[2] / "src" / "tensorwhy" / "source").glob("*.py"))]


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_what_is_found_by_its_line_is_what_begins_latest_of_all_that_hold_it(file: Path) -> None:
    sources = Sources()
    tree = sources.tree(str(file))
    assert tree is not None
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

    def latest(kinds: type | tuple[type, ...], line: int) -> ast.AST | None:
        holding = [
            each for each in ast.walk(tree) if isinstance(each, kinds) and each.lineno <= line <= each.end_lineno
        ]
        return max(reversed(holding), key=lambda each: each.lineno, default=None)  # of equals the innermost

    for line in range(1, len(file.read_text(encoding="utf-8").splitlines()) + 1):
        here = Location(file=str(file), line=line)
        assert sources.statement(here) is latest(ast.stmt, line), line
        assert sources.function(here) is latest(functions, line), line
