"""A world model, and an actor trained through imagined rollouts while the world is frozen by a context manager."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal, Independent, kl_divergence


class FreezeParameters:
    def __init__(self, modules):
        self.params = [p for m in modules for p in m.parameters()]
        self.states = [p.requires_grad for p in self.params]

    def __enter__(self):
        for p in self.params:
            p.requires_grad = False

    def __exit__(self, *exc):
        for p, state in zip(self.params, self.states):
            p.requires_grad = state


class RSSM(nn.Module):
    def __init__(self, obs=3, act=1, stoch=4, deter=8):
        super().__init__()
        self.cell = nn.GRUCell(stoch + act, deter)
        self.prior, self.post = nn.Linear(deter, 2 * stoch), nn.Linear(deter + obs, 2 * stoch)

    @staticmethod
    def dist(stats):
        mean, std = stats.chunk(2, -1)
        return Independent(Normal(mean, F.softplus(std) + 0.1), 1)

    def observe(self, obs, action, stoch, deter):
        deter = self.cell(torch.cat([stoch, action], -1), deter)
        prior, post = self.dist(self.prior(deter)), self.dist(self.post(torch.cat([deter, obs], -1)))
        return prior, post, post.rsample(), deter

    def imagine(self, action, stoch, deter):
        deter = self.cell(torch.cat([stoch, action], -1), deter)
        return self.dist(self.prior(deter)).rsample(), deter


rssm, decoder, reward = RSSM(), nn.Linear(12, 3), nn.Linear(12, 1)
actor, value = nn.Sequential(nn.Linear(12, 8), nn.ELU(), nn.Linear(8, 1), nn.Tanh()), nn.Linear(12, 1)
model_opt = torch.optim.Adam([*rssm.parameters(), *decoder.parameters(), *reward.parameters()], lr=6e-4)
actor_opt = torch.optim.Adam(actor.parameters(), lr=8e-5)
value_opt = torch.optim.Adam(value.parameters(), lr=8e-5)
for step in range(3):
    observations, actions, rewards = torch.randn(5, 6, 3), torch.rand(5, 6, 1) * 2 - 1, torch.randn(5, 6)
    stoch, deter, features, kl = torch.zeros(6, 4), torch.zeros(6, 8), [], 0.0
    for obs, act in zip(observations, actions):
        prior, post, stoch, deter = rssm.observe(obs, act, stoch, deter)
        kl = kl + kl_divergence(post, prior).mean()
        features.append(torch.cat([stoch, deter], -1))
    feat = torch.stack(features)
    kl = torch.max(kl / 5, torch.tensor(3.0))
    model_loss = F.mse_loss(decoder(feat), observations) + F.mse_loss(reward(feat).squeeze(-1), rewards) + kl
    model_opt.zero_grad()
    model_loss.backward()
    nn.utils.clip_grad_norm_(rssm.parameters(), 100.0)
    model_opt.step()

    start = feat.detach().flatten(0, 1)
    stoch, deter, states = start[:, :4], start[:, 4:], []
    with FreezeParameters([rssm, reward, value]):
        for _ in range(3):
            action = actor(torch.cat([stoch, deter], -1).detach())
            stoch, deter = rssm.imagine(action, stoch, deter)
            states.append(torch.cat([stoch, deter], -1))
        imagined = torch.stack(states)
        gains = reward(imagined).squeeze(-1) + 0.9 * value(imagined).squeeze(-1)
    actor_loss = -gains.mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    value_loss = F.mse_loss(value(imagined.detach()).squeeze(-1), gains.detach())
    value_opt.zero_grad()
    value_loss.backward()
    value_opt.step()
    print(f"{model_loss.item():.3f} {actor_loss.item():.3f} {value_loss.item():.3f}")
