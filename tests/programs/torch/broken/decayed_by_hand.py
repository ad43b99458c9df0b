"""A hand-made decay in a helper takes three times the weights away in each step: they double until they are NaN."""

import torch
from torch import nn


def shrink(parameters, rate):
    with torch.no_grad():
        for parameter in parameters:
            parameter.sub_(rate * 60.0 * parameter)  # why: TW611


torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(16, 2)
for _ in range(300):
    loss = (net(x) - 1).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    shrink(net.parameters(), 0.05)
