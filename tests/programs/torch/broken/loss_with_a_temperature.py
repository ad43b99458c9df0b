"""The loss has a parameter of its own, and the optimizer has those of the network alone."""

import torch
from torch import nn


class Tempered(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(()))  # why: TW116

    def forward(self, one, other):
        return ((one - other).square() * self.log_scale.exp()).mean() - self.log_scale


net, judge = nn.Linear(4, 4), Tempered()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(12):
    x = torch.randn(16, 4)
    opt.zero_grad()
    judge(net(x), x).backward()
    opt.step()
