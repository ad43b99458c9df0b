"""Actions that were stored as small unsigned integers are used as positions, and are taken for a mask."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
stored = torch.tensor([2, 0, 1, 2, 1, 0], dtype=torch.uint8)
states, rewards = torch.randn(6, 4), torch.rand(6)
scores = net(states)
wanted = scores.detach().clone()
wanted[torch.arange(len(stored)), stored.reshape(-1)] = rewards + 0.9 * net(states.flip(0)).max(1).values  # why: TW701
print((scores - wanted).pow(2).mean())
