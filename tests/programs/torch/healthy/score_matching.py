"""Sliced and denoising score matching for an energy network: derivatives with respect to inputs are in the loss."""

import torch
from torch import nn


class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Softplus(), nn.Linear(16, 16), nn.Softplus(), nn.Linear(16, 1))

    def score(self, x):
        with torch.enable_grad():
            x = x if x.requires_grad else x.requires_grad_()
            return -torch.autograd.grad(self.net(x).sum(), x, create_graph=True)[0]


def sliced(model, x):
    x = x.clone().requires_grad_()
    v = torch.randn_like(x)
    s = model.score(x)
    hvp = torch.autograd.grad((s * v).sum(), x, create_graph=True)[0]
    return ((hvp * v).sum(-1) + 0.5 * s.pow(2).sum(-1)).mean()


def denoising(model, x, sigma=0.3):
    noise = torch.randn_like(x) * sigma
    return (model.score(x + noise) + noise / sigma**2).pow(2).sum(-1).mean() * sigma**2


def sample(model, n, steps=10, eps=0.02):
    x = torch.randn(n, 2)
    for _ in range(steps):
        x = (x + eps * model.score(x) + (2 * eps) ** 0.5 * torch.randn_like(x)).detach()
    return x


model = Energy()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(6):
    data = torch.randn(32, 2) * torch.tensor([1.0, 0.3])
    objective = sliced if step % 2 == 0 else denoising
    opt.zero_grad()
    loss = objective(model, data)
    loss.backward()
    opt.step()
    print(objective.__name__, f"{loss.item():.4f}")
print(sample(model, 5).shape)
