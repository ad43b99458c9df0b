"""A helper switches graphs off for one of its callers, at a line that has been met many times before."""

import torch
from torch import nn

torch.manual_seed(11)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)


def phase(training):
    net.train(training)
    torch.set_grad_enabled(training)  # why: TW103


for step in range(12):
    for training in (False, True) if step != 8 else (True, False):
        phase(training)
    loss = net(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
