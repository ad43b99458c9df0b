"""An actor and a critic with a target network that follows slowly."""

import torch
from torch import nn
import torch.nn.functional as F

import copy

actor, critic = nn.Linear(3, 2), nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
target = copy.deepcopy(critic)
for each in target.parameters():
    each.requires_grad_(False)
a_opt, c_opt = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
for step in range(6):
    state, action, reward = torch.randn(8, 3), torch.randn(8, 2), torch.randn(8, 1)
    with torch.no_grad():
        wanted = reward + 0.9 * target(torch.cat([state, actor(state)], 1))
    c_loss = F.mse_loss(critic(torch.cat([state, action], 1)), wanted)
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    a_loss = -critic(torch.cat([state, actor(state)], 1)).mean()
    a_opt.zero_grad()
    a_loss.backward()
    a_opt.step()
    with torch.no_grad():
        for old, new in zip(target.parameters(), critic.parameters()):
            old.mul_(0.99).add_(new, alpha=0.01)
    print(f"{c_loss.item():.4f} {a_loss.item():.4f}")
