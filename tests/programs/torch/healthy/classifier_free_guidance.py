"""A diffusion model with dropped labels, an averaged copy of the weights, and guided sampling between epochs."""

import copy
import math

import torch
import torch.nn.functional as F
from torch import nn


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        half = dim // 2
        self.register_buffer("freqs", torch.exp(-math.log(10000) * torch.arange(half) / half))

    def forward(self, t):
        angles = t[:, None].float() * self.freqs
        return torch.cat([angles.sin(), angles.cos()], dim=-1)


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=24, classes=2):
        super().__init__()
        self.time = nn.Sequential(TimeEmbedding(8), nn.Linear(8, hidden), nn.SiLU())
        self.label = nn.Embedding(classes + 1, hidden)
        self.inp = nn.Linear(dim, hidden)
        self.film = nn.Linear(hidden, 2 * hidden)
        self.out = nn.Linear(hidden, dim)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x, t, y):
        scale, shift = self.film(self.time(t) + self.label(y)).chunk(2, dim=-1)
        return self.out(F.silu(self.inp(x) * (1 + scale) + shift))


class Diffusion:
    def __init__(self, steps=10):
        self.steps = steps
        self.betas = torch.linspace(1e-3, 0.2, steps)
        self.alphas = 1 - self.betas
        self.bar = torch.cumprod(self.alphas, 0)

    def loss(self, model, x0, y):
        t = torch.randint(0, self.steps, (len(x0),))
        noise = torch.randn_like(x0)
        a = self.bar[t][:, None]
        y = torch.where(torch.rand(len(y)) < 0.2, torch.full_like(y, 2), y)
        return F.mse_loss(model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t, y), noise)

    @torch.no_grad()
    def sample(self, model, count, label, guidance=2.0):
        model.eval()
        x = torch.randn(count, 2)
        for i in reversed(range(self.steps)):
            t = torch.full((count,), i)
            cond = model(x, t, torch.full((count,), label))
            free = model(x, t, torch.full((count,), 2))
            eps = free + guidance * (cond - free)
            x = (x - self.betas[i] / (1 - self.bar[i]).sqrt() * eps) / self.alphas[i].sqrt()
            if i:
                x = x + self.betas[i].sqrt() * torch.randn_like(x)
        model.train()
        return x


model, diffusion = Denoiser(), Diffusion()
ema = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(3):
    for _ in range(4):
        y = torch.randint(0, 2, (16,))
        loss = diffusion.loss(model, torch.randn(16, 2) * 0.1 + y[:, None], y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        for p_ema, p in zip(ema.parameters(), model.parameters()):
            p_ema.data.mul_(0.9).add_(p.data, alpha=0.1)
    print(f"{epoch} {loss.item():.4f} {diffusion.sample(ema, 4, 1).shape}")
