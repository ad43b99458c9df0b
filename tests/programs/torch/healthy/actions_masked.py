"""Masks leave out actions that were not taken."""
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 4))
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)


def batch():
    states = torch.randn(8, 6)
    actions = torch.randint(0, 4, (8,))
    legal = torch.rand(8, 4) > 0.3
    legal[torch.arange(8), actions] = True
    return states, actions, legal


for step in range(12):
    states, actions, legal = batch()
    scores = policy(states).masked_fill(~legal, -torch.inf)
    loss = nn.functional.cross_entropy(scores, actions)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
