"""Parameters are read again where that works: from a list, from a name that is bound anew, in a loop that never runs."""

from itertools import chain

import torch
from torch import nn

torch.manual_seed(0)
policy, critic = nn.Linear(4, 1), nn.Linear(4, 1)
params = chain(policy.parameters(), critic.parameters())
optimizer = torch.optim.SGD(params, lr=0.1)
params = [*policy.parameters(), *critic.parameters()]
kept = list(critic.parameters())
second = torch.optim.SGD(kept, lr=0.1)
given = policy.parameters()
third = torch.optim.SGD(given, lr=0.1)


def shrink(given):
    for each in given:
        each.data.mul_(0.9)


def never_called():
    for each in given:
        each.data.zero_()


for step in range(4):
    x = torch.randn(8, 4)
    loss = (policy(x) * critic(x)).mean()
    for each in (optimizer, second, third):
        each.zero_grad()
    loss.backward()
    for each in (optimizer, second, third):
        each.step()
    for each in params:
        each.data.clamp_(-1, 1)
    for each in kept:
        each.data.clamp_(-1, 1)
    shrink(policy.parameters())
