"""A readout beside a network requires gradients, and the optimizer has the network alone."""

import torch
from torch import nn

net = nn.Linear(4, 4)
readout = torch.randn(4, 1).requires_grad_()  # why: TW116
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(12):
    opt.zero_grad()
    (net(torch.randn(16, 4)) @ readout - 1).square().mean().backward()
    opt.step()
