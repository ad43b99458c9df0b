"""A detached input, whose missing gradient `allow_unused` hides."""

import torch
from torch import nn

net = nn.Linear(4, 1)
x = torch.randn(8, 4, requires_grad=True)
scaled = x.detach() * 2  # why: TW104
found = torch.autograd.grad(net(scaled).sum(), [x, net.weight], allow_unused=True)
print(found[0])
