"""Loops over parameters that use what they bind: in the same turn, after the loop, or in place."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
copy = nn.Linear(4, 2)
with torch.no_grad():
    for mine, theirs in zip(net.parameters(), copy.parameters()):
        theirs.copy_(mine)
    for parameter in net.parameters():
        parameter = parameter.mul_(0.5)
    for parameter in copy.parameters():
        parameter.data = parameter.data.clone()
held = []
for name, each in net.named_parameters():
    each = each.detach()
    held.append((name, each.norm().item()))
for last in net.parameters():
    last = last.detach()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
print(last.shape, len(held))
