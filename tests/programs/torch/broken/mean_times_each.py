"""A policy gradient multiplies the mean of the log-probabilities with each return."""

import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(3, 4)
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for _ in range(4):
    states = torch.randn(20, 3)
    drawn = torch.distributions.Categorical(logits=policy(states))
    actions = drawn.sample()
    returns = (actions == 2).float() - 0.5
    average = drawn.log_prob(actions).mean()
    loss = -(returns * average).sum()  # why: TW801
    opt.zero_grad()
    loss.backward()
    opt.step()
