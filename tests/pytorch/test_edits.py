"""Edits are chosen by what stands at a line, and leave the rest of the file as it is."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest

pytest.importorskip("torch")

from tensorwhy.adapters.torch.words import edits
from tensorwhy.fixes.patch import applied
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


class Written:
    """A program on disk, and the places in it."""

    def __init__(self, folder: Path, text: str) -> None:
        self.text = dedent(text).lstrip()
        self.file = str(folder / "program.py")
        Path(self.file).write_text(self.text, encoding="utf-8")
        self.sources = Sources()

    def at(self, text: str) -> Location:
        """The expression that is written like this, or the statement."""
        for node in self.sources.nodes(self.file):
            if isinstance(node, (ast.expr, ast.stmt)) and ast.unparse(node) == text:
                return self.sources.place(self.file, node)
        raise AssertionError(text)

    def after(self, *changes: object) -> str:
        return applied(self.text, changes)  # type: ignore[arg-type]


def test_a_container_keeps_its_lines_and_comments(tmp_path: Path) -> None:
    program = Written(tmp_path, "from torch import nn\nlayers = [\n    nn.Linear(2, 2),  # first\n]\n")
    node = next(each for each in program.sources.nodes(program.file) if isinstance(each, ast.List))
    made = edits.within(node, program.file, "nn.ModuleList", program.sources)
    assert program.after(*made).endswith("layers = nn.ModuleList([\n    nn.Linear(2, 2),  # first\n])\n")


def test_a_copy_brings_its_import(tmp_path: Path) -> None:
    program = Written(tmp_path, "import torch\nmodel = torch.nn.Linear(1, 1)\nbest = model.state_dict()\n")
    made = edits.copied(program.at("model.state_dict()"), program.sources)
    assert "import copy\n" in program.after(*made)
    assert "best = copy.deepcopy(model.state_dict())" in program.after(*made)


@pytest.mark.parametrize(
    ("call", "summary", "changed"),
    [
        ("checkpoint(f, x)", "pass `use_reentrant=False`", "checkpoint(f, x, use_reentrant=False)"),
        ("checkpoint(f, x, use_reentrant=True)", "pass `use_reentrant=False`", "checkpoint(f, x, use_reentrant=False)"),
        ("checkpoint(f, x, use_reentrant=flag)", "give `flag`", ""),
        ("checkpoint(f, x, **options)", "set `use_reentrant` to False on line 3", "{'use_reentrant': False}"),
    ],
)
def test_reentrance_is_switched_off_where_it_is_decided(tmp_path: Path, call: str, summary: str, changed: str) -> None:
    head = "from torch.utils.checkpoint import checkpoint\nf = x = flag = None\noptions = {'use_reentrant': True}\n"
    program = Written(tmp_path, f"{head}{call}\n")
    said, made = edits.not_reentrant(program.at(call), program.sources)
    assert said.startswith(summary)
    assert (changed in program.after(*made)) if changed else made == ()


def test_a_comparison_becomes_a_threshold_only_where_it_is_a_number(tmp_path: Path) -> None:
    program = Written(tmp_path, "import torch\nx = torch.ones(2)\na = (x > 0.5).float()\nb = x[x < 0.5 + 1]\n")
    text, made = edits.smooth(program.at("x > 0.5"), program.sources)
    assert text == "torch.sigmoid((x - 0.5) * 10)" and f"a = ({text}).float()" in program.after(*made)
    assert edits.smooth(program.at("x < 0.5 + 1"), program.sources) == ("torch.sigmoid((0.5 + 1 - x) * 10)", ())


def test_what_a_caller_gave_is_not_copied_behind_its_back(tmp_path: Path) -> None:
    program = Written(
        tmp_path, "def fill(given):\n    own = given * 2\n    own[0] = 1\n    given[0] = 1\n    own += 3\n"
    )
    line, made = edits.new_tensor(program.at("own[0]"), program.sources) or ("", ())
    assert "`own = own.clone()` before" in line and "    own = own.clone()\n    own[0] = 1\n" in program.after(*made)
    assert edits.new_tensor(program.at("given[0]"), program.sources) is None
    _, made = edits.new_tensor(program.at("own += 3"), program.sources) or ("", ())
    assert program.after(*made).endswith("    own = own + 3\n")


def test_a_state_is_cut_where_it_is_kept_and_not_within_a_step(tmp_path: Path) -> None:
    program = Written(
        tmp_path,
        """
        class Cell:
            def forward(self, x, state):
                h = self.cell(x)
                state.h, state.n = h, 1
                return h

            def unrolled(self, xs):
                for x in xs:
                    self.h = self.cell(x)


        def train(xs):
            for x in xs:
                h = net(x)
                h.backward()
        """,
    )
    backward = program.at("h.backward()")
    kept, name = edits.keeping(program.at("h = self.cell(x)"), "h", backward, program.sources)
    assert kept is not None and (kept.line, name) == (4, "state.h")
    assert edits.keeping(program.at("self.h = self.cell(x)"), "self.h", backward, program.sources) == (None, "self.h")
    assert edits.keeping(program.at("h = net(x)"), "h", backward, program.sources) == (backward, "h")


def test_a_statement_is_put_under_a_switch(tmp_path: Path) -> None:
    program = Written(tmp_path, "import torch\ndef step(closure):\n    loss = closure()\n    return loss\n")
    made = edits.under(program.at("closure()"), program.sources, "torch.enable_grad()")
    assert "    with torch.enable_grad():\n        loss = closure()\n    return loss\n" in program.after(*made)
