"""Means that scale other values: of weights, of a batch, of a loss for logging."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
net = nn.Linear(6, 6)
scale = nn.Parameter(torch.ones(()))
opt = torch.optim.Adam([*net.parameters(), scale], lr=1e-2)
for _ in range(4):
    x, weights = torch.randn(16, 6), torch.rand(16)
    out = net(x)
    size = net.bias.abs().mean()
    each = F.mse_loss(out, x, reduction="none").mean(1)
    loss = (each * weights).sum() / weights.sum()
    loss = loss + 0.01 * (size * torch.randn(6)).sum().abs() + (scale * weights).mean() + out.mean() * weights.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
