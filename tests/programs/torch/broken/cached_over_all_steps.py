"""One block in which parametrized weights are cached is open around all steps."""

import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

torch.manual_seed(0)
cell = parametrizations.orthogonal(nn.Linear(4, 4, bias=False))
opt = torch.optim.SGD(cell.parameters(), lr=0.1)


def step(x):
    for _ in range(2):
        x = torch.tanh(cell(x))  # why: TW120
    loss = (x - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


with parametrize.cached():
    for _ in range(3):
        step(torch.randn(8, 4))
