"""Target networks that follow: one loads the state of the other, one is blended, and a best state comes back."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
target, slow = copy.deepcopy(net), copy.deepcopy(net)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
best = copy.deepcopy(net.state_dict())
for step in range(12):
    x = torch.randn(8, 4)
    with torch.no_grad():
        goal = x.sum(1, keepdim=True) + 0.9 * (target(x) + slow(x)).max(1, keepdim=True).values
    loss = (net(x).max(1, keepdim=True).values - goal).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for one, other in zip(slow.parameters(), net.parameters()):
            one.copy_(0.9 * one + 0.1 * other)
    if step % 4 == 3:
        target.load_state_dict(net.state_dict())
        best = copy.deepcopy(net.state_dict())
net.load_state_dict(best)
