"""What is asked about one tensor in PyTorch is answered: `why`, `history`, `--ask`, and a recording of a block."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.runner import Runner, environment

TRAINING = """
import torch
from torch import nn

encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    hidden = torch.tanh(encoder(torch.randn(5, 3)))
    loss = head(hidden.detach()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def said(tmp_path: Path, text: str) -> str:
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(text))
    done = subprocess.run(
        [sys.executable, str(program)], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_why_and_history_know_what_a_block_computed(tmp_path: Path) -> None:
    block = textwrap.indent(TRAINING, "    ")
    told = said(
        tmp_path,
        f"import tensorwhy\nwith tensorwhy.record(show=False) as recording:\n{block}"
        "    print(tensorwhy.why(encoder.weight))\n    print('---')\n    print(tensorwhy.why(head.weight))\n"
        "    print('---')\n    print(tensorwhy.history(loss))\n"
        "print('---')\nprint([d.code for d in recording.report.diagnoses])\n",
    )
    broken, healthy, history, codes = told.split("---\n")
    assert "TW104" in broken and "it stops at `hidden.detach`" in broken
    assert "no broken link" in healthy and "TW1" not in healthy
    assert "mean `loss`" in history and "leaf `head.weight`" in history
    assert codes.strip() == "['TW104']"


def test_a_parameter_and_a_line_can_be_asked_about(tmp_path: Path, runner: Runner) -> None:
    program = tmp_path / "train.py"
    program.write_text(TRAINING)
    options = ("--ask", "head.weight", "--ask", f"{program}:11")
    report = runner.run(program, options=options).report
    assert report is not None
    parameter, line = report.answers
    assert parameter.state == "holds" and parameter.chains[0].norms
    assert {chain.subject.name for chain in line.chains} >= {"encoder.weight", "head.weight"}
    assert line.state == "broken"


def test_the_tool_imports_no_framework(tmp_path: Path) -> None:
    assert said(tmp_path, "import sys, tensorwhy\nprint('torch' in sys.modules)\n") == "False\n"


@pytest.mark.parametrize(
    ("program", "advice"),
    [
        ("second_backward", "detach it after line 14: `state = state.detach()`"),
        ("result_kept", "compute `self.kernel` again"),
        ("codebook_without_its_term", "keep this, and train the value"),
        ("axis_of_the_last_batch_squeezed", "name the axis that has to go: `squeeze(1)`"),
        ("weights_of_edges_unused", "compute the loss with `weights`, too"),
        ("mean_of_what_was_centred", "take the mean before the normalization"),
    ],
)
def test_the_advice_fits_what_was_kept_or_replaced(program: str, advice: str, runner: Runner) -> None:
    report = runner.run(Path(__file__).parents[1] / "programs" / "torch" / "broken" / f"{program}.py").report
    assert report is not None
    (found,) = report.diagnoses
    assert found.fixes[0].summary.startswith(advice)


def test_a_parameter_with_two_names_is_told_by_both(runner: Runner) -> None:
    program = Path(__file__).parents[1] / "programs" / "torch" / "broken" / "tied_head_frozen_by_its_other_name.py"
    report = runner.run(program).report
    assert report is not None
    (found,) = report.diagnoses
    assert any(each.startswith("`head.weight` is `embed.weight`") for each in found.notes)
