"""A closure that is called many times in a step adds to the gradients, which only the step before it clears."""

import torch
from torch import nn

torch.manual_seed(0)
net, x = nn.Linear(4, 1), torch.randn(64, 4)
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.01, max_iter=6)


def closure():
    total = 0.0
    for part in x.split(32):
        loss = (net(part) - part.sum(1, keepdim=True)).pow(2).mean()
        loss.backward()
        total += loss.item()
    return total


for _ in range(4):
    optimizer.zero_grad()
    optimizer.step(closure)  # why: TW121
