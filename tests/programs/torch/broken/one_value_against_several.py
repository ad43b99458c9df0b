"""A critic gives one value for each sample, and its target has one for each action: both are broadcast."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)
critic = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
policy = nn.Linear(6, 4)
optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)


def target(states):
    with torch.no_grad():
        chances = torch.log_softmax(policy(states), -1)
        return critic(states) - 0.2 * chances


for step in range(6):
    states = torch.randn(32, 6)
    wanted = target(states)
    loss = F.smooth_l1_loss(critic(states), wanted)  # why: TW801
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
