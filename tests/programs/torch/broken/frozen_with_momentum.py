"""The body is frozen after a few steps, and keeps gradients of zero: the momentum of the optimizer goes on moving it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def freeze(module):
    module.requires_grad_(False)  # why: TW607


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(24):
    if step == 10:
        freeze(net.body)
    loss = (net(torch.randn(8, 4)) - 1).pow(2).mean()
    opt.zero_grad(set_to_none=False)
    loss.backward()
    opt.step()
