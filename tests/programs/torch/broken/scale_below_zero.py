"""The spread of a policy is a plain output of a layer, and below zero for some states."""

import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)
policy = nn.Linear(6, 4)
optimizer = torch.optim.Adam(policy.parameters())
mean, spread = policy(torch.randn(5, 6)).chunk(2, -1)
loss = -Normal(mean, spread).log_prob(torch.zeros(5, 2)).mean()  # why: TW701
loss.backward()
optimizer.step()
