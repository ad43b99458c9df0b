"""Soft actor-critic: the temperature is learned from detached log-probabilities."""

import torch
from torch import nn
import torch.nn.functional as F

actor, critic = nn.Linear(3, 2), nn.Linear(4, 1)
log_alpha = torch.zeros(1, requires_grad=True)
a_opt, c_opt = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
t_opt = torch.optim.Adam([log_alpha])
for step in range(4):
    s = torch.randn(8, 3)
    mean, log_std = actor(s).chunk(2, 1)
    dist = torch.distributions.Normal(mean, log_std.exp())
    action = dist.rsample()
    logp = dist.log_prob(action).sum(1)
    c_loss = (critic(torch.cat([s, action.detach()], 1)) - torch.randn(8, 1)).pow(2).mean()
    c_opt.zero_grad()
    c_loss.backward()
    c_opt.step()
    a_loss = (log_alpha.exp().detach() * logp - critic(torch.cat([s, action], 1)).squeeze(1)).mean()
    a_opt.zero_grad()
    a_loss.backward()
    a_opt.step()
    t_loss = -(log_alpha * (logp + 1.0).detach()).mean()
    t_opt.zero_grad()
    t_loss.backward()
    t_opt.step()
    print(f"{c_loss.item():.3f} {a_loss.item():.3f} {t_loss.item():.3f}")
