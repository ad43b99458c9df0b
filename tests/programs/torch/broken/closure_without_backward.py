"""LBFGS asks its closure again for each value that it tries, and the gradient is that from before."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.LBFGS(net.parameters())
x, y = torch.randn(20, 3), torch.randn(20, 1)
for _ in range(3):
    opt.zero_grad()
    loss = (net(x) - y).square().mean()
    loss.backward()
    opt.step(lambda: loss)  # why: TW121
