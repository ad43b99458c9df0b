"""A dueling noisy network with prioritized replay: priorities come from detached errors."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class NoisyLinear(nn.Module):
    def __init__(self, inp, out, sigma=0.5):
        super().__init__()
        self.weight_mu = nn.Parameter(torch.empty(out, inp))
        self.weight_sigma = nn.Parameter(torch.empty(out, inp))
        self.register_buffer("weight_eps", torch.empty(out, inp))
        self.bias_mu, self.bias_sigma = nn.Parameter(torch.empty(out)), nn.Parameter(torch.empty(out))
        self.register_buffer("bias_eps", torch.empty(out))
        bound = inp**-0.5
        self.weight_mu.data.uniform_(-bound, bound)
        self.bias_mu.data.uniform_(-bound, bound)
        self.weight_sigma.data.fill_(sigma * bound)
        self.bias_sigma.data.fill_(sigma * bound)
        self.reset_noise()

    def reset_noise(self):
        eps_in, eps_out = (x.sign().mul(x.abs().sqrt()) for x in (torch.randn(self.weight_mu.shape[1]), torch.randn(len(self.bias_mu))))
        self.weight_eps.copy_(torch.outer(eps_out, eps_in))
        self.bias_eps.copy_(eps_out)

    def forward(self, x):
        if self.training:
            return F.linear(x, self.weight_mu + self.weight_sigma * self.weight_eps, self.bias_mu + self.bias_sigma * self.bias_eps)
        return F.linear(x, self.weight_mu, self.bias_mu)


class Dueling(nn.Module):
    def __init__(self, obs=4, actions=3):
        super().__init__()
        self.feature = nn.Linear(obs, 16)
        self.advantage = NoisyLinear(16, actions)
        self.value = NoisyLinear(16, 1)

    def forward(self, x):
        h = F.relu(self.feature(x))
        a = self.advantage(h)
        return self.value(h) + a - a.mean(dim=1, keepdim=True)

    def reset_noise(self):
        self.advantage.reset_noise()
        self.value.reset_noise()


rng = np.random.default_rng(0)
online, target = Dueling(), Dueling()
target.load_state_dict(online.state_dict())
target.eval()
opt = torch.optim.Adam(online.parameters(), lr=1e-3)
obs, acts = rng.normal(size=(40, 4)).astype("float32"), rng.integers(0, 3, 40)
rewards, nxt = rng.normal(size=40).astype("float32"), rng.normal(size=(40, 4)).astype("float32")
priority = np.ones(40)
for step in range(6):
    p = priority / priority.sum()
    index = rng.choice(40, 8, p=p)
    weights = torch.from_numpy(((40 * p[index]) ** -0.4).astype("float32"))
    s, a = torch.from_numpy(obs[index]), torch.from_numpy(acts[index])
    r, s2 = torch.from_numpy(rewards[index]), torch.from_numpy(nxt[index])
    q = online(s).gather(1, a[:, None]).squeeze(1)
    best = online(s2).argmax(dim=1, keepdim=True)
    y = (r + 0.99 * target(s2).gather(1, best).squeeze(1)).detach()
    elementwise = F.smooth_l1_loss(q, y, reduction="none")
    loss = (elementwise * weights).mean()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(online.parameters(), 10.0)
    opt.step()
    priority[index] = elementwise.detach().numpy() + 1e-6
    online.reset_noise()
    target.reset_noise()
    if step % 3 == 2:
        target.load_state_dict(online.state_dict())
    print(f"{loss.item():.4f}")
