"""Proximal policy optimization: old log-probabilities and advantages are constants."""

import torch
from torch import nn
import torch.nn.functional as F

class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.pi, self.v = nn.Linear(4, 16), nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=3e-4)
for update in range(2):
    with torch.no_grad():
        obs = torch.randn(16, 4)
        dist, values = agent(obs)
        actions = dist.sample()
        old, rewards = dist.log_prob(actions), torch.randn(16)
        advantages = rewards - values
    for epoch in range(3):
        for index in torch.randperm(16).split(8):
            dist, value = agent(obs[index])
            ratio = (dist.log_prob(actions[index]) - old[index]).exp()
            a = advantages[index]
            a = (a - a.mean()) / (a.std() + 1e-8)
            pg = torch.max(-a * ratio, -a * ratio.clamp(0.8, 1.2)).mean()
            loss = pg + 0.5 * F.mse_loss(value, rewards[index]) - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            opt.step()
    print(f"{loss.item():.4f}")
