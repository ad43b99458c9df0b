"""A helper switches graphs off and on, at one line for all of its callers."""

import torch
from torch import nn

torch.manual_seed(11)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)


def phase(training):
    net.train(training)
    torch.set_grad_enabled(training)


for step in range(12):
    for training in (False, True):
        phase(training)
        loss = net(torch.randn(8, 4)).pow(2).mean()
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
