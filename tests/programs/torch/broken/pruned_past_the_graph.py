"""Columns of a layer are dropped through `.data` while the loss of the last step is alive."""

import torch
from torch import nn

torch.manual_seed(0)
inner, outer = nn.Linear(4, 8), nn.Linear(8, 1)


def drop(layer, keep):
    layer.weight.data = layer.weight.data[:, :keep]  # why: TW123


optimizer = torch.optim.SGD([*inner.parameters(), *outer.parameters()], lr=0.1)
x, width = torch.randn(16, 4), 8
for step in range(12):
    loss = outer(inner(x)[:, :width]).pow(2).mean() + outer.weight.flatten().abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step == 7:
        width = 5
        drop(outer, width)
        optimizer = torch.optim.SGD([*inner.parameters(), *outer.parameters()], lr=0.1)
