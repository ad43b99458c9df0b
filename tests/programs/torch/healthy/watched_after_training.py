"""The sum of the slopes at one input is collected over a whole training, and read at its end."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
probe = torch.ones(1, 4, requires_grad=True)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(30):
    opt.zero_grad()
    (net(torch.randn(16, 4)).square().mean() + net(probe).square().sum()).backward()
    opt.step()
print(probe.grad.shape)
