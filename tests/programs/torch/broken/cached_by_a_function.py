"""A cached function keeps a result of the first step, with its graph."""

import functools

import torch
from torch import nn

torch.manual_seed(0)
scale = nn.Parameter(torch.ones(4))
layer = nn.Linear(4, 1)


@functools.lru_cache(None)
def kernel(size):
    return torch.softmax(scale[:size], 0)


opt = torch.optim.SGD([scale, *layer.parameters()], lr=0.1)
for _ in range(3):
    x = torch.randn(8, 4)
    loss = (layer(x * kernel(4)) - 1).pow(2).mean()  # why: TW120
    opt.zero_grad()
    loss.backward()
    opt.step()
