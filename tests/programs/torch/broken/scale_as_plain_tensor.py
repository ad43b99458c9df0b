"""A scale that should be learned is an attribute, but no parameter."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.scale = torch.ones(4, requires_grad=True)  # why: TW601

    def forward(self, x):
        return self.inner(x) * self.scale


net = Scaled()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(12):
    x = torch.randn(16, 4)
    opt.zero_grad()
    (net(x) - x).square().mean().backward()
    opt.step()
