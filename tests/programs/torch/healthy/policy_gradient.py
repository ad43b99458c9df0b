"""REINFORCE with a value baseline that is detached in the advantage."""

import torch
from torch import nn
import torch.nn.functional as F

policy, value = nn.Linear(4, 3), nn.Linear(4, 1)
opt = torch.optim.Adam([*policy.parameters(), *value.parameters()])
for step in range(4):
    states, returns = torch.randn(10, 4), torch.randn(10)
    dist = torch.distributions.Categorical(logits=policy(states))
    actions = dist.sample()
    baseline = value(states).squeeze(1)
    advantage = returns - baseline.detach()
    loss = -(dist.log_prob(actions) * advantage).mean() + F.mse_loss(baseline, returns)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
