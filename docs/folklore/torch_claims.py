"""Popular claims about lost gradients in PyTorch, each put to the test by a small experiment.

    python docs/folklore/torch_claims.py            show the verdicts on the PyTorch that is installed
    python docs/folklore/torch_claims.py --write    write the page

An experiment gives back whether the claim holds here, and what was seen.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

PAGE = Path(__file__).parents[1] / "pytorch-folklore.md"
HEAD = """# Folklore of PyTorch

What people say about gradients that are lost in PyTorch, and what an experiment says. Support of PyTorch is
[experimental](pytorch.md). Each claim is a function of `docs/folklore/torch_claims.py`, which a test runs.

"""


class Claim(NamedTuple):
    """What is said, and what is so instead. `see` is a code of the catalogue."""

    said: str
    instead: str
    see: str
    experiment: Callable[[], tuple[bool, str]]


CLAIMS: list[Claim] = []


def claim(said: str, instead: str, see: str = "") -> Callable[[Any], Any]:
    """Registers an experiment."""

    def register(experiment: Any) -> Any:
        CLAIMS.append(Claim(said, instead, see, experiment))
        return experiment

    return register


@claim(
    '`loss.requires_grad_()` repairs "element 0 of tensors does not require grad".',
    "It makes the loss a leaf. The error is gone, and so is every gradient.",
    "TW125",
)
def forced() -> tuple[bool, str]:
    model = nn.Linear(3, 2)
    loss = model(torch.ones(4, 3)).argmax(1).float().mean().requires_grad_()
    loss.backward()
    return model.weight.grad is not None, f"`backward()` runs, and the gradient of the weight is {model.weight.grad}"


@claim(
    '`retain_graph=True` repairs "Trying to backward through the graph a second time".',
    "It hides the error. After a step of the optimizer, values that were saved are stale, and the next error follows.",
    "TW120",
)
def retained() -> tuple[bool, str]:
    cell = nn.RNNCell(2, 2)
    optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
    state = torch.zeros(1, 2)
    try:
        for _ in range(3):
            state = cell(torch.ones(1, 2), state)
            optimizer.zero_grad()
            state.sum().backward(retain_graph=True)
            optimizer.step()
    except RuntimeError as error:
        return False, f"the second step raises: {str(error).partition(':')[0]}"
    return True, "three steps ran"


@claim(
    '`allow_unused=True` repairs "One of the differentiated Tensors appears to not have been used".',
    "It returns None instead of raising. The tensor is as unused as before.",
    "TW115",
)
def allowed() -> tuple[bool, str]:
    x, z = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    found = torch.autograd.grad((x * 2).sum(), [x, z], allow_unused=True)
    return found[1] is not None, f"the gradient is {found[1]}"


@claim(
    "The optimizer must be created after `model.cuda()` or `model.to(device)`.",
    "Parameters stay the same objects: their values move. Only a model that is built again has other parameters.",
    "TW117",
)
def moved() -> tuple[bool, str]:
    model = nn.Linear(2, 2)
    before = [id(each) for each in model.parameters()]
    model.to(torch.float64)
    same = before == [id(each) for each in model.parameters()]
    return not same, f"after `model.to(...)` the parameters are {'the same' if same else 'other'} objects"


@claim(
    "`torch.set_grad_enabled(False)` is the right way to evaluate.",
    "As a call it stays off, for training too. Use `with torch.no_grad():`, or call it in a `with`.",
    "TW103",
)
def switched() -> tuple[bool, str]:
    model = nn.Linear(2, 1)
    torch.set_grad_enabled(False)
    try:
        rooted = model(torch.ones(1, 2)).requires_grad
    finally:
        torch.set_grad_enabled(True)
    return rooted, f"the next loss has requires_grad={rooted}"


@claim("`requires_grad=False` freezes a layer.", "It freezes parameters. Running statistics still change.", "TW607")
def frozen() -> tuple[bool, str]:
    layer = nn.BatchNorm1d(2).requires_grad_(False)
    layer(torch.ones(4, 2) * 3)
    still = bool((layer.running_mean == 0).all())
    return still, f"after one batch the running mean has {'not ' if still else ''}changed"


@claim("A plain list of layers works, as they are called in `forward`.", "They are called, and never trained.", "TW602")
def listed() -> tuple[bool, str]:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = [nn.Linear(2, 2)]

    count = len(list(Net().parameters()))
    return count > 0, f"`parameters()` lists {count} of 2 parameters"


@claim(
    "`loss.item()` in the sum of losses is only about memory.",
    "A number has no graph: nothing learns from it.",
    "TW110",
)
def item() -> tuple[bool, str]:
    model = nn.Linear(2, 1)
    loss = torch.tensor(sum(each.item() for each in model(torch.ones(3, 2))), requires_grad=True)
    loss.backward()
    return model.weight.grad is not None, f"the gradient of the weight is {model.weight.grad}"


@claim("Slicing and indexing cut the graph.", "They do not: the gradient is zero where nothing was taken.", "")
def sliced() -> tuple[bool, str]:
    x = torch.ones(3, requires_grad=True)
    x[:2].sum().backward()
    return x.grad is None, f"the gradient is {x.grad.tolist()}"


@claim("`clone()` cuts the graph.", "`clone()` keeps it; `detach()` cuts it.", "TW104")
def cloned() -> tuple[bool, str]:
    x = torch.ones(2, requires_grad=True)
    x.clone().sum().backward()
    return x.grad is None, f"the gradient is {x.grad.tolist()}"


@claim("`w.data -= lr * w.grad` is the way to update by hand.", "It works, unseen by autograd: prefer `no_grad`.", "")
def data() -> tuple[bool, str]:
    w = torch.ones(2, requires_grad=True)
    saved = (w * w).sum()
    w.data.mul_(10)
    saved.backward()
    right = w.grad.tolist() == [2.0, 2.0]
    return (
        right,
        f"the gradient at w=1 is {w.grad.tolist()}, where 2 is right: a stale value was used, and nothing raised",
    )


@claim(
    "`zero_grad()` can stand anywhere in the loop.",
    "Between `backward()` and `step()` it removes what was computed.",
    "TW604",
)
def cleared() -> tuple[bool, str]:
    model = nn.Linear(2, 1)
    before = model.weight.detach().clone()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.zero_grad()
    optimizer.step()
    changed = not torch.equal(before, model.weight)
    return changed, f"after the step the weight has {'' if changed else 'not '}changed"


def page() -> str:
    """The page with the verdicts on the PyTorch that is installed."""
    parts = [HEAD]
    for each in CLAIMS:
        holds, seen = each.experiment()
        see = f" See {each.see}." if each.see else ""
        parts.append(
            f"## {each.said}\n\n**{'Holds' if holds else 'Does not hold'}.** {each.instead} Seen: {seen}.{see}\n\n"
        )
    return "".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
