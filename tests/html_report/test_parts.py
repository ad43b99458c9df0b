"""The steps from a report to what is shown: excerpts, diffs, colours, small lineages."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from html_report import samples
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Edit, LineageEdge, LineageNode, LineageView, Position
from tensorwhy.rendering.html.diffs import hunks
from tensorwhy.rendering.html.excerpts import Mark, excerpts_of, marks_of, pieces
from tensorwhy.rendering.html.lineage import lineage_of, summarise
from tensorwhy.rendering.html.markup import Markup
from tensorwhy.rendering.html.steps import steps
from tensorwhy.rendering.html.syntax import tokens


def edit(start: tuple[int, int], end: tuple[int, int], replacement: str) -> Edit:
    return Edit(
        file="a.py",
        start=Position(line=start[0], column=start[1]),
        end=Position(line=end[0], column=end[1]),
        replacement=replacement,
    )


def shown(edits: list[Edit], lines: dict[int, str]) -> list[str]:
    return [f"{line.kind[0]} {line.text}" for hunk in hunks(edits, {"a.py": lines}) for line in hunk.lines]


def test_the_file_of_the_primary_location_comes_first() -> None:
    diagnosis = samples.stopped()
    found = excerpts_of(marks_of(diagnosis), samples.full().excerpts)
    assert [excerpt.file for excerpt in found] == [samples.LAYERS, samples.FILE]


def test_rows_with_lines_between_them_have_a_gap() -> None:
    marks = [Marked(file="a.py", line=line, column=0, end_line=line, end_column=1) for line in (2, 9)]
    (excerpt,) = excerpts_of(marks, {"a.py": dict.fromkeys(range(1, 12), "xx")})
    assert [(row.line, row.after_gap) for row in excerpt.rows] == [
        (1, False), (2, False), (3, False), (8, True), (9, False), (10, False),
    ]  # fmt: skip


def test_a_mark_over_several_lines_covers_each_and_is_labelled_once() -> None:
    mark = Marked(file="a.py", line=1, column=4, end_line=3, end_column=1, label="here")
    (excerpt,) = excerpts_of([mark], {"a.py": {1: "x = call(", 2: "    y,", 3: ")"}})
    assert [(one.marks[0].start, one.marks[0].end, one.marks[0].label) for one in excerpt.rows] == [
        (4, 9, ""), (4, 6, ""), (0, 1, "here"),
    ]  # fmt: skip


def test_a_mark_without_columns_covers_the_line_without_its_indent() -> None:
    (excerpt,) = excerpts_of([Marked(file="a.py", line=1)], {"a.py": {1: "    x = 1  "}})
    assert (excerpt.rows[0].marks[0].start, excerpt.rows[0].marks[0].end) == (4, 9)


@given(st.text(), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.booleans()), max_size=4))
def test_pieces_of_a_line_are_the_line(text: str, marks: list[tuple[int, int, bool]]) -> None:
    made = [Mark(start=min(a, b), end=max(a, b), primary=primary) for a, b, primary in marks]
    assert "".join(piece.text for piece in pieces(text, made, tokens(text))) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return None  # no", ["return:keyword", "None:keyword", "# no:comment"]),
        ("x = f'a # b' + 'it\\'s' * 1.5e-3", ["f'a # b':string", "'it\\'s':string", "1.5e-3:number"]),
        ("del_ = import_x2", []),
        ("'open", []),
    ],
)
def test_tokens_are_told_apart(text: str, expected: list[str]) -> None:
    assert [f"{text[start:end]}:{kind}" for start, end, kind in tokens(text)] == expected


def test_an_edit_within_a_line_is_shown_as_one_line_replaced() -> None:
    assert shown([edit((2, 4), (2, 5), "z")], {2: "x = y"}) == ["r x = y", "a x = z"]


def test_a_removed_line_needs_nothing_of_the_next() -> None:
    assert shown([edit((2, 0), (3, 0), "")], {2: "x = y"}) == ["r x = y"]


def test_an_inserted_line_is_shown_even_where_its_neighbour_is_unknown() -> None:
    assert shown([edit((7, 0), (7, 0), "    tape.watch(x)\n")], {}) == ["a     tape.watch(x)"]


def test_neighbouring_edits_are_one_change() -> None:
    edits = [edit((2, 0), (2, 1), "b"), edit((1, 0), (1, 1), "a")]
    assert shown(edits, {1: "x", 2: "y"}) == ["r x", "r y", "a a", "a b"]


def test_two_edits_of_one_line_are_both_made() -> None:
    assert shown([edit((1, 0), (1, 1), "aa"), edit((1, 4), (1, 5), "bb")], {1: "x = y"}) == ["r x = y", "a aa = bb"]


def test_a_path_becomes_a_chain_that_is_cut_at_an_unwatched_source() -> None:
    view = lineage_of(samples.not_watched())
    assert view is not None
    assert [node.connected for node in view.nodes] == [False, True, True, True, True, True]
    assert [node.role for node in view.nodes] == ["source", "op", "op", "op", "op", "target"]


def chain(count: int, layer: str = "") -> LineageView:
    """A chain of operations that is cut in its middle."""
    nodes = [
        LineageNode(
            id=str(index),
            op="Op",
            layer=layer.format(index // 10),
            connected=index >= count // 2,
            role="source" if index == 0 else "target" if index == count - 1 else "op",
        )
        for index in range(count)
    ]
    edges = [LineageEdge(start=a.id, end=b.id) for a, b in itertools.pairwise(nodes)]
    return LineageView(nodes=tuple(nodes), edges=tuple(edges))


def test_a_small_lineage_is_shown_as_it_is() -> None:
    view = chain(100)
    assert summarise(view, 100) is view


@pytest.mark.parametrize("layer", ["", "block_{0}", "model/block_{0}"])
def test_a_large_lineage_keeps_source_target_and_cut(layer: str) -> None:
    small = summarise(chain(20_000, layer), 400)
    assert len(small.nodes) <= 400
    assert sum(node.stands_for for node in small.nodes) + small.omitted == 20_000
    kept = {node.id for node in small.nodes}
    assert {"0", "9999", "10000", "19999"} <= kept
    assert LineageEdge(start="9999", end="10000") in small.edges


def test_a_dense_lineage_without_layers_keeps_what_is_near() -> None:
    nodes = [LineageNode(id=str(index), op="Op", role="source" if index == 0 else "op") for index in range(2000)]
    edges = [LineageEdge(start=str(a), end=str(b)) for a in range(2000) for b in (a + 1, a + 7) if b < 2000]
    small = summarise(LineageView(nodes=tuple(nodes), edges=tuple(edges)), 300)
    assert len(small.nodes) == 300
    assert small.omitted == 1700
    assert "0" in {node.id for node in small.nodes}


def test_a_lineage_with_a_loop_ends() -> None:
    nodes = tuple(LineageNode(id=str(index), op="Op") for index in range(50))
    edges = tuple(LineageEdge(start=str(index), end=str((index + 1) % 50)) for index in range(50))
    small = summarise(LineageView(nodes=nodes, edges=edges), 10)
    assert sum(node.stands_for for node in small.nodes) == 50


def test_a_long_way_is_told_by_its_ends_and_its_cut() -> None:
    diagnosis = samples.stopped()
    view = chain(60)
    import msgspec

    listed = steps(Markup(), msgspec.structs.replace(diagnosis, lineage=view), samples.BASE)
    assert listed is not None
    assert listed.count("<li") == 3 + 1 + 6 + 1 + 3
    assert "… 24 more operations" in listed
