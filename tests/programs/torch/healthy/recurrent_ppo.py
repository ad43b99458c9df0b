"""Recurrent PPO: rollouts without a graph, states carried as numbers, several epochs over them."""

from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical


class Rollout(NamedTuple):
    obs: torch.Tensor
    actions: torch.Tensor
    logps: torch.Tensor
    returns: torch.Tensor
    advantages: torch.Tensor
    state: tuple


class Policy(nn.Module):
    def __init__(self, obs=3, actions=2, hidden=12):
        super().__init__()
        self.lstm = nn.LSTM(obs, hidden)
        self.pi, self.v = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        for name, param in self.lstm.named_parameters():
            if "weight" in name:
                nn.init.orthogonal_(param, 1.0)
            else:
                nn.init.constant_(param, 0)

    def forward(self, x, state):
        h, state = self.lstm(x, state)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), state


def collect(policy, obs, state, length=8, gamma=0.9, lam=0.95):
    first = tuple(s.clone() for s in state)
    rows = {"obs": [], "act": [], "logp": [], "val": [], "rew": []}
    with torch.no_grad():
        for _ in range(length):
            dist, value, state = policy(obs[None], state)
            action = dist.sample()
            rows["obs"].append(obs)
            rows["act"].append(action[0])
            rows["logp"].append(dist.log_prob(action)[0])
            rows["val"].append(value[0])
            obs = obs * 0.8 + (action[0].float() - 0.5)[:, None] * 0.4
            rows["rew"].append(-obs.pow(2).sum(1))
        last = policy(obs[None], state)[1][0]
    values = torch.stack(rows["val"] + [last])
    adv, gae = torch.zeros(length, obs.shape[0]), 0
    for t in reversed(range(length)):
        delta = rows["rew"][t] + gamma * values[t + 1] - values[t]
        gae = delta + gamma * lam * gae
        adv[t] = gae
    stack = lambda key: torch.stack(rows[key])
    return Rollout(stack("obs"), stack("act"), stack("logp"), adv + values[:-1], adv, first), obs, state


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=2.5e-3, eps=1e-5)
obs, state = torch.randn(4, 3), (torch.zeros(1, 4, 12), torch.zeros(1, 4, 12))
for update in range(3):
    optimizer.param_groups[0]["lr"] = 2.5e-3 * (1 - update / 3)
    roll, obs, state = collect(policy, obs, state)
    for epoch in range(2):
        dist, value, _ = policy(roll.obs, roll.state)
        ratio = (dist.log_prob(roll.actions) - roll.logps).exp()
        adv = (roll.advantages - roll.advantages.mean()) / (roll.advantages.std() + 1e-8)
        pg = torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2)).mean()
        loss = pg + 0.5 * (value - roll.returns).pow(2).mean() - 0.01 * dist.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()
    print(f"{update} {loss.item():.4f}")
